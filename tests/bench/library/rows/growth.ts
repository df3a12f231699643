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
    const look = async (): Promise<{ bytes: number; threads: number; frames: number; listeners: number }> => {
      // Engines collect when they are idle; the least of a few looks is what stays.
      let least = await machine.measure()
      for (let i = 0; i < (short ? 0 : 4); i++) {
        await delay(300)
        const now = await machine.measure()
        least = { bytes: Math.min(least.bytes, now.bytes), threads: Math.min(least.threads, now.threads) }
      }
      return { ...least, frames: document.querySelectorAll('iframe').length, listeners: listeners.count() }
    }
    const few = short ? 20 : 200
    const many = short ? 40 : 1_000
    try {
      await bareRuns(few / 2)
      const floorStart = await look()
      await bareRuns(few)
      const floorLater = await look()
      await runs(few / 2)
      const start = await look()
      await runs(few)
      const later = await look()
      await runs(many - few)
      const last = await look()
      const mb = (bytes: number): number => Math.round(bytes / 1e5) / 10
      return {
        series: [],
        facts: {
          'runs, few': few,
          'runs, many': many,
          'bare workers, MB more after few': mb(floorLater.bytes - floorStart.bytes),
          'MB more after few': mb(later.bytes - start.bytes),
          'MB more after many': mb(last.bytes - start.bytes),
          'threads more': last.threads - start.threads,
          'frames more': last.frames - start.frames,
          'listeners more': last.listeners - start.listeners,
        },
      }
    } finally {
      bare.close()
      sandbox.dispose()
      listeners.stop()
    }
  },
}
