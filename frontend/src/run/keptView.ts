import { decode } from '../value/decode'
import { encode } from '../value/encode'
import type { Tagged } from '../value/tagged'
import type { InTheLog, LoggedCall } from './inTheLog'
import { type CallStanding, type CallView, isOver, type RunView } from './runView'

/** Most bytes of one run that are kept with its conversation, as text. */
const most = 512 * 1024

/**
 * What is kept of a run with its conversation, so that it can be shown again: in
 * tagged form, since results hold what JSON does not. Where that is too large the
 * values are left out, and then all calls.
 */
export const keptOf = async (view: RunView): Promise<Tagged> => {
  // The result repeats the calls and lines of the view.
  const result = view.result && { ...view.result, calls: [], logs: [] }
  const whole = { ...view, result }
  const bare = {
    ...whole,
    shortened: true,
    result: result && (result.status === 'ok' ? { ...result, value: undefined } : result),
    calls: view.calls.map(({ value: _value, input: _input, ...call }) => call),
  }
  for (const form of [whole, bare]) {
    const kept = await encode(form, 'run', most).catch(() => undefined)
    if (kept !== undefined) return kept
  }
  return encode({ ...bare, calls: [], logs: view.logs.slice(-20) }, 'run', 2 * most)
}

/** What a call came to in the log, as a person reads it here; what was not started has not run. */
const standings: Record<LoggedCall['outcome'], CallStanding> = {
  ok: 'ok',
  error: 'error',
  rejected: 'rejected',
  refused: 'denied',
  waiting: 'cancelled',
  approved: 'cancelled',
  unknown: 'unknown',
}

/** Of a call that had started and was cut off, nobody knows what it came to, though it ended with an error. */
const standingIn = ({ outcome, failure }: Pick<LoggedCall, 'outcome' | 'failure'>): CallStanding =>
  outcome === 'error' && failure === 'Cancelled' ? 'unknown' : standings[outcome]

/**
 * An interrupted run with what the log knows of it: how each call ended that had no end here, and the
 * calls that were made after it was last kept, without their inputs.
 */
export const withTheLog = (view: RunView, { ending, calls }: InTheLog): RunView => {
  const logged = new Map(calls.map((call) => [call.callId, call]))
  const known = view.calls.map((call): CallView => {
    const found = logged.get(call.callId)
    logged.delete(call.callId)
    return call.standing === 'unknown' && found ? { ...call, standing: standingIn(found) } : call
  })
  const later = [...logged.values()].map(
    ({ callId, seq, fn, outcome, failure }): CallView => ({
      callId,
      seq,
      fn,
      input: undefined,
      standing: standingIn({ outcome, failure }),
      at: view.elapsed,
    }),
  )
  return {
    ...view,
    ...(ending === undefined ? {} : { ending }),
    ...(later.length > 0 ? { shortened: true } : {}),
    calls: [...known, ...later].sort((a, b) => a.seq - b.seq),
  }
}

/**
 * A run as it was kept. One that was on when the page went is shown as interrupted: what became of its calls
 * after that, and whether the person has decided on those that waited, is not known here.
 */
export const viewOf = (kept: unknown): RunView => {
  const view = decode(kept, 'run') as RunView
  const { result } = view
  const whole: RunView = {
    ...view,
    waits: view.waits ?? [],
    // What it says of calls and lines is in the view.
    ...(result ? { result: { ...result, calls: [], logs: [] } } : {}),
  }
  if (isOver(whole)) return whole
  return {
    ...whole,
    standing: 'interrupted',
    waits: whole.waits.map((wait) => ({ ...wait, to: wait.to ?? whole.elapsed })),
    calls: whole.calls.map((call) =>
      call.standing === 'running' || call.standing === 'waiting' ? { ...call, standing: 'unknown' } : call,
    ),
  }
}
