import type { RunEvent } from '@faustine-ai/browser-sandbox'
import { describe, expect, it } from 'vitest'
import { afterEvent, afterResult, isAllRejected, isOver, newRunView, type RunView } from './runView'

const call = (
  phase: 'start' | 'pending' | 'end',
  seq: number,
  more: Partial<RunEvent & { type: 'call' }> = {},
): RunEvent => ({
  type: 'call',
  phase,
  runId: 'r',
  callId: `c${seq}`,
  seq,
  fn: 'orders.cancel',
  input: { id: seq },
  ...more,
})
const status = (to: (RunEvent & { type: 'status' })['status']): RunEvent => ({ type: 'status', status: to, runId: 'r' })

/** A view after events, one every 10 ms. */
const viewAfter = (...events: RunEvent[]): RunView =>
  events.reduce((run, event, at) => afterEvent(run, event, at * 10), newRunView('return 1'))

const standings = ({ calls }: RunView) => calls.map(({ standing }) => standing)

describe('a run’s view', () => {
  it('shows each call once, from its start to its outcome', () => {
    const run = viewAfter(
      status('starting'),
      status('running'),
      call('start', 1),
      call('start', 2),
      call('end', 1, { state: 'ok', ms: 7 }),
    )
    expect(standings(run)).toEqual(['ok', 'running'])
    expect(run.calls[0]).toMatchObject({ at: 20, began: 20, ended: 40, ms: 7 })
  })

  it('keeps waiting apart from working', () => {
    const waiting = viewAfter(status('running'), call('pending', 1), call('pending', 2), status('pending'))
    expect(waiting.standing).toBe('waiting')
    expect(standings(waiting)).toEqual(['waiting', 'waiting'])
    const resumed = [
      status('starting'),
      status('running'),
      call('start', 1),
      call('end', 1, { state: 'ok', ms: 3 }),
    ].reduce((run, event) => afterEvent(run, event, 5000), waiting)
    expect(resumed.standing).toBe('running')
    expect(standings(resumed)).toEqual(['ok', 'waiting'])
    expect(resumed.calls[0]).toMatchObject({ at: 10, began: 5000, ms: 3 })
  })

  it.each<[string, RunEvent[], boolean]>([
    [
      'everything that was asked about',
      [call('end', 1, { state: 'rejected' }), call('end', 2, { state: 'rejected' })],
      true,
    ],
    ['one of two', [call('end', 1, { state: 'ok' }), call('end', 2, { state: 'rejected' })], false],
    ['nothing', [call('end', 1, { state: 'ok' }), call('end', 2, { state: 'ok' })], false],
  ])('knows that %s was rejected, whatever ran without asking', (_what, events, all) => {
    const unmarked = [call('start', 3), call('end', 3, { state: 'ok' })]
    expect(isAllRejected(viewAfter(...unmarked, call('pending', 1), call('pending', 2), ...events))).toBe(all)
  })

  it('gives a call that was rejected no time of its own', () => {
    const run = viewAfter(call('pending', 1), call('end', 1, { state: 'rejected', ms: 0 }))
    expect(standings(run)).toEqual(['rejected'])
    expect(run.calls[0]).not.toHaveProperty('ms')
  })

  it('does not go back to “starting” when it is resumed', () => {
    expect(viewAfter(call('pending', 1), status('pending'), status('starting')).standing).toBe('waiting')
  })

  it('lets the result have the last word on calls and lines', () => {
    const run = afterResult(
      viewAfter(status('running'), call('start', 1), { type: 'log', runId: 'r', level: 'log', text: 'early', at: 0 }),
      {
        status: 'error',
        error: { name: 'E', message: 'E: no' },
        runId: 'r',
        logs: [],
        calls: [
          {
            callId: 'c1',
            seq: 1,
            fn: 'orders.cancel',
            input: { id: 1 },
            state: 'error',
            ms: 4,
            error: { name: 'E', message: 'no' },
          },
          { callId: 'c2', seq: 2, fn: 'orders.cancel', input: { id: 2 }, state: 'pending', ms: 0 },
        ],
        timings: { boot: 0, run: 0, waiting: 0, host: 0, total: 0 },
      },
      99,
    )
    expect(standings(run)).toEqual(['error', 'cancelled'])
    expect(run.calls[0]).toMatchObject({ at: 10, ms: 4, error: { message: 'no' } })
    expect(run.logs).toEqual([])
    expect(isOver(run)).toBe(true)
  })

  it('does not say of a call that had begun and was cut off that it has not run', () => {
    const cutOff = { fn: 'orders.cancel', state: 'cancelled' as const, ms: 0 }
    const run = afterResult(
      viewAfter(status('running'), call('start', 1), call('pending', 2)),
      {
        status: 'aborted',
        error: { name: 'AbortError', message: 'stopped' },
        runId: 'r',
        logs: [],
        calls: [
          { ...cutOff, callId: 'c1', seq: 1, input: { id: 1 } },
          { ...cutOff, callId: 'c2', seq: 2, input: { id: 2 } },
        ],
        timings: { boot: 0, run: 0, waiting: 0, host: 0, total: 0 },
      },
      99,
    )
    expect(standings(run)).toEqual(['unknown', 'cancelled'])
  })

  it('keeps what the person was asked about and the program did not come to', () => {
    const run = afterResult(
      viewAfter(status('running'), call('pending', 1), call('pending', 2), call('start', 3)),
      {
        status: 'ok',
        value: undefined,
        runId: 'r',
        logs: [],
        calls: [{ callId: 'c1', seq: 1, fn: 'orders.cancel', input: { id: 1 }, state: 'rejected', ms: 0 }],
        timings: { boot: 0, run: 0, waiting: 0, host: 0, total: 0 },
      },
      99,
    )
    expect(run.calls.map(({ callId, standing }) => [callId, standing])).toEqual([
      ['c1', 'rejected'],
      ['c2', 'cancelled'], // approved or not, it has not run
    ])
  })

  it.each([
    ['starting', false],
    ['running', false],
    ['waiting', false],
    ['ok', true],
    ['limit', true],
    ['aborted', true],
  ] as const)('%s is over: %s', (standing, over) => {
    expect(isOver({ ...newRunView(''), standing })).toBe(over)
  })
})
