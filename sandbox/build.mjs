// Builds dist/: the page's modules, the adapters, the frame document, the types.
//
// The worker becomes text inside the frame's script, and that script becomes
// the one inline script of sandbox.html, allowed by its hash.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const common = { bundle: true, minify: true, target: 'es2022', legalComments: 'none', write: false, charset: 'utf8' }
const text = async (entry, define = {}) => {
  const { outputFiles } = await build({ ...common, entryPoints: [here(entry)], format: 'iife', define })
  return `"use strict";${outputFiles[0].text.trim()}`
}

// Page and frame document must be of one build: both have its name.
const sources = createHash('sha256')
for (const realm of ['shared', 'worker', 'frame']) {
  for (const name of readdirSync(here(`src/${realm}`))
    .filter((name) => name.endsWith('.ts'))
    .sort())
    sources.update(readFileSync(here(`src/${realm}/${name}`)))
}
const buildName = sources.digest('hex').slice(0, 8)

const worker = await text('src/worker/worker.ts')
const frame = (
  await text('src/frame/frame.ts', { workerSource: JSON.stringify(worker), build: JSON.stringify(buildName) })
)
  // Inside <script> the text must not end or reopen it.
  .replaceAll('</', '<\\/')
  .replaceAll('<!--', '<\\!--')
const hash = createHash('sha256').update(frame).digest('base64')
export const policy = [
  "default-src 'none'",
  `script-src 'sha256-${hash}' 'unsafe-eval'`,
  'worker-src blob:',
  "connect-src 'none'",
  "form-action 'none'",
  "base-uri 'none'",
].join('; ')
const document = `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="build" content="${buildName}"><title>sandbox</title><script>${frame}</script>`

rmSync(here('dist'), { recursive: true, force: true })
mkdirSync(here('dist'))
writeFileSync(here('dist/sandbox.html'), document)
await build({
  ...common,
  write: true,
  splitting: true,
  format: 'esm',
  outdir: here('dist'),
  entryPoints: { index: here('src/index.ts') },
  chunkNames: '[name]',
  define: { frameDocumentText: JSON.stringify(document), build: JSON.stringify(buildName) },
})

// One file per adapter. The core and the other entry points stay imports, so
// that no page loads the core twice; other packages are the host's own.
const adapters = readdirSync(here('src/adapters')).filter((name) => name.endsWith('.ts'))
const entries = ['index.ts', ...adapters.map((name) => `adapters/${name}`)].map((name) => here(`src/${name}`))
await build({
  ...common,
  write: true,
  format: 'esm',
  packages: 'external',
  outdir: here('dist'),
  entryPoints: entries.slice(1),
  plugins: [
    {
      name: 'entry points stay imports',
      setup(plugin) {
        plugin.onResolve({ filter: /^\.\.?\/.*\.js$/ }, ({ path, resolveDir }) => {
          const source = resolve(resolveDir, path).replace(/\.js$/, '.ts')
          return entries.includes(source) ? { path: `./${basename(path)}`, external: true } : undefined
        })
      },
    },
  ],
})
if (!process.argv.includes('--no-types')) {
  for (const realm of ['page', 'adapters']) {
    const { status } = spawnSync(here('node_modules/.bin/tsc'), ['-p', here(`src/${realm}/tsconfig.build.json`)], {
      stdio: 'inherit',
    })
    if (status) process.exit(status)
  }
}
