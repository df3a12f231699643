import { describe, expect, it } from 'vitest'
import { keptOf, viewOf, withTheLog } from './keptView'
import { type CallView, newRunView, type RunView } from './runView'

const call = (change: Partial<CallView> = {}): CallView => ({
  callId: 'c1',
  seq: 1,
  fn: 'files.read',
  input: { path: 'Desk/a.txt' },
  standing: 'ok',
  at: 1,
  began: 2,
  ended: 3,
  ms: 1,
  value: 'text',
  ...change,
})
const run = (value: unknown, change: Partial<RunView> = {}): RunView => ({
  ...newRunView('return 1'),
  runId: 'r',
  standing: 'ok',
  calls: [call()],
  logs: [{ level: 'log', text: 'hello', at: 1 }],
  result: {
    status: 'ok',
    value,
    runId: 'r',
    logs: [],
    calls: [],
    timings: { boot: 0, run: 1, waiting: 0, host: 0, total: 1 },
  },
  elapsed: 4,
  ...change,
})
/** Through the text that is kept. */
const again = async (view: RunView): Promise<RunView> => viewOf(JSON.parse(JSON.stringify(await keptOf(view))))

describe('what is kept of a run', () => {
  it.each<[string, unknown]>([
    ['what JSON holds', { a: [1, 'x', null] }],
    ['nothing', undefined],
    ['a date, a map, bytes and a bigint', [new Date(0), new Map([[1, 'a']]), new Uint8Array([1, 2]), 7n, Number.NaN]],
  ])('gives %s back', async (_name, value) => {
    const view = await again(run(value))
    expect(view.result).toMatchObject({ status: 'ok', value })
    expect(view.calls).toEqual([call()])
    expect(view.logs).toEqual([{ level: 'log', text: 'hello', at: 1 }])
  })

  it('leaves values out where they are too large, and says so', async () => {
    const view = await again(run('x'.repeat(600_000)))
    expect(view).toMatchObject({ standing: 'ok', shortened: true, calls: [{ fn: 'files.read', ms: 1 }] })
    expect(view.result).not.toHaveProperty('value', expect.anything())
  })

  it('leaves calls out where there are too many', async () => {
    const calls = Array.from({ length: 9000 }, (_, at) => call({ callId: `c${at}` }))
    const view = await again(run(1, { calls, logs: [{ level: 'log', text: 'x'.repeat(10_000), at: 1 }] }))
    expect(view).toMatchObject({ standing: 'ok', shortened: true, calls: [] })
  })

  it('takes from the log what came of every call that had no end here, and why the run ended', () => {
    const outcomes = ['ok', 'error', 'rejected', 'refused', 'waiting', 'approved', 'unknown'] as const
    const logged = outcomes.map((outcome, at) => ({ callId: `c${at}`, seq: at + 1, fn: 'files.write', outcome }))
    const view = {
      ...run(undefined, { standing: 'interrupted' }),
      calls: [
        ...logged.map(({ callId, seq }) => call({ callId, seq, standing: 'unknown' })),
        call({ callId: 'done', seq: 8 }),
        call({ callId: 'not logged', seq: 9, standing: 'unknown' }),
      ],
    }
    const known = withTheLog(view, {
      ending: 'too much memory',
      calls: [...logged, { callId: 'done', seq: 8, fn: 'files.read', outcome: 'ok' }],
    })
    expect(known.ending).toBe('too much memory')
    expect(known.calls.map(({ standing }) => standing)).toEqual([
      'ok',
      'error',
      'rejected',
      'denied',
      'cancelled',
      'cancelled',
      'unknown',
      'ok',
      'unknown',
    ])
  })

  it('does not know what a call came to that the log has as cut off', () => {
    const cut = { seq: 1, fn: 'mail.send', outcome: 'error', failure: 'Cancelled' } as const
    const view = run(undefined, { standing: 'interrupted', calls: [call({ standing: 'unknown' })] })
    const known = withTheLog(view, {
      calls: [
        { ...cut, callId: 'c1' },
        { ...cut, callId: 'c2', seq: 2 },
        { ...cut, callId: 'c3', seq: 3, failure: 'FunctionFailed' },
      ],
    })
    expect(known.calls.map(({ standing }) => standing)).toEqual(['unknown', 'unknown', 'error'])
  })

  it('takes from the log the calls that were made after it was kept', () => {
    const known = withTheLog(run(undefined, { standing: 'interrupted' }), {
      calls: [
        { callId: 'c3', seq: 3, fn: 'files.write', outcome: 'approved' },
        { callId: 'c1', seq: 1, fn: 'files.read', outcome: 'ok' },
        { callId: 'c2', seq: 2, fn: 'files.write', outcome: 'ok' },
      ],
    })
    expect(known.calls.map(({ callId, standing }) => [callId, standing])).toEqual([
      ['c1', 'ok'],
      ['c2', 'ok'],
      ['c3', 'cancelled'],
    ])
    expect(known.shortened).toBe(true) // the log has their inputs
  })

  it('shows one that had not ended as interrupted, without a call that runs or waits', async () => {
    const calls = [
      call(),
      call({ callId: 'c2', standing: 'running', ended: undefined }),
      call({ callId: 'c3', standing: 'waiting', asked: true, began: undefined, ended: undefined }),
    ]
    const view = await again(run(undefined, { standing: 'waiting', result: undefined, calls, waits: [{ from: 2 }] }))
    expect(view.standing).toBe('interrupted')
    expect(view.calls.map(({ standing }) => standing)).toEqual(['ok', 'unknown', 'unknown'])
    expect(view.waits).toEqual([{ from: 2, to: 4 }])
  })
})
