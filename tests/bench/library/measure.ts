import { type Kind, within } from './runner.js'

/** One figure or several of one sample, by name: { ms: 2.4 } */
export type Figures = Record<string, number>

/** One of those that are measured side by side in a row. */
export interface Contestant {
  name: string
  kind: Kind
  /**
   * Does the work once, checks what came of it, and gives its figures. Rejects when the result is
   * wrong. scale: which part of the work is done, where it can be divided.
   */
  sample(scale: number): Promise<Figures>
  /** What must be so before a sample and is not part of it. */
  ready?(): Promise<void>
  close?(): void
}

/** What was measured of one contestant: its samples by figure, or why there are none. */
export interface Series {
  name: string
  kind: Kind
  samples: Record<string, number[]>
  failure?: string
}

export interface Plan {
  /** How often each is measured, at most. */
  rounds: number
  /** ms that the whole row may take; each contestant gets two samples whatever it takes. */
  budgetMs: number
  /** Proves that everything works, on a tenth of the work: its times mean nothing. */
  short?: boolean
  /** Says who is next: should the page stand still, the bench knows in whom. Not timed. */
  announce?(name: string): Promise<unknown>
  /** Those in whom the page stood still before. */
  without?: string[]
}

// Longer than the slowest honest sample here; a peer that hangs is given up.
const sampleMs = 6_000
const shortMs = 2_000
// How long a tenth of the work may take; who needs longer is not measured, since
// it would stand still with the whole page for a minute.
const trialMs = 1_000
const least = 2

/** The smallest step of the page's clock, in ms. */
const clockStep = (): number => {
  let step = Number.POSITIVE_INFINITY
  for (let i = 0, last = performance.now(); i < 20; ) {
    const now = performance.now()
    if (now === last) continue
    step = Math.min(step, now - last)
    last = now
    i++
  }
  return step
}

/** Spins for up to a millisecond, so that samples do not begin in step with a coarse clock. */
const dither = (): void => {
  const until = Math.random() * 1e6
  for (let i = 0; i < until; i++) spun = (spun * 31 + i) | 0
}
let spun = 1

/**
 * Takes one sample. Where the clock counts whole milliseconds a short one is taken
 * several times and averaged: the clock's error is then as often up as down.
 */
const sampled = async (contestant: Contestant, times: number, scale: number, mostMs: number): Promise<Figures> => {
  let sum: Figures = {}
  for (let i = 0; i < times; i++) {
    await contestant.ready?.()
    if (times > 1) dither()
    const figures = await within(mostMs, contestant.sample(scale))
    sum = Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, (sum[name] ?? 0) + figure / times]))
  }
  return sum
}

/**
 * Measures contestants in turn, one sample each, over and over: what this machine
 * does meanwhile meets all of them. The order turns by one each round, so that
 * nobody always comes after the same other one. Each is first run unmeasured on a
 * tenth of the work: it warms up, and it proves that its result is right.
 */
export const measure = async (
  contestants: Contestant[],
  { rounds, budgetMs, short = false, announce, without = [] }: Plan,
): Promise<Series[]> => {
  const series = contestants.map(({ name, kind }): Series => ({ name, kind, samples: {} }))
  for (const each of series) if (without.includes(each.name)) each.failure = 'the page stood still for 12 s'
  const spent = contestants.map(() => 0)
  const times = contestants.map(() => 1)
  const coarse = clockStep() > 0.5
  const began = performance.now()
  /** ms that went to those who gave no figure: a peer that hangs takes none of the others' samples. */
  let lost = 0
  const fail = (at: number, error: unknown): void => {
    const each = series[at]
    if (each) each.failure = error instanceof Error ? error.message : String(error)
  }
  const once = async (at: number, keep: boolean): Promise<void> => {
    const [contestant, each] = [contestants[at], series[at]]
    if (!contestant || !each || each.failure !== undefined) return
    await announce?.(contestant.name)
    const from = performance.now()
    try {
      const scale = short || !keep ? 0.1 : 1
      const figures = await sampled(contestant, times[at] ?? 1, scale, short ? shortMs : sampleMs)
      if (!keep) {
        const took = performance.now() - from
        if (contestant.kind === 'peer' && took > trialMs)
          throw new Error(`a tenth of the work took ${Math.round(took)} ms: not measured`)
        if (coarse && (figures.ms ?? 100) < 20) times[at] = 6
        return
      }
      for (const [name, figure] of Object.entries(figures)) {
        each.samples[name] ??= []
        each.samples[name].push(figure)
      }
    } catch (error) {
      fail(at, error)
      lost += performance.now() - from
    } finally {
      spent[at] = (spent[at] ?? 0) + performance.now() - from
    }
  }
  for (let at = 0; at < contestants.length; at++) await once(at, false)
  for (let round = 0; round < rounds; round++) {
    const over = performance.now() - began - lost > budgetMs
    if (over && round >= least) break
    for (let turn = 0; turn < contestants.length; turn++) {
      const at = (turn + round) % contestants.length
      // The slow ones must not eat the time of the others.
      if (round >= least && (spent[at] ?? 0) > (2 * budgetMs) / contestants.length) continue
      await once(at, true)
    }
  }
  for (const contestant of contestants) contestant.close?.()
  return series
}
