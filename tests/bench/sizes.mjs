// Size: what a page has to load, minified and gzipped, in kB of 1,000 bytes.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const here = dirname(fileURLToPath(import.meta.url))
const modules = join(here, 'node_modules')

/** @param {Uint8Array} bytes */
const gzipped = (bytes) => gzipSync(bytes, { level: 9 }).length / 1_000

/**
 * Bundles what a user would write, and gives the size of what loads at once and
 * of everything that may load later.
 *
 * @param {string} contents @param {string} resolveDir
 */
async function sizeOf(contents, resolveDir) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    outdir: '/out',
    write: false,
    metafile: true,
    legalComments: 'none',
    conditions: ['browser'],
    logLevel: 'error',
  })
  const sizes = new Map(outputFiles.map((file) => [file.path, gzipped(file.contents)]))
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [join('/', path.slice(path.indexOf('out/'))), output]),
  )
  const entry = [...outputs].find(([, { entryPoint }]) => entryPoint === '<stdin>')?.[0] ?? ''
  const atOnce = new Set([entry])
  for (const path of atOnce)
    for (const { path: to, kind } of outputs.get(path)?.imports ?? [])
      if (kind === 'import-statement') atOnce.add(join('/', to.slice(to.indexOf('out/'))))
  const sum = (/** @type {Iterable<string>} */ paths) =>
    [...paths].reduce((all, path) => all + (sizes.get(path) ?? 0), 0)
  return { atOnce: sum(atOnce), all: sum(sizes.keys()) }
}

/** @returns {Promise<import('./report/result.mjs').Result>} */
export async function measureSizes() {
  /** @type {import('./report/result.mjs').Series[]} */
  const series = []
  /** @param {string} name @param {'ours' | 'peer'} kind @param {() => Promise<number>} measure */
  const add = async (name, kind, measure) => {
    try {
      series.push({ name, kind, samples: { kB: [await measure()] } })
    } catch (error) {
      series.push({ name, kind, samples: {}, failure: String(error).split('\n')[0] })
    }
  }
  const dist = join(here, '../../sandbox/dist')
  const library = "export { createSandbox } from './index.js'"
  await add('countersign, url mode', 'ours', async () => (await sizeOf(library, dist)).atOnce)
  await add('countersign, srcdoc', 'ours', async () => (await sizeOf(library, dist)).all)
  await add('countersign, the frame document itself', 'ours', async () =>
    gzipped(readFileSync(join(dist, 'sandbox.html'))),
  )
  await add(
    '@cloudflare/codemode',
    'peer',
    async () => (await sizeOf("export { IframeSandboxExecutor } from '@cloudflare/codemode/browser'", here)).all,
  )
  const wasm = async (/** @type {string} */ code, /** @type {string[]} */ paths) => {
    const bytes = paths.map((path) => {
      try {
        return readFileSync(path)
      } catch {
        return undefined
      }
    })
    const found = bytes.find((each) => each !== undefined)
    if (!found) throw new Error(`expected one of ${paths.join(', ')}`)
    return (await sizeOf(code, here)).atOnce + gzipped(found)
  }
  const file = 'dist/emscripten-module.wasm'
  await add('quickjs-emscripten', 'peer', () =>
    wasm(
      "import { newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core'; import variant from '@jitl/quickjs-wasmfile-release-sync'; export const load = () => newQuickJSWASMModuleFromVariant(variant)",
      [join(modules, '@jitl/quickjs-wasmfile-release-sync', file)],
    ),
  )
  await add('@tanstack/ai-isolate-quickjs', 'peer', () =>
    wasm("export { createQuickJSIsolateDriver } from '@tanstack/ai-isolate-quickjs'", [
      join(modules, '@tanstack/ai-isolate-quickjs/node_modules/@jitl/quickjs-wasmfile-release-asyncify', file),
      join(modules, '@jitl/quickjs-wasmfile-release-asyncify', file),
    ]),
  )
  await add('ses', 'peer', async () => (await sizeOf("import 'ses'", here)).all)
  return { row: 'size', engine: 'build', series }
}
