import { alone, type Check, outcomeOf } from './check'

/** A program that is held, approved and played again, with functions that count. */
const replayed = (claim: string, code: string, expected: unknown): Check => ({
  group: 'replay',
  claim,
  tried: code,
  expected,
  run: async (bench) => {
    const ran: string[] = []
    let reads = 0
    const functions = {
      read: () => {
        ran.push('read')
        return ++reads
      },
      write: { call: (input: unknown) => void ran.push(`write ${JSON.stringify(input)}`), approval: true },
    }
    const first = await alone(bench, code, { functions, approval: { mode: 'collect' } })
    if (first.status !== 'pending') return outcomeOf(first)
    const shown = first.pending.map(({ input }) => `write ${JSON.stringify(input)}`)
    const end = await first.resume({ all: 'approve' })
    return { ended: outcomeOf(end), ran: ran.map((line) => (shown.includes(line) ? 'as shown' : line)) }
  },
})

export const replays: Check[] = [
  replayed('what was read is not read again', 'const n = await sdk.read(); await sdk.write({ n }); return n', {
    ended: 1,
    ran: ['read', 'as shown'],
  }),
  replayed(
    'clocks and random values are the shown ones when it runs',
    'await sdk.write([Date.now(), Math.random(), crypto.randomUUID(), performance.now()]); return 1',
    {
      ended: 1,
      ran: ['as shown'],
    },
  ),
  replayed('nothing runs before the decision', 'await sdk.write({ a: 1 }); await sdk.write({ a: 2 }); return 2', {
    ended: 2,
    ran: ['as shown', 'as shown'],
  }),
  {
    group: 'replay',
    claim: 'a continuation whose program was changed runs nothing',
    tried: 'a continuation with another program in it, approved',
    expected: { ended: 'error ReplayMismatch', ran: 0 },
    run: async (bench) => {
      let ran = 0
      const functions = { write: { call: () => ++ran, approval: true } }
      const first = await alone(bench, 'await sdk.write({ to: "a" }); return 1', {
        functions,
        approval: { mode: 'collect' },
      })
      if (first.status !== 'pending') return outcomeOf(first)
      const changed = { ...(first.continuation as object), code: 'await sdk.write({ to: "b" }); return 1' }
      const end = await bench.sandbox.resume(changed, { functions, decisions: { all: 'approve' } })
      return { ended: end.status === 'error' ? `error ${end.error.name}` : end.status, ran }
    },
  },
  {
    group: 'replay',
    claim: 'a decision about calls that do not wait is refused',
    tried: 'resume with an id that is not pending',
    expected: 'TypeError, ran 0',
    run: async (bench) => {
      let ran = 0
      const functions = { write: { call: () => ++ran, approval: true } }
      const first = await alone(bench, 'await sdk.write(1); return 1', { functions, approval: { mode: 'collect' } })
      if (first.status !== 'pending') return outcomeOf(first)
      const how = await first.resume({ approve: ['another'] }).then(
        (end) => end.status,
        (error: Error) => error.name,
      )
      return `${how}, ran ${ran}`
    },
  },
]
