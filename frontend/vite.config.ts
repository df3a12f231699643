import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [react()],
  build: {
    // The webview is WebKitGTK 2.44 or newer.
    target: ['safari17', 'chrome120', 'firefox120'],
    // The policy lets fonts come from the app only, not from data: addresses.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // Not for scripts that come on demand: WebKit gives a preload that failed to the next try, too.
      resolveDependencies: (_file, deps, { hostType }) =>
        hostType === 'html' ? deps : deps.filter((file) => file.endsWith('.css')),
    },
    rolldownOptions: {
      output: {
        // Small things that would else go with what runs programs, which the first paint does without.
        codeSplitting: { groups: [{ name: 'value', test: /src[\\/](value|bridge[\\/]bridgeError)/ }] },
      },
    },
  },
  test: {
    include: ['src/**/*.test.{ts,tsx}'],
    restoreMocks: true,
    // A machine that is busy with other tests takes its time.
    testTimeout: 30_000,
  },
})
