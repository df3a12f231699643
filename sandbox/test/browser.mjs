// Runs the browser tests: node test/browser.mjs [--engine NAME]… [--grep TEXT] [--verbose] [FILE…]
// PROGRAMS=50000 generates so many programs; SEED=… those of another run.
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bundleTests } from './runner/bundle.mjs'
import { startCanary } from './runner/canary.mjs'
import { ENGINES } from './runner/engine.mjs'
import { servePacked } from './runner/packed.mjs'
import { measure } from './runner/processes.mjs'
import { startServer } from './runner/server.mjs'
import { runSuite } from './runner/suite.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    engine: { type: 'string', multiple: true },
    grep: { type: 'string', default: '' },
    verbose: { type: 'boolean', default: false },
  },
})
const engines = values.engine ?? Object.keys(ENGINES)
for (const name of engines) {
  if (!(name in ENGINES)) fail(`expected --engine to be one of ${Object.keys(ENGINES).join(', ')}; got ${name}`)
}
const files = readdirSync(join(root, 'test/browser'))
  .filter((name) => name.endsWith('.test.ts'))
  .filter((name) => positionals.length === 0 || positionals.some((part) => name.includes(part)))
  .map((name) => name.replace(/\.ts$/, ''))
if (files.length === 0)
  fail(`expected test files in test/browser with one of ${positionals.join(', ')} in the name; found none`)

const generated = {
  programs: Number(process.env.PROGRAMS ?? 250),
  seed: Number(process.env.SEED ?? Date.now() % 2 ** 31),
}
if (files.some((name) => /^(generated|timed)\./.test(name)))
  console.log(`generated: PROGRAMS=${generated.programs} SEED=${generated.seed}`)
/** @type {(report: import('./runner/suite.mjs').Report) => void} */
let listener = () => {}
/** @type {import('./runner/engine.mjs').Engine | undefined} */
let browser
const canary = await startCanary()
const packed = files.includes('packed.test') ? await servePacked(root) : undefined
const server = await startServer({
  root,
  packed,
  bundles: await bundleTests(root),
  canary,
  generated,
  onReport: (report) => listener(report),
  measure: async (windowMs) => {
    if (!browser) throw new Error('no browser is running')
    return measure(browser.root, browser.webProcess, windowMs)
  },
})

let bad = false
for (const name of engines) {
  const outcome = await runSuite({
    name,
    origin: server.origin,
    files,
    grep: values.grep,
    verbose: values.verbose,
    listen: (next) => {
      listener = next
    },
    uses: (engine) => {
      browser = engine
    },
  })
  for (const { file, title, message } of outcome.failures)
    console.log(`\nFAILED ${name} ${file}: ${title}\n  ${message.replaceAll('\n', '\n  ')}`)
  for (const title of outcome.skipped) console.log(`${name} cannot show: ${title}`)
  console.log(`${name}: ${outcome.passed} passed, ${outcome.failures.length} failed`)
  if (outcome.failures.length > 0 || outcome.passed === 0) bad = true
}
server.close()
canary.close()
packed?.remove()
process.exitCode = bad ? 1 : 0

/** @param {string} message @returns {never} */
function fail(message) {
  console.error(message)
  process.exit(2)
}
