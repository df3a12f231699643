// Bundles what the page of the bench loads: its rows, the floors, the peers.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = dirname(fileURLToPath(import.meta.url))
export const root = join(here, '../../..')
const common = {
  bundle: true,
  write: false,
  format: /** @type {const} */ ('esm'),
  target: 'esnext',
  logLevel: /** @type {const} */ ('error'),
  absWorkingDir: here,
}

/** The library stays out of the bundle: the page loads the built files, as a user's page does. */
const builtLibrary = {
  name: 'built-library',
  /** @param {import('esbuild').PluginBuild} plugin */
  setup(plugin) {
    plugin.onResolve({ filter: /^@faustine-ai\/browser-sandbox$/ }, () => ({ path: '/dist/index.js', external: true }))
  },
}

/** @param {string} entry @param {Record<string, string>} [define] @returns {Promise<string>} a script of its own */
async function script(entry, define = {}) {
  const { outputFiles } = await build({ ...common, format: 'iife', minify: true, entryPoints: [entry], define })
  return outputFiles[0].text.trim()
}

/** @returns {Promise<Map<string, { type: string, body: string | Uint8Array, policy?: string }>>} path → what is served there */
export async function bundleBench() {
  /** @type {Map<string, { type: string, body: string | Uint8Array, policy?: string }>} */
  const files = new Map()
  const js = 'text/javascript; charset=utf-8'
  const html = 'text/html; charset=utf-8'
  const workerSource = JSON.stringify(await script('floors/worker.ts'))

  const frame = (await script('floors/frame.ts', { workerSource })).replaceAll('</', '<\\/')
  const hash = createHash('sha256').update(frame).digest('base64')
  files.set('/floor.html', {
    type: html,
    body: `<!doctype html><meta charset="utf-8"><title>floor</title><script>${frame}</script>`,
    policy: `default-src 'none'; script-src 'sha256-${hash}' 'unsafe-eval'; worker-src blob:`,
  })

  const page = await build({
    ...common,
    entryPoints: ['page.ts'],
    define: { workerSource },
    plugins: [builtLibrary],
    external: ['/peers/*'],
  })
  files.set('/page.js', { type: js, body: page.outputFiles[0].text })

  for (const peer of ['codemode', 'quickjs', 'tanstack']) {
    const { outputFiles } = await build({
      ...common,
      entryPoints: [`peers/${peer}.ts`],
      outdir: `/peers/${peer}`,
      splitting: true,
      minify: true,
      conditions: ['browser'],
    })
    for (const file of outputFiles) files.set(file.path, { type: js, body: file.contents })
  }
  // A module, since ses refuses to start in sloppy code.
  const realm = await build({ ...common, minify: true, entryPoints: ['peers/ses-realm.ts'] })
  files.set('/peers/ses-realm.js', { type: js, body: realm.outputFiles[0].text })
  files.set('/peers/ses.html', {
    type: html,
    body: '<!doctype html><title>ses</title><script type="module" src="/peers/ses-realm.js"></script>',
  })
  const ses = await build({ ...common, entryPoints: ['peers/ses.ts'] })
  files.set('/peers/ses/ses.js', { type: js, body: ses.outputFiles[0].text })

  const wasm = {
    quickjs: wasmOf('quickjs-emscripten', 'sync'),
    tanstack: wasmOf('@tanstack/ai-isolate-quickjs', 'asyncify'),
  }
  for (const [peer, path] of Object.entries(wasm))
    files.set(`/peers/${peer}/emscripten-module.wasm`, { type: 'application/wasm', body: readFileSync(path) })

  const sandbox = readFileSync(join(root, 'sandbox/dist/sandbox.html'), 'utf8')
  files.set('/sandbox.html', { type: html, body: sandbox, policy: policyOf(sandbox) })
  return files
}

/** @param {string} from @param {'sync' | 'asyncify'} kind @returns {string} the WebAssembly file that a package loads */
function wasmOf(from, kind) {
  const modules = join(here, '../node_modules')
  const own = join(modules, from, 'node_modules/@jitl', `quickjs-wasmfile-release-${kind}`)
  const shared = join(modules, '@jitl', `quickjs-wasmfile-release-${kind}`)
  for (const folder of [own, shared]) {
    try {
      const path = join(folder, 'dist/emscripten-module.wasm')
      readFileSync(path)
      return path
    } catch {}
  }
  throw new Error(`expected the package quickjs-wasmfile-release-${kind} in tests/bench/node_modules; run npm ci there`)
}

/** @param {string} frame @returns {string} the policy that the frame document carries itself */
function policyOf(frame) {
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/i.exec(frame)?.[1]
  if (!policy)
    throw new Error('expected sandbox/dist/sandbox.html to carry its policy; build the library first (make build)')
  return policy.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}
