// Writes the bench's page for the app into a folder: node bundle.mjs FOLDER
import { copyFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = dirname(fileURLToPath(import.meta.url))
const folder = process.argv[2]
if (!folder) throw new Error('expected the folder to write to: node bundle.mjs FOLDER')

const worker = await build({
  entryPoints: [join(here, '../library/floors/worker.ts')],
  bundle: true,
  write: false,
  format: 'iife',
  minify: true,
  target: 'esnext',
})
mkdirSync(folder, { recursive: true })
await build({
  entryPoints: [join(here, 'page/main.ts')],
  bundle: true,
  format: 'esm',
  minify: true,
  target: 'esnext',
  outfile: join(folder, 'bench.js'),
  define: { workerSource: JSON.stringify(worker.outputFiles[0].text) },
  alias: { '@faustine-ai/browser-sandbox': join(here, '../../../sandbox/dist/index.js') },
  logLevel: 'error',
})
copyFileSync(join(here, 'page/index.html'), join(folder, 'index.html'))
