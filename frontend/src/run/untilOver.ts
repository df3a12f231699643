import type { Decisions, PendingResult, Result } from '@faustine-ai/browser-sandbox'
import { BridgeError } from '../bridge/bridgeError'
import type { Operations, Row, Verdicts } from '../bridge/operations'
import { encode } from '../value/encode'
import { maxContinuationBytes, type Tagged } from '../value/tagged'
import type { FinalResult, RunWatcher } from './runProgram'

/**
 * Has the person decide whenever calls wait, until nothing does any more. What
 * Go did not approve by name is rejected. Before a card shows, Go is given what
 * another page would need to go on.
 */
export const untilOver = async (
  operations: Operations,
  first: Result,
  signal: AbortSignal,
  on: RunWatcher,
): Promise<FinalResult> => {
  let result = first
  while (result.status === 'pending') {
    on.waiting(result.pending)
    const decisions = await decide(operations, result, signal, on.notice)
    if (decisions === 'aborted') {
      on.event({ type: 'status', status: 'aborted', runId: result.runId })
      return abortedWhileWaiting(result, signal.reason)
    }
    result = await result.resume(decisions, { signal })
  }
  return result
}

/** Tells Go how a run ended. */
export const tellEnd = async (operations: Operations, result: FinalResult, on: RunWatcher): Promise<void> => {
  const error = 'error' in result ? { name: result.error.name, message: result.error.message } : undefined
  await operations
    .runEnd({ runId: result.runId, status: result.status, ...(error ? { error } : {}) })
    .catch((failure: Error) => on.notice(`The end of this run could not be logged: ${failure.message}`))
}

/** Go's verdicts on these calls: what it did not approve by name is rejected. */
export const decisionsOf = ({ approve, reasons }: Verdicts, ids: string[]): Decisions => {
  const reject = ids.filter((id) => !approve.includes(id))
  return {
    approve: ids.filter((id) => approve.includes(id)),
    reject,
    reasons: Object.fromEntries(Object.entries(reasons).filter(([id]) => reject.includes(id))),
  }
}

/** Asks Go for verdicts on everything that waits. */
const decide = async (
  operations: Operations,
  result: PendingResult,
  signal: AbortSignal,
  notice: (text: string) => void,
): Promise<Decisions | 'aborted'> => {
  const ids = result.pending.map(({ callId }) => callId)
  const lost = (error: unknown): undefined =>
    void notice(`If the app closed now, this would not wait for you: ${textOf(error)}`)
  try {
    const rows: Row[] = await Promise.all(
      result.pending.map(async ({ callId, seq, fn, input, line }) => ({
        callId,
        seq,
        fn,
        input: await encode(input),
        ...(line === undefined ? {} : { line }),
      })),
    )
    const continuation: Tagged | undefined = await encode(
      result.continuation,
      'continuation',
      maxContinuationBytes,
    ).catch(lost)
    const verdicts = await operations.decide(result.runId, rows, signal, continuation).catch((error: unknown) => {
      if (!(error instanceof BridgeError) || error.code !== 'CannotWait') throw error
      lost(error)
      return operations.decide(result.runId, rows, signal)
    })
    return decisionsOf(verdicts, ids)
  } catch (error) {
    if (signal.aborted) return 'aborted'
    const why = textOf(error)
    notice(`Nobody could be asked, so nothing was approved: ${why}`)
    return { approve: [], reject: ids, reasons: Object.fromEntries(ids.map((id) => [id, why])) }
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The person stopped while the card was open: what waited is void. */
const abortedWhileWaiting = ({ runId, logs, calls, timings }: PendingResult, reason: unknown): FinalResult => ({
  status: 'aborted',
  error: { name: 'AbortError', message: reason instanceof Error ? reason.message : 'The run was stopped.' },
  runId,
  logs,
  calls: calls.map((call) => (call.state === 'pending' ? { ...call, state: 'cancelled' } : call)),
  timings,
})
