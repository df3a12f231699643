import { join } from 'node:path'
import { ENGINES } from '../../../sandbox/test/runner/engine.mjs'
import { startInspectedWebKit } from '../../../sandbox/test/runner/engines/inspected-webkit.mjs'
import { measure } from '../../../sandbox/test/runner/processes.mjs'
import { bundleBench, root } from './bundle.mjs'
import { startServer } from './server.mjs'

/** The rows, in the order of the results; rounds and ms for a whole and a short run. */
const ROWS = {
  'cold start': { rounds: 16, budgetMs: 8_000 },
  'warm start': { rounds: 30, budgetMs: 8_000 },
  'thirty runs back to back': { rounds: 6, budgetMs: 6_000 },
  'a burst of four': { rounds: 12, budgetMs: 5_000 },
  'awaited calls': { rounds: 14, budgetMs: 8_000 },
  'calls at once': { rounds: 16, budgetMs: 7_000 },
  'CPU loop': { rounds: 10, budgetMs: 9_000 },
  sort: { rounds: 10, budgetMs: 9_000 },
  JSON: { rounds: 10, budgetMs: 9_000 },
  '5 MB there and back': { rounds: 12, budgetMs: 7_000 },
  'stop of a loop': { rounds: 8, budgetMs: 9_000 },
  'sixteen approvals': { rounds: 14, budgetMs: 5_000 },
  'replay of a journal': { rounds: 8, budgetMs: 8_000 },
  'growth over many runs': { rounds: 3, budgetMs: 60_000 },
}

// Its driver cannot make WebKitGTK collect garbage; where that counts it gets a browser of another kind.
const INSPECTED = 'growth over many runs'

// A page that says nothing for so long stands still, or is gone; each sample is announced.
const SILENCE_MS = 12_000

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
    measure: async (collect) => {
      if (!browser) return { bytes: 0, threads: 0 }
      const kept = collect ? await browser.collect?.() : undefined
      return { ...(await measure(browser.root, browser.webProcess, 50)), kept }
    },
  })
  try {
    for (const engine of engines) {
      name = engine
      for (const [row, whole] of Object.entries(ROWS)) {
        if (only.length > 0 && !only.some((part) => row.includes(part))) continue
        const { rounds, budgetMs } = short ? { rounds: 1, budgetMs: 200 } : whole
        const left = until - Date.now()
        if (left < budgetMs) {
          heard({ row, engine, failure: 'not measured: the time of this run was over' })
          continue
        }
        const began = Date.now()
        heard({ row, engine, ...(await whatever(engine, row, rounds, budgetMs)), took: Date.now() - began })
      }
      await browser?.close().catch(() => {})
      browser = undefined
    }
  } finally {
    await browser?.close().catch(() => {})
    server.close()
  }

  /**
   * Measures a row, whatever happens: a peer in which the page stands still is
   * left out of a second try, and a browser that broke gets one.
   *
   * @param {string} engine @param {string} row @param {number} rounds @param {number} budgetMs
   */
  async function whatever(engine, row, rounds, budgetMs) {
    /** @type {string[]} */
    const without = []
    for (let tries = 0; ; tries++) {
      const result = await one(engine, row, rounds, budgetMs, without).catch((error) => ({ failure: String(error) }))
      if (!('failure' in result)) return result
      await browser?.close().catch(() => {})
      browser = undefined
      if ('stoodIn' in result) without.push(result.stoodIn)
      if (tries === 2 || Date.now() > until) return { failure: result.failure }
    }
  }

  /**
   * @param {string} engine @param {string} row @param {number} rounds @param {number} budgetMs @param {string[]} without
   * @returns {Promise<any>} what the page reported, or failure and where it stood still
   */
  async function one(engine, row, rounds, budgetMs, without) {
    if (engine === 'webkit' && row === INSPECTED) {
      await browser?.close().catch(() => {})
      browser = await startInspectedWebKit()
    }
    browser ??= await ENGINES[engine]()
    const report = server.report()
    const query = new URLSearchParams({ row, rounds: String(rounds), budgetMs: String(budgetMs) })
    if (short) query.set('short', '')
    for (const name of without) query.append('without', name)
    /** @type {string[]} */
    const lines = []
    const close = await browser.open(`${server.origin}/bench?${query}`, (line) => lines.push(line))
    /** @type {NodeJS.Timeout | undefined} */
    let timer
    const silent = new Promise((resolve) => {
      timer = setInterval(() => {
        const { name, at } = server.now()
        if (Date.now() - at < SILENCE_MS) return
        const console = lines.slice(-2).join(' | ') || 'silent'
        resolve({ failure: `the page stood still in ${name}; its console: ${console}`, stoodIn: name })
      }, 250)
    })
    const result = await Promise.race([report, silent])
    clearInterval(timer)
    if (!('failure' in result)) await close()
    if (row === INSPECTED) {
      await browser.close().catch(() => {})
      browser = undefined
    }
    return result
  }
}
