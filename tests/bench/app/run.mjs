// Runs the Go side of the bench of the app and hands on each row as it is there.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { root } from '../library/bundle.mjs'

const TAGS = 'desktop,production,webkit2_41,sqlite_fts5,desktoptest'
const MOST_MS = 180_000

/**
 * @param {{ short: boolean, only: string[], until: number, heard(result: import('../report/result.mjs').Result): void }} options
 *   only: parts of the names of the rows that are wanted; none: all
 */
export async function measureApp({ short, only, until, heard }) {
  const timeout = Math.max(20, Math.round(Math.min(MOST_MS, until - Date.now()) / 1000))
  const rows = only.length > 0 ? ['-run', `/${only.map((each) => each.replaceAll(' ', '_')).join('|')}`] : []
  const child = spawn(
    'go',
    ['test', '-count=1', '-v', '-tags', TAGS, '-timeout', `${timeout}s`, ...rows, './tests/bench/app'],
    {
      cwd: root,
      env: { ...process.env, ...(short ? { COUNTERSIGN_BENCH_SHORT: '1' } : {}) },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let rest = ''
  let seen = 0
  child.stderr.on('data', (chunk) => {
    rest += chunk
  })
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => {
    if (line.startsWith('BENCH ')) {
      seen++
      heard(JSON.parse(line.slice('BENCH '.length)))
    } else rest += `${line}\n`
  })
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(1))
    child.once('close', resolve)
  })
  if (seen === 0) heard({ row: 'the app', engine: 'app', failure: `nothing was measured: ${rest.slice(-600)}` })
  else if (code !== 0) console.log(rest.slice(-3000))
}
