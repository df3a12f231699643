// Measures the library and the app, and writes the results.
//
// node bench.mjs [--short] [--only PART]… [--engine NAME]… [--out FOLDER] [--minutes N] [--rounds]
//
// Without --short it overwrites RESULTS.md, results.json and plots/ here. A short
// run proves that everything can still be measured and gives right results; its
// times mean nothing and go to a folder that is thrown away.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, release, tmpdir, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { measureApp } from './app/run.mjs'
import { measureLibrary } from './library/run.mjs'
import { measureMillion } from './million.mjs'
import { engineName, figure } from './report/format.mjs'
import { verdictsOf } from './report/markdown.mjs'
import { writeReport } from './report/write.mjs'
import { measureSizes } from './sizes.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    engine: { type: 'string', multiple: true },
    part: { type: 'string', multiple: true },
    out: { type: 'string' },
    minutes: { type: 'string', default: '11' },
  },
})
const { short, only } = values
const engines = values.engine ?? ['webkit', 'chromium', 'firefox']
const parts = values.part ?? ['library', 'size', 'app', 'million']
const began = Date.now()
const until = began + Number(values.minutes) * 60_000

const load = loadavg()[0]
/** @type {import('./report/result.mjs').Result[]} */
const results = []
/** @param {import('./report/result.mjs').Result} result */
const heard = (result) => {
  results.push(result)
  const failed = failures(result)
  const took = result.took ? `, ${figure(result.took / 1000)} s` : ''
  console.log(
    `${failed.length > 0 ? 'FAILED' : 'ok'} ${engineName(result.engine)}: ${result.row}${took}${failed.map((each) => `\n  ${each}`).join('')}`,
  )
  if (values.out || !short) write()
}

// The app and the million come first: they are few, and what runs out of time is
// then a row of one engine and not half of the report.
if (parts.includes('size')) heard(await measureSizes())
if (parts.includes('app')) await measureApp({ short, only, until, heard })
if (parts.includes('million') && !short) await measureMillion({ until, heard })
if (parts.includes('library')) await measureLibrary({ engines, short, only, until, heard })

write()
const passed = results.filter((result) => failures(result).length === 0).length
const failed = results.length - passed
if (!short) {
  for (const { row, engine, verdict } of verdictsOf(results))
    if (verdict.met === false)
      console.log(
        `missed: ${row} in ${engineName(engine)}: ${verdict.what} ${figure(verdict.value)} ${verdict.unit}, target ${figure(verdict.limit)}`,
      )
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

/**
 * What went wrong in a row. A peer that cannot do the work is a finding about the
 * peer, and no failure of the bench.
 *
 * @param {import('./report/result.mjs').Result} result @returns {string[]}
 */
function failures({ failure, series = [] }) {
  return [
    ...(failure === undefined ? [] : [failure]),
    ...series
      .filter((each) => each.failure !== undefined && each.kind !== 'peer')
      .map(({ name, failure }) => `${name}: ${failure}`),
  ]
}

function write() {
  const temporary = short && !values.out
  const folder = temporary ? mkdtempSync(join(tmpdir(), 'bench-')) : (values.out ?? here)
  mkdirSync(folder, { recursive: true })
  writeReport(folder, machine(), results)
  if (temporary) rmSync(folder, { recursive: true })
}

/** @returns {Record<string, string>} */
function machine() {
  const [cpu] = cpus()
  return {
    date: new Date(began).toISOString().slice(0, 16).replace('T', ' '),
    commit: tell('git', ['rev-parse', '--short', 'HEAD']),
    processor: `${cpu?.model ?? 'unknown'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `Linux ${release()}, Node ${process.versions.node}`,
    engines: `${tell('chromium', ['--version']).trim()}, ${tell('firefox-esr', ['--version']).trim()}, WebKitGTK ${tell('pkg-config', ['--modversion', 'webkit2gtk-4.1']).trim()}`,
    load: `${figure(load)} before, ${figure(loadavg()[0])} at the end (${cpus().length} cores)`,
    took: `${Math.round((Date.now() - began) / 1000)} s${short ? ', short: the times mean nothing' : ''}`,
  }
}

/** @param {string} command @param {string[]} args */
function tell(command, args) {
  try {
    return execFileSync(command, args, { cwd: here, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return 'unknown'
  }
}
