import type { PendingResult, Result, RunEvent, Sandbox } from '@faustine-ai/browser-sandbox'
import type { Definition, Operations, Row, Verdicts } from '../bridge/operations'
import { encode } from '../value/encode'
import { functionsOf } from './functions'

/** What a program needs to run. */
export interface RunHost {
  sandbox: Sandbox
  operations: Operations
  definitions: Definition[]
}

export interface Program {
  code: string
  /** What the person asked, as they wrote it. */
  request: string
  /** Who wrote the program. */
  model: string
}

/** A result that nothing waits for any more. */
export type FinalResult = Exclude<Result, PendingResult>

/**
 * Runs one program to its end, in collect mode:
 *
 * 1. As soon as the run has its id, Go logs that it began. If Go cannot, the
 *    run is stopped and says why; its calls have waited for this.
 * 2. Whenever calls wait, Go has the person decide them and the run goes on
 *    with Go's verdicts. What Go did not approve by name is rejected.
 * 3. Go is told how it ended.
 *
 * `onWaiting` hears of the calls that are put before the person, `onNotice` of
 * what went wrong around the run without changing its result. Rejects only when
 * the sandbox refuses the run as such.
 */
export const runProgram = async (
  { sandbox, operations, definitions }: RunHost,
  program: Program,
  signal: AbortSignal,
  on: { event(event: RunEvent): void; waiting(pending: PendingResult['pending']): void; notice(text: string): void },
): Promise<FinalResult> => {
  const failedToBegin = new AbortController()
  const stop = AbortSignal.any([signal, failedToBegin.signal])
  let begun: Promise<void> | undefined
  let refusal: Error | undefined
  const begin = (runId: string): Promise<void> => {
    begun ??= operations.runBegin({ runId, ...program }).catch((error: Error) => {
      refusal = error
      failedToBegin.abort(error)
      throw error
    })
    begun.catch(() => {}) // a run without calls never asks for it
    return begun
  }

  const functions = functionsOf(
    definitions,
    operations,
    () => begun ?? Promise.reject(new Error('the run has no id yet')),
  )
  const onEvent = (event: RunEvent): void => {
    if (event.type === 'status') void begin(event.runId).catch(() => {})
    on.event(event)
  }
  let result = await sandbox.run({
    code: program.code,
    functions,
    approval: { mode: 'collect' },
    signal: stop,
    onEvent,
  })
  while (result.status === 'pending') {
    on.waiting(result.pending)
    const verdicts = await decide(operations, result, stop, on.notice)
    if (verdicts === 'aborted') {
      result = abortedWhileWaiting(result, stop.reason)
      on.event({ type: 'status', status: 'aborted', runId: result.runId })
      break
    }
    result = await result.resume(verdicts, { signal: stop })
  }
  if (refusal) return notBegun(result, refusal)
  await begun?.catch(() => {})
  if (refusal) return notBegun(result, refusal)
  const error = 'error' in result ? { name: result.error.name, message: result.error.message } : undefined
  await operations
    .runEnd({ runId: result.runId, status: result.status, ...(error ? { error } : {}) })
    .catch((failure: Error) => on.notice(`The end of this run could not be logged: ${failure.message}`))
  return result
}

/** Asks Go for verdicts on everything that waits. */
const decide = async (
  operations: Operations,
  { runId, pending }: PendingResult,
  signal: AbortSignal,
  notice: (text: string) => void,
): Promise<Verdicts | 'aborted'> => {
  const ids = pending.map(({ callId }) => callId)
  try {
    const rows: Row[] = await Promise.all(
      pending.map(async ({ callId, seq, fn, input, line }) => ({
        callId,
        seq,
        fn,
        input: await encode(input),
        ...(line === undefined ? {} : { line }),
      })),
    )
    const { approve, reasons } = await operations.decide(runId, rows, signal)
    const approved = ids.filter((id) => approve.includes(id))
    const rejected = ids.filter((id) => !approve.includes(id))
    return {
      approve: approved,
      reject: rejected,
      reasons: Object.fromEntries(Object.entries(reasons).filter(([id]) => rejected.includes(id))),
    }
  } catch (error) {
    if (signal.aborted) return 'aborted'
    const why = error instanceof Error ? error.message : String(error)
    notice(`Nobody could be asked, so nothing was approved: ${why}`)
    return { approve: [], reject: ids, reasons: Object.fromEntries(ids.map((id) => [id, why])) }
  }
}

/** The person stopped while the card was open: what waited is void. */
const abortedWhileWaiting = ({ runId, logs, calls, timings }: PendingResult, reason: unknown): FinalResult => ({
  status: 'aborted',
  error: { name: 'AbortError', message: reason instanceof Error ? reason.message : 'The run was stopped.' },
  runId,
  logs,
  calls: calls.map((call) => (call.state === 'pending' ? { ...call, state: 'cancelled' } : call)),
  timings,
})

/** A run that Go did not let begin. None of its calls has run. */
const notBegun = ({ runId, logs, calls, timings }: Result, { name, message }: Error): FinalResult => ({
  status: 'error',
  error: { name, message: `The run could not begin: ${message}` },
  runId,
  logs,
  calls,
  timings,
})
