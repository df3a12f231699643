import { type CallRecord, toToolOutput } from '@faustine-ai/browser-sandbox'
import type { KeptRun } from '../bridge/operations'
import { decode } from '../value/decode'
import { askGo, decisionsOf } from './askGo'
import { functionsOf } from './functions'
import { type Ended, type FinalResult, type RunHost, type RunWatcher, tellEnd } from './runProgram'

/** A waiting run, read and ready to be opened. */
export interface Reopened {
  runId: string
  code: string
  calls: { callId: string; seq: number; fn: string; input: unknown }[]
  /** What the sandbox resumes from. */
  continuation: unknown
}

/** Throws where what was kept cannot be read. */
export const readKept = ({ runId, code, rows, continuation }: KeptRun): Reopened => ({
  runId,
  code,
  calls: rows.map((row) => ({ ...row, input: decode(row.input) })),
  continuation: decode(continuation, 'continuation'),
})

/**
 * Opens the card of a waiting run and goes on with it in a fresh sandbox:
 *
 * 1. Go shows the calls that it kept, and gives its verdicts. Until then nothing
 *    has changed; a run that Go refuses to open still waits.
 * 2. The sandbox replays the program, proves that it does what was shown, and
 *    makes the approved calls, which Go lets through once.
 * 3. From there on it is a run like any other.
 *
 * Rejects when Go refuses to open it, or the sandbox refuses the continuation;
 * none of its calls has run then.
 */
export const resumeRun = async (
  { sandbox, operations, definitions }: RunHost,
  { runId, calls, continuation }: Reopened,
  signal: AbortSignal,
  on: RunWatcher,
): Promise<Ended> => {
  const end = async (result: FinalResult): Promise<Ended> => {
    await tellEnd(operations, result, on)
    return { result, output: toToolOutput(result) }
  }
  on.waiting(calls)
  try {
    const verdicts = await operations.waitingDecide(runId, signal)
    let result = await sandbox.resume(continuation, {
      functions: functionsOf(definitions(), operations, () => Promise.resolve()),
      decisions: decisionsOf(
        verdicts,
        calls.map(({ callId }) => callId),
      ),
      signal,
      onEvent: on.event,
    })
    while (result.status === 'pending') {
      const { pending } = result
      on.waiting(pending)
      // Stopped while the card is open: the core knows what had run by then.
      const decisions = await askGo(operations, result, pending, signal, on.notice).catch(() => undefined)
      result = await result.resume(decisions ?? { all: 'reject' }, { signal })
    }
    return await end(result)
  } catch (failure) {
    const { name, message } = failure instanceof Error ? failure : new Error(String(failure))
    const common = { runId, logs: [], calls: calls.map(cancelled), timings: noTime }
    if (signal.aborted) {
      on.event({ type: 'status', status: 'aborted', runId })
      return await end({ status: 'aborted', error: { name: 'AbortError', message }, ...common })
    }
    // A run that Go did not open is not on, and there is nothing to end.
    await operations.runEnd({ runId, status: 'error', error: { name, message } }).catch(() => {})
    throw failure
  }
}

const noTime = { boot: 0, run: 0, waiting: 0, host: 0, total: 0 }
const cancelled = (call: Reopened['calls'][number]): CallRecord => ({ ...call, state: 'cancelled', ms: 0 })
