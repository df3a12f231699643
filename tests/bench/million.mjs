// The log with a million entries: runs the Go benchmarks of million_test.go and
// reads what they print.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from './library/bundle.mjs'

const TAGS = 'desktop,production,webkit2_41,sqlite_fts5'
const LINE = /^Benchmark(\S+?)(?:-\d+)?\s+(\d+)\s+([\d.]+) ns\/op(?:\s+([\d.]+) entries\/s)?/gm

/** @param {{ until: number, heard(result: import('./report/result.mjs').Result): void }} options */
export async function measureMillion({ until, heard }) {
  const row = 'a million log entries'
  const began = Date.now()
  const text = await output(Math.min(130_000, until - Date.now()))
  /** @type {import('./report/result.mjs').Series[]} */
  const series = []
  /** @type {Record<string, number>} */
  const facts = {}
  const most = (/** @type {string} */ name, /** @type {number} */ ms) => {
    facts[name] = Math.max(facts[name] ?? 0, ms)
  }
  for (const [, name, , ns, perSecond] of text.matchAll(LINE)) {
    const ms = Number(ns) / 1e6
    const what = name
      .replace(/^Million/, '')
      .replace(/^ReviewFirstPage\//, 'first page, ')
      .replaceAll('_', ' ')
    const known = series.find((each) => each.name === what)
    if (known) known.samples.ms.push(ms)
    else series.push({ name: what, kind: 'ours', samples: { ms: [ms] } })
    if (/text/.test(what)) most('slowest search, ms', ms)
    else if (/first page/.test(what)) most('slowest first page, ms', ms)
    if (perSecond) facts['verified, entries/s'] = Number(perSecond)
  }
  const wrote = /at (\d+) entries\/s/.exec(text)?.[1]
  if (wrote) facts['written, entries/s'] = Number(wrote)
  heard({
    row,
    engine: 'app',
    took: Date.now() - began,
    ...(series.length > 0 ? { series, facts } : { failure: `the benchmarks printed no figures: ${text.slice(-300)}` }),
  })
}

/** @param {number} timeoutMs @returns {Promise<string>} */
function output(timeoutMs) {
  return new Promise((resolve) => {
    const args = [
      'test',
      '-tags',
      TAGS,
      '-run',
      '^$',
      '-bench',
      'Million|ReviewFirstPage',
      '-benchtime',
      '300ms',
      '-timeout',
      `${Math.max(10, Math.round(timeoutMs / 1000))}s`,
      './tests/bench',
    ]
    const child = spawn('go', args, { cwd: join(root), stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
    })
    child.stderr.on('data', (chunk) => {
      text += chunk
    })
    child.once('error', (error) => resolve(String(error)))
    child.once('close', () => resolve(text))
  })
}
