import { decode } from '../value/decode'
import { encode } from '../value/encode'
import type { Tagged } from '../value/tagged'
import { isOver, type RunView } from './runView'

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

/** An interrupted run with what the log knows of it. */
export const withTheLog = (
  view: RunView,
  { ending, outcomes }: { ending?: string; outcomes: ReadonlyMap<string, string> },
): RunView => ({
  ...view,
  ...(ending === undefined ? {} : { ending }),
  calls: view.calls.map((call) => {
    const outcome = outcomes.get(call.callId)
    return call.standing === 'unknown' && (outcome === 'ok' || outcome === 'error')
      ? { ...call, standing: outcome }
      : call
  }),
})

/** A run as it was kept. One that was on when the page went is shown as interrupted. */
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
      call.standing === 'running'
        ? { ...call, standing: 'unknown' }
        : call.standing === 'waiting'
          ? { ...call, standing: 'cancelled' }
          : call,
    ),
  }
}
