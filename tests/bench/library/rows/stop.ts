import { createSandbox } from '@faustine-ai/browser-sandbox'
import { type Contestant, measure } from '../measure.js'
import type { Row } from '../row.js'
import { delay, type Runner } from '../runner.js'
import { BareFrame } from '../runners/bare.js'

const limitMs = 100
/** Long enough to tell “stopped at the limit” from “ended by itself”. */
const loopMs = 400

/** The longest time, in ms, that the page could not run a task of its own while `work` went on. */
const stalled = async (
  work: () => Promise<number>,
): Promise<{ 'past the limit, ms': number; 'page stall, ms': number }> => {
  const { port1, port2 } = new MessageChannel()
  let longest = 0
  let last = performance.now()
  let on = true
  const beat = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (on) port2.postMessage(null)
  }
  port1.onmessage = beat
  port2.postMessage(null)
  try {
    const past = await work()
    await delay(20)
    beat()
    return { 'past the limit, ms': past, 'page stall, ms': longest }
  } finally {
    on = false
    port1.close()
  }
}

const countersign = (): Contestant => {
  const sandbox = createSandbox({ frame: { url: '/sandbox.html' }, warm: true, limits: { busyMs: limitMs } })
  return {
    name: 'countersign',
    kind: 'ours',
    ready: () => delay(150),
    close: () => sandbox.dispose(),
    sample: () =>
      stalled(async () => {
        let began = 0
        let past = 0
        const functions = {
          started: () => {
            began = performance.now()
          },
        }
        // On a busy machine the limit may come before the program does: then nothing was stopped.
        while (began === 0) {
          const result = await sandbox.run({ code: 'sdk.started(); while (true);', functions })
          past = performance.now() - began - limitMs
          if (result.status !== 'limit' || result.error.limit !== 'busyMs')
            throw new Error(`expected the limit busyMs, got ${result.status}`)
        }
        return past
      }),
  }
}

/** A bare worker in a bare frame, terminated by a timer of the page. */
const bare = (): Contestant => {
  const frame = new BareFrame()
  return {
    name: 'bare frame and worker, relay',
    kind: 'floor',
    ready: () => frame.ready,
    close: () => frame.close(),
    sample: () =>
      stalled(async () => {
        const worker = frame.worker('relay')
        await worker.up
        const began = await new Promise<number>((resolve) => {
          worker.listen((record) => {
            if (record.type === 'call') resolve(performance.now())
          })
          worker.post({ type: 'run', code: 'host(1); while (true);', transfer: false })
        })
        await delay(began + limitMs - performance.now())
        await worker.stop()
        return performance.now() - began - limitMs
      }),
  }
}

/** A peer, with its own time-out; its loop ends by itself, for those that cannot stop one. */
const peer = (name: string, file: string): Contestant => {
  const load = async (): Promise<{ runner: Runner; timeout: { ms: number } }> =>
    import(/* @vite-ignore */ `/peers/${file}/${file}.js`)
  return {
    name,
    kind: 'peer',
    sample: async (scale) => {
      const { runner, timeout } = await load()
      timeout.ms = limitMs
      const opened = await runner.open()
      try {
        return await stalled(async () => {
          const began = performance.now()
          const how = await opened
            .run(
              `const from = Date.now(); while (Date.now() - from < ${scale < 1 ? 3 * limitMs : loopMs}); return 1`,
              () => 0,
            )
            .catch((error) => error)
          const past = performance.now() - began - limitMs
          if (past < 0) throw new Error(`it ended before its limit: ${String(how)}`)
          return past
        })
      } finally {
        timeout.ms = 30_000
        opened.close()
      }
    },
  }
}

/** Stopping `while (true)`: how long past the limit, and how long the page stood still. */
export const stopping: Row = {
  name: 'stop of a loop',
  run: async (plan) => ({
    series: await measure(
      [
        countersign(),
        bare(),
        peer('@cloudflare/codemode', 'codemode'),
        peer('quickjs-emscripten', 'quickjs'),
        peer('@tanstack/ai-isolate-quickjs', 'tanstack'),
        peer('ses', 'ses'),
      ],
      plan,
    ),
    facts: { 'limit, ms': limitMs, 'the peers’ loops end by themselves after, ms': loopMs },
  }),
}
