import { createSandbox, type PendingResult, type Result } from '@faustine-ai/browser-sandbox'
import { type Contestant, measure } from '../measure.js'
import { expectSame, type Row } from '../row.js'
import { delay } from '../runner.js'
import { endedOk, limits } from '../runners/ours.js'

const pending = (result: Result, rows: number): PendingResult => {
  if (result.status !== 'pending' || result.pending.length !== rows)
    throw new Error(`expected ${rows} calls that wait, got ${result.status}`)
  return result
}

const rows = 16

/** Sixteen approvals in a plain loop: the first pass, then check pass and real pass. No peer can do this. */
export const approvals: Row = {
  name: 'sixteen approvals',
  run: async (plan) => {
    const sandbox = createSandbox({ frame: { url: '/sandbox.html' }, warm: 2, limits })
    let done = 0
    const functions = { remove: { call: () => ++done, approval: true } }
    const contestant: Contestant = {
      name: 'countersign',
      kind: 'ours',
      ready: () => delay(200),
      close: () => sandbox.dispose(),
      sample: async () => {
        done = 0
        const began = performance.now()
        const code = `for (let id = 0; id < ${rows}; id++) await sdk.remove({ id })\nreturn 'removed'`
        const first = pending(await sandbox.run({ code, functions, approval: { mode: 'collect' } }), rows)
        const held = performance.now()
        expectSame(endedOk(await first.resume({ all: 'approve' })), 'removed')
        const ended = performance.now()
        expectSame(done, rows)
        return {
          'first pass, ms': held - began,
          'check and real pass, ms': ended - held,
          ratio: (ended - held) / (held - began),
        }
      },
    }
    return { series: await measure([contestant], plan), facts: { rounds: 1 } }
  },
}

const recorded = 1_000

/** A journal of a thousand calls replayed, by the check pass and again by the real pass; µs for each call and pass. */
export const replay: Row = {
  name: 'replay of a journal',
  run: async (plan) => {
    const sandbox = createSandbox({ frame: { url: '/sandbox.html' }, warm: 2, limits })
    let read = 0
    const functions = { read: () => ++read, remove: { call: () => 'gone', approval: true } }
    const resumed = async (calls: number): Promise<number> => {
      read = 0
      const code = `let sum = 0
        for (let id = 0; id < ${calls}; id++) sum += await sdk.read({ id })
        await sdk.remove(1)
        return sum`
      const first = pending(await sandbox.run({ code, functions, approval: { mode: 'collect' } }), 1)
      await delay(200)
      const began = performance.now()
      expectSame(endedOk(await first.resume({ all: 'approve' })), (calls * (calls + 1)) / 2)
      expectSame(read, calls)
      return performance.now() - began
    }
    const contestant: Contestant = {
      name: 'countersign',
      kind: 'ours',
      ready: () => delay(150),
      close: () => sandbox.dispose(),
      sample: async (scale) => ({
        µs: ((await resumed(recorded * scale)) - (await resumed(0))) / 2 / ((recorded * scale) / 1_000),
      }),
    }
    return { series: await measure([contestant], plan) }
  },
}
