import { type Contestant, measure, type Plan, type Series } from './measure.js'
import type { Host, Opened, Runner } from './runner.js'
import { echo } from './runner.js'

/** One line of the results: the same work by several. Gives what was measured, and facts that are no times. */
export interface Row {
  name: string
  run(plan: Plan, machine: Machine): Promise<{ series: Series[]; facts?: Record<string, number | string> }>
}

/** What only the bench's own server knows. */
export interface Machine {
  /**
   * Memory (bytes) and threads of the processes that run web content. `collect`: after a collection
   * of garbage, where the engine can be made to do one; `kept` is then what the page's heap holds, in bytes.
   */
  measure(collect?: boolean): Promise<{ bytes: number; threads: number; kept?: number }>
}

/** A contestant that opens its runner once and takes samples on it. */
export const kept = async (
  runner: Runner,
  sample: (opened: Opened, scale: number) => Promise<Record<string, number>>,
): Promise<Contestant> => {
  const { name, kind } = runner
  let opened: Opened | undefined
  const failed = await runner.open().then(
    (open) => {
      opened = open
    },
    (error: unknown) => error,
  )
  return {
    name,
    kind,
    ready: async () => opened?.ready(),
    sample: async (scale) => {
      if (!opened) throw failed
      return sample(opened, scale)
    },
    close: () => opened?.close(),
  }
}

/** A row whose contestants all do the same on a runner that is kept. */
export const keptRow = (
  name: string,
  runners: Runner[],
  sample: (opened: Opened, scale: number) => Promise<Record<string, number>>,
): Row => ({
  name,
  run: async (plan) => ({
    series: await measure(await Promise.all(runners.map((runner) => kept(runner, sample))), plan),
  }),
})

/**
 * Runs a program that calls `host('start')` and `host('end')` around its work,
 * and gives the ms between them as the page saw it: the same clock for all.
 */
export const span = async (opened: Opened, code: string, expected: unknown): Promise<number> => {
  let from = 0
  let to = 0
  const host: Host = (input) => {
    if (input === 'start') from = performance.now()
    if (input === 'end') to = performance.now()
    return echo(input)
  }
  const value = await opened.run(code, host)
  expectSame(value, expected)
  if (from === 0 || to < from) throw new Error('the program did not say when it started and ended')
  return to - from
}

export const expectSame = (value: unknown, expected: unknown): void => {
  if (value !== expected) throw new Error(`expected the result ${String(expected)}, got ${String(value)}`)
}
