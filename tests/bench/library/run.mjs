import { join } from 'node:path'
import { ENGINES } from '../../../sandbox/test/runner/engine.mjs'
import { measure } from '../../../sandbox/test/runner/processes.mjs'
import { bundleBench, root } from './bundle.mjs'
import { startServer } from './server.mjs'

/** The rows, in the order of the results; rounds and ms for a whole and a short run. */
const ROWS = {
  'cold start': { rounds: 16, budgetMs: 9_000 },
  'warm start': { rounds: 30, budgetMs: 12_000 },
  'thirty runs back to back': { rounds: 5, budgetMs: 9_000 },
  'a burst of four': { rounds: 12, budgetMs: 7_000 },
  'awaited calls': { rounds: 12, budgetMs: 12_000 },
  'calls at once': { rounds: 15, budgetMs: 9_000 },
  'CPU loop': { rounds: 10, budgetMs: 8_000 },
  sort: { rounds: 10, budgetMs: 8_000 },
  JSON: { rounds: 10, budgetMs: 8_000 },
  '5 MB there and back': { rounds: 10, budgetMs: 10_000 },
  'stop of a loop': { rounds: 8, budgetMs: 10_000 },
  'sixteen approvals': { rounds: 12, budgetMs: 7_000 },
  'replay of a journal': { rounds: 8, budgetMs: 12_000 },
  'growth over many runs': { rounds: 3, budgetMs: 45_000 },
}

// A page that is silent this much longer than its budget hangs, or is gone.
const GRACE_MS = 25_000

/**
 * Measures every row in every engine. A row that fails is a failure of its own:
 * its engine is started again for the next.
 *
 * @param {{ engines: string[], short: boolean, only: string[], until: number, heard(result: any): void }} options
 *   only: parts of the names of the rows that are wanted; none: all
 *   until: when to give up, as Date.now counts; heard: told of each row as it is there
 */
export async function measureLibrary({ engines, short, only, until, heard }) {
  /** @type {import('../../../sandbox/test/runner/engine.mjs').Engine | undefined} */
  let browser
  let name = ''
  const files = await bundleBench()
  const server = await startServer({
    dist: join(root, 'sandbox/dist'),
    files,
    isolated: () => name !== 'webkit',
    measure: async () => (browser ? measure(browser.root, browser.webProcess, 50) : { bytes: 0, threads: 0 }),
  })
  try {
    for (const engine of engines) {
      name = engine
      for (const [row, whole] of Object.entries(ROWS)) {
        if (only.length > 0 && !only.some((part) => row.includes(part))) continue
        const { rounds, budgetMs } = short ? { rounds: 2, budgetMs: 500 } : whole
        const left = until - Date.now()
        if (left < budgetMs) {
          heard({ row, engine, failure: 'not measured: the time of this run was over' })
          continue
        }
        const began = Date.now()
        const result = await one(engine, row, rounds, budgetMs).catch((error) => ({ failure: String(error) }))
        heard({ row, engine, took: Date.now() - began, ...result })
        if ('failure' in result) {
          await browser?.close().catch(() => {})
          browser = undefined
        }
      }
      await browser?.close().catch(() => {})
      browser = undefined
    }
  } finally {
    await browser?.close().catch(() => {})
    server.close()
  }

  /** @param {string} engine @param {string} row @param {number} rounds @param {number} budgetMs */
  async function one(engine, row, rounds, budgetMs) {
    browser ??= await ENGINES[engine]()
    const report = server.report()
    const query = new URLSearchParams({ row, rounds: String(rounds), budgetMs: String(budgetMs) })
    /** @type {string[]} */
    const lines = []
    const close = await browser.open(`${server.origin}/bench?${query}`, (line) => lines.push(line))
    /** @type {NodeJS.Timeout | undefined} */
    let timer
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, budgetMs + GRACE_MS, {
        failure: `the page did not report; its console: ${lines.slice(-3).join(' | ') || 'silent'}`,
      })
    })
    const result = await Promise.race([report, late])
    clearTimeout(timer)
    if (!('failure' in result)) await close()
    return result
  }
}
