import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

const beside = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  plugins: [react()],
  resolve: {
    // The library of this repository, as it was built last. Not a file: dependency: npm would write
    // the library's development tools into this lock file, and npm ci then fails on them.
    alias: { '@faustine-ai/browser-sandbox': beside('../sandbox/dist/index.js') },
  },
  build: {
    // The webview is WebKitGTK 2.44 or newer.
    target: ['safari17', 'chrome120', 'firefox120'],
    // The policy lets fonts come from the app only, not from data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
  },
  test: {
    include: ['src/**/*.test.{ts,tsx}'],
    restoreMocks: true,
  },
})
