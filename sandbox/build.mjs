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
import { minify } from 'terser'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
/**
 * Fields of our own objects that no caller, program, message or continuation
 * sees: the minifier shortens them. That none of them is declared where those
 * are is checked here; that none is a name of the platform, by the tests.
 */
const ours =
  'accessors acquire age answered asking atEnd attach backlog begin decides elapsed emit ending executing failed failure heard idle inOrder keep kept kind lease made madeBefore method mismatch outcome over program randomValues receive release released replay sent shown site spares stage started taken thrown timers unused verdicts views'.split(
    ' ',
  )
for (const file of 'shared/protocol shared/limits page/functions page/result page/journal page/output'.split(' ')) {
  const declared = readFileSync(here(`src/${file}.ts`), 'utf8')
  // Of an interface, or of an object that is made there.
  const seen = ours.find((name) => new RegExp(`(^|[{;,])\\s*${name}\\s*(\\?|:|[,}])`, 'm').test(declared))
  if (seen) throw new Error(`“${seen}” is declared in ${file}.ts, so others see it: it cannot be shortened`)
}
const mangleProps = new RegExp(`^(${ours.join('|')})$`)
const common = { bundle: true, minify: true, target: 'es2022', legalComments: 'none', write: false, charset: 'utf8' }
/** Builds with esbuild, and minifies what came once more: terser sees through more than esbuild, about a twentieth. */
const files = async (options) => {
  const { outputFiles } = await build({ ...common, ...options })
  return Promise.all(
    outputFiles.map(async ({ path, text }) => {
      const { code } = await minify(text, {
        module: options.format === 'esm',
        ecma: 2022,
        compress: { passes: 3, keep_fargs: false },
        format: { comments: false },
      })
      return { path, text: code }
    }),
  )
}
const text = async (entry, define = {}) => {
  const [file] = await files({ entryPoints: [here(entry)], format: 'iife', define, mangleProps })
  return file.text.trim()
}

// What a page loads at once, on demand and in its frame must be of one build: each has its name.
const sources = createHash('sha256')
for (const realm of ['shared', 'worker', 'frame', 'page']) {
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
const core = await files({
  splitting: true,
  mangleProps,
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
const adapted = await files({
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
for (const { path, text } of [...core, ...adapted]) writeFileSync(path, text)
if (!process.argv.includes('--no-types')) {
  for (const realm of ['page', 'adapters']) {
    const { status } = spawnSync(here('node_modules/.bin/tsc'), ['-p', here(`src/${realm}/tsconfig.build.json`)], {
      stdio: 'inherit',
    })
    if (status) process.exit(status)
  }
}
