import type { PendingResult, Result, RunEvent, Sandbox } from '@faustine-ai/browser-sandbox'
import type { Definition, Operations } from '../bridge/operations'
import { functionsOf } from './functions'
import { tellEnd, untilOver } from './untilOver'

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

/** Hears of what happens in a run and around it. */
export interface RunWatcher {
  event(event: RunEvent): void
  /** These calls are put before the person. */
  waiting(pending: PendingResult['pending']): void
  /** What went wrong around the run without changing its result. */
  notice(text: string): void
}

/**
 * Runs one program to its end, in collect mode:
 *
 * 1. As soon as the run has its id, Go logs that it began. If Go cannot, the
 *    run is stopped and says why; its calls have waited for this.
 * 2. Whenever calls wait, Go has the person decide them and the run goes on
 *    with Go's verdicts. What Go did not approve by name is rejected.
 * 3. Go is told how it ended.
 *
 * Rejects only when the sandbox refuses the run as such.
 */
export const runProgram = async (
  { sandbox, operations, definitions }: RunHost,
  program: Program,
  signal: AbortSignal,
  on: RunWatcher,
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
  const first = await sandbox.run({
    code: program.code,
    functions,
    approval: { mode: 'collect' },
    signal: stop,
    onEvent,
  })
  // Go decides nothing for a run that has not begun, and beginning waits for the log.
  await begun?.catch(() => {})
  const result = await untilOver(operations, first, stop, on)
  if (refusal) return notBegun(result, refusal)
  await begun?.catch(() => {})
  if (refusal) return notBegun(result, refusal)
  await tellEnd(operations, result, on)
  return result
}

/** A run that Go did not let begin. None of its calls has run. */
const notBegun = ({ runId, logs, calls, timings }: Result, { name, message }: Error): FinalResult => ({
  status: 'error',
  error: { name, message: `The run could not begin: ${message}` },
  runId,
  logs,
  calls,
  timings,
})
