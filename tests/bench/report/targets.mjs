// What issue 9 asks of each row, engine by engine. A target is met or missed by
// the figures of one and the same run.

/**
 * @typedef {{ what: string, limit: number, unit: string, value?: number, low?: number, high?: number, met?: boolean, atLeast?: boolean }} Verdict
 *   value: undefined where it was not measured; low, high: how far this run knows a ratio
 * @typedef {import('./result.mjs').Reading} Reading
 */

const OURS = 'countersign'
const RELAY = 'bare frame and worker, relay'
const PORT = 'bare frame and worker, port'
const DIRECT = 'bare worker, no frame'

/** @param {string} what @param {number | undefined} value @param {number} limit @param {string} unit @returns {Verdict} */
const atMost = (what, value, limit, unit) =>
  value === undefined ? { what, limit, unit } : { what, limit, unit, value, met: value <= limit }

/** @param {string} what @param {number | undefined} value @param {number} limit @param {string} unit @returns {Verdict} */
const atLeast = (what, value, limit, unit) => ({
  ...atMost(what, value, limit, unit),
  atLeast: true,
  ...(value === undefined ? {} : { met: value >= limit }),
})

/** @param {string} what @param {{ value: number, low: number, high: number } | undefined} ratio @param {number} limit @returns {Verdict} */
const times = (what, ratio, limit) => ({
  ...atMost(what, ratio?.value, limit, '×'),
  ...(ratio ? { low: ratio.low, high: ratio.high } : {}),
})

/** @param {Reading} r @param {[number, number, number]} limits @returns {number} that of this engine */
const perEngine = (r, [chromium, firefox, webkit]) =>
  r.engine === 'chromium' ? chromium : r.engine === 'firefox' ? firefox : webkit

/** @param {number} limit @returns {(r: Reading) => Verdict[]} */
const likeABareWorker = (limit) => (r) => [times('of a bare worker', r.ratio(OURS, DIRECT), limit)]

/**
 * What is kept counts, not what is not collected yet. Where the engine cannot be
 * made to collect, the processes' memory with its garbage is set against that of
 * as many bare workers.
 *
 * @param {Reading} r @param {'few' | 'many'} which @param {number} runs @returns {Verdict}
 */
const growth = (r, which, runs) => {
  const after = `after ${r.fact(`runs, ${which}`) ?? runs} runs`
  const kept = r.fact(`MB kept of ${which}`)
  if (kept !== undefined) return atMost(`kept ${after}`, kept, 5, 'MB')
  const more = r.fact(`MB more after ${which}`)
  const floor = r.fact(`bare workers, MB more after ${which}`)
  const value = more === undefined || floor === undefined ? undefined : Math.round((more - floor) * 10) / 10
  return atMost(`above as many bare workers, ${after}`, value, 5, 'MB')
}

/** @type {Record<string, (r: Reading) => Verdict[]>} */
export const TARGETS = {
  'cold start': (r) => [times('of the bare frame and worker', r.ratio(OURS, r.best([RELAY, PORT])), 1.3)],
  'warm start': (r) => [
    atMost('median', r.median(OURS), perEngine(r, [3, 3.5, 5]), 'ms'),
    times('of the bare spare worker', r.ratio(OURS, r.best([RELAY, PORT])), 1.5),
  ],
  'thirty runs back to back': (r) => [
    times('of a bare worker started for each', r.ratio(OURS, RELAY), 1.1),
    atMost('frames made', r.fact('frames made by countersign'), 1, ''),
  ],
  'a burst of four': (r) => [
    times('with four spares, of the bare four', r.ratio('countersign, warm: 4', RELAY), 1.5),
    times('with four spares, of those with one', r.ratio('countersign, warm: 4', OURS), 1),
  ],
  'awaited calls': (r) => [
    atMost('each', r.median(OURS), perEngine(r, [95, 140, 180]), 'µs'),
    times('of the best isolated transport', r.ratio(OURS, r.best([RELAY, PORT])), 1.2),
  ],
  'calls at once': (r) => [times('of the best isolated transport', r.ratio(OURS, r.best([RELAY, PORT])), 1.4)],
  'CPU loop': likeABareWorker(1.1),
  sort: likeABareWorker(1.1),
  JSON: likeABareWorker(1.1),
  '5 MB there and back': (r) => [times('of the cloning relay', r.ratio(OURS, r.best([RELAY])), 0.5)],
  'stop of a loop': (r) => [
    atMost('past the limit', r.median(OURS, 'past the limit, ms'), perEngine(r, [7, 3, 3]), 'ms'),
    atMost('longest page stall', r.median(OURS, 'page stall, ms'), 12, 'ms'),
  ],
  'sixteen approvals': (r) => [
    atMost('rounds', r.fact('rounds'), 1, ''),
    atMost('check and real pass, of the first', r.median(OURS, 'ratio'), 2.5, '×'),
  ],
  'replay of a journal': (r) => [atMost('each call and pass', r.median(OURS), 20, 'µs')],
  'growth over many runs': (r) => [
    growth(r, 'few', 200),
    growth(r, 'many', 1000),
    atMost('threads more', r.fact('threads more'), 0, ''),
    atMost('frames more', r.fact('frames more'), 0, ''),
    atMost('listeners more', r.fact('listeners more'), 0, ''),
  ],
  size: (r) => [
    atMost('url mode', r.median('countersign, url mode'), 8.5, 'kB'),
    atMost('with the srcdoc document', r.median('countersign, srcdoc'), 12.5, 'kB'),
  ],

  'call to Go and back': (r) => [
    times('of a bare relay with a bare bound call', r.ratio(OURS, 'bare relay, bare bound call'), 1.3),
  ],
  '500 calls at once to Go': (r) => [
    atLeast(
      'times faster than a bound call each',
      inverse(r.ratio(OURS, 'bare relay, a bound call each'))?.value,
      4,
      '×',
    ),
  ],
  'what logging adds': (r) => [times('of the same without a log', r.ratio(OURS, 'countersign, no log'), 1.1)],
  '20 MB from Go': (r) => [times('of the bare asset route', r.ratio(OURS, 'bare asset route, and relay'), 1.5)],
  'sixteen approved writes': (r) => {
    const commit = r.median('one durable commit')
    return [atMost('answer to last outcome', r.median(OURS), commit === undefined ? 0 : 16 * commit + 50, 'ms')]
  },
  'start to usable window': (r) => [
    times('of an empty Wails app', r.ratio(OURS, 'empty Wails app', 'ms'), 1.3),
    atMost(
      'memory, of an empty Wails app',
      quotient(r.median(OURS, 'MB'), r.median('empty Wails app', 'MB')),
      1.3,
      '×',
    ),
  ],
  'a million log entries': (r) => [
    atMost('slowest first page', r.fact('slowest first page, ms'), 50, 'ms'),
    atMost('slowest search', r.fact('slowest search, ms'), 200, 'ms'),
    atLeast('verified', r.fact('verified, entries/s'), 200_000, 'entries/s'),
  ],
  'memory bomb': (r) => [
    atLeast('share that ended as limit, the app alive', r.fact('ended as limit, of all'), 1, ''),
    atMost('memory at most', r.median(OURS, 'MB at most'), 3_000, 'MB'),
  ],
}

/** @param {{ value: number, low: number, high: number } | undefined} ratio */
const inverse = (ratio) => ratio && { value: 1 / ratio.value, low: 1 / ratio.high, high: 1 / ratio.low }

/** @param {number | undefined} a @param {number | undefined} b */
const quotient = (a, b) => (a === undefined || b === undefined ? undefined : a / b)
