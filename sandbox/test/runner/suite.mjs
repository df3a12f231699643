import { ENGINES } from './engine.mjs'

/**
 * @typedef {{ file: string, title: string, message: string }} Failure
 * @typedef {{ engine: string, passed: number, skipped: string[], failures: Failure[] }} Outcome
 * @typedef {{ type: 'start' | 'pass' | 'skip' | 'fail' | 'end', engine: string, file: string, title?: string, message?: string, ms?: number }} Report
 */

// The longest honest test reports earlier; a page that is silent for so long
// hangs, or its process is gone.
const SILENCE_MS = 120_000

/**
 * Runs the test files, one page each, in one engine.
 *
 * @param {{
 *   name: string, origin: string, files: string[], grep: string, verbose: boolean,
 *   listen(listener: (report: Report) => void): void,
 *   uses(engine: import('./engine.mjs').Engine | undefined): void,
 * }} options
 *   listen: sets who gets the reports of the page; uses: told which browser is at work
 * @returns {Promise<Outcome>}
 */
export async function runSuite({ name, origin, files, grep, verbose, listen, uses }) {
  /** @type {Outcome} */
  const outcome = { engine: name, passed: 0, skipped: [], failures: [] }
  /** @type {import('./engine.mjs').Engine | undefined} */
  let engine
  try {
    for (const file of files) {
      if (!engine) {
        engine = await ENGINES[name]()
        uses(engine)
      }
      if (await runFile(engine, file)) continue
      // A page that hangs may have taken its browser along: start another.
      await engine.close().catch(() => {})
      engine = undefined
    }
  } finally {
    await engine?.close()
    uses(undefined)
  }
  return outcome

  /**
   * @param {import('./engine.mjs').Engine} browser
   * @param {string} file
   * @returns {Promise<boolean>} whether the page came to its end
   */
  async function runFile(browser, file) {
    const query = new URLSearchParams({ file, grep, engine: name })
    /** @type {string[]} */
    const lines = []
    let running = 'loading the page'
    /** @type {(ended: boolean) => void} */
    let finish = () => {}
    const finished = new Promise((resolve) => {
      finish = resolve
    })
    let timer = setTimeout(finish, SILENCE_MS, false)
    listen((report) => {
      if (report.file !== file || report.engine !== name) return
      clearTimeout(timer)
      timer = setTimeout(finish, SILENCE_MS, false)
      if (report.type === 'start') running = report.title ?? ''
      if (report.type === 'pass') outcome.passed++
      if (report.type === 'skip') outcome.skipped.push(report.title ?? '')
      if (report.type === 'fail')
        outcome.failures.push({ file, title: report.title ?? '', message: report.message ?? '' })
      if (report.type === 'end') finish(true)
      if (verbose && report.title && report.type !== 'start')
        console.log(`${name} ${report.type} ${report.ms ?? 0} ms: ${report.title}`)
    })
    let close = async () => /** @type {unknown} */ (undefined)
    try {
      close = await browser.open(`${origin}/run?${query}`, (line) => lines.push(line))
    } catch (error) {
      lines.push(String(error))
      finish(false)
    }
    const ended = await finished
    clearTimeout(timer)
    if (ended) await close()
    else
      outcome.failures.push({
        file,
        title: running,
        message: `the page stopped reporting; last lines of its console: ${lines.slice(-5).join(' | ')}`,
      })
    return ended
  }
}
