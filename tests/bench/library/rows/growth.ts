import { createSandbox } from '@faustine-ai/browser-sandbox'
import { expectSame, type Row } from '../row.js'
import { delay, echo } from '../runner.js'
import { relay } from '../runners/bare.js'
import { endedOk, limits } from '../runners/ours.js'

/** Listeners of the window that are there now, by counting what comes and goes. */
const watchListeners = (): { count(): number; stop(): void } => {
  const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype
  let count = 0
  EventTarget.prototype.addEventListener = function (...args: Parameters<typeof add>) {
    if (this === window || this === document) count++
    return add.apply(this, args)
  }
  EventTarget.prototype.removeEventListener = function (...args: Parameters<typeof remove>) {
    if (this === window || this === document) count--
    return remove.apply(this, args)
  }
  return {
    count: () => count,
    stop: () => {
      Object.assign(EventTarget.prototype, { addEventListener: add, removeEventListener: remove })
    },
  }
}

interface Look {
  /** memory of the processes, in bytes: as it is, and after a collection of garbage where the engine can be made to do one */
  bytes: number
  collected: number
  /** what the page's heap holds after that, in bytes; where it can be asked */
  kept?: number | undefined
  threads: number
  frames: number
  listeners: number
}

/** How much more memory there was after few and after many, in MB. */
const growthOf = (whose: string, [start, few, many]: [Look, Look, Look]): Record<string, number> => {
  const mb = (bytes: number): number => Math.round(bytes / 1e5) / 10
  const facts: Record<string, number> = {}
  for (const [when, look] of Object.entries({ few, many })) {
    facts[`${whose}MB more after ${when}`] = mb(look.bytes - start.bytes)
    if (look.kept === undefined || start.kept === undefined) continue
    facts[`${whose}MB more after ${when}, collected`] = mb(look.collected - start.collected)
    facts[`${whose}MB kept of ${when}`] = mb(look.kept - start.kept)
  }
  return facts
}

/** What many runs leave behind: memory, threads, frames, listeners. */
export const growth: Row = {
  name: 'growth over many runs',
  run: async ({ short, announce }, machine) => {
    const listeners = watchListeners()
    const sandbox = createSandbox({ frame: { url: '/sandbox.html' }, warm: true, limits })
    const functions = { echo: (input: unknown) => input }
    const bare = await relay.open()
    const bareRuns = async (n: number): Promise<void> => {
      for (let i = 0; i < n; i++) {
        if (i % 50 === 0) await announce?.('bare workers')
        expectSame(await bare.run(`return await host(${i})`, echo), i)
      }
    }
    const runs = async (n: number): Promise<void> => {
      for (let i = 0; i < n; i++) {
        if (i % 50 === 0) await announce?.('countersign')
        const result = await sandbox.run({ code: 'return (await sdk.echo({ i: input.i })).i', functions, input: { i } })
        expectSame(endedOk(result), i)
      }
    }
    const look = async (): Promise<Look> => {
      // Engines collect when they are idle; the least of a few looks is what stays.
      let least = await machine.measure()
      for (let i = 0; i < (short ? 0 : 4); i++) {
        await delay(300)
        const now = await machine.measure()
        least = { bytes: Math.min(least.bytes, now.bytes), threads: Math.min(least.threads, now.threads) }
      }
      // Collecting changes what the next runs find, so it comes last, and for all alike.
      const collected = await machine.measure(true)
      return {
        ...least,
        collected: collected.bytes,
        kept: collected.kept,
        frames: document.querySelectorAll('iframe').length,
        listeners: listeners.count(),
      }
    }
    const few = short ? 20 : 200
    const many = short ? 40 : 1_000
    /** Looks at a start, after few and after many. */
    const looks = async (run: (n: number) => Promise<void>): Promise<[Look, Look, Look]> => {
      await run(few / 2)
      const start = await look()
      await run(few)
      const later = await look()
      await run(many - few)
      return [start, later, await look()]
    }
    try {
      const floor = await looks(bareRuns)
      const ours = await looks(runs)
      const [start, , last] = ours
      return {
        series: [],
        facts: {
          'runs, few': few,
          'runs, many': many,
          ...growthOf('', ours),
          'threads more': last.threads - start.threads,
          'frames more': last.frames - start.frames,
          'listeners more': last.listeners - start.listeners,
          ...growthOf('bare workers, ', floor),
        },
      }
    } finally {
      bare.close()
      sandbox.dispose()
      listeners.stop()
    }
  },
}
