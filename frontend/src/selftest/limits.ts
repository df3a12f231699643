import type { Limits } from '@faustine-ai/browser-sandbox'
import { alone, type Check, outcomeOf } from './check'

const limited = (claim: string, code: string, limits: Partial<Limits>, expected: string): Check => ({
  group: 'limits',
  claim,
  tried: `${code} under ${JSON.stringify(limits)}`,
  expected: { ended: expected, next: 'fine' },
  run: async (bench) => {
    const functions = { echo: (input: unknown) => input }
    const ended = outcomeOf(await alone(bench, code, { limits, functions }))
    return { ended, next: outcomeOf(await alone(bench, `return 'fine'`)) }
  },
})

export const limits: Check[] = [
  limited('an endless loop is ended', 'while (true) {}', { busyMs: 300 }, 'limit busyMs'),
  limited('an endless chain of promises is ended', 'while (true) await null', { busyMs: 300 }, 'limit busyMs'),
  limited('a promise that nothing settles is ended', 'await new Promise(() => {})', { busyMs: 300 }, 'limit busyMs'),
  limited(
    'a run that keeps itself busy with calls is ended',
    'while (true) await sdk.echo(1)',
    { wallClockMs: 400, calls: 1e9 },
    'limit wallClockMs',
  ),
  limited('a loop of calls is ended at the cap', 'while (true) await sdk.echo(1)', { calls: 20 }, 'limit calls'),
  limited('a flood of lines is ended', 'while (true) console.log(1)', { logLines: 50 }, 'limit logLines'),
  limited('an enormous value is not taken', `return 'x'.repeat(5000)`, { outputBytes: 1000 }, 'limit outputBytes'),
  limited(
    'an enormous program is not compiled',
    `return ${'1+'.repeat(600)}1`,
    { sourceBytes: 1000 },
    'limit sourceBytes',
  ),
  {
    group: 'termination',
    claim: 'a loop is stopped from outside, at once',
    tried: 'while (true) {} and an abort after it has begun',
    expected: { status: 'aborted', within: '2 s' },
    run: async (bench) => {
      const stop = new AbortController()
      const { result, took } = await stopped(stop, (onEvent) =>
        bench.sandbox.run({ code: 'console.log("on"); while (true) {}', functions: {}, signal: stop.signal, onEvent }),
      )
      return { status: result.status, within: took < 2000 ? '2 s' : `${Math.round(took)} ms` }
    },
  },
  {
    group: 'termination',
    claim: 'a timer left over does nothing after the end',
    tried: 'setTimeout(() => sdk.echo(1), 300) and return',
    expected: 0,
    run: async (bench) => {
      let calls = 0
      const functions = { echo: () => ++calls }
      await alone(bench, 'setTimeout(() => sdk.echo(1), 300); return 1', { functions })
      // Longer than the timer would have needed, in another run. Its own must end well before the
      // timer, also on a busy machine.
      await alone(bench, 'await new Promise((done) => setTimeout(done, 450)); return 1')
      return calls
    },
  },
  {
    group: 'termination',
    claim: 'a call in flight learns that its run has ended',
    tried: 'await sdk.wait(), ended by wallClockMs',
    expected: { ended: 'limit wallClockMs', signal: 'fired' },
    run: async (bench) => {
      let signal = 'never fired'
      const wait = (_: unknown, ctx: { signal: AbortSignal }) =>
        new Promise((resolve) => {
          ctx.signal.addEventListener('abort', () => {
            signal = 'fired'
            resolve(0)
          })
        })
      const ended = outcomeOf(
        await alone(bench, 'await sdk.wait()', { functions: { wait }, limits: { wallClockMs: 300 } }),
      )
      return { ended, signal }
    },
  },
]

/** Aborts a run once its program has begun, and measures how long it then takes. */
const stopped = async <T>(
  stop: AbortController,
  start: (onEvent: (event: { type: string; status?: string }) => void) => Promise<T>,
): Promise<{ result: T; took: number }> => {
  let at = 0
  const result = await start((event) => {
    if (at || !(event.type === 'status' && event.status === 'running')) return
    setTimeout(() => {
      at = performance.now()
      stop.abort()
    }, 200)
  })
  return { result, took: performance.now() - at }
}
