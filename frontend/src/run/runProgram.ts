import {
  type Limits,
  type PendingResult,
  type Result,
  type RunEvent,
  type Sandbox,
  toToolOutput,
} from '@faustine-ai/browser-sandbox'
import { runCodeTool } from '@faustine-ai/browser-sandbox/ai'
import type { Definition, Operations } from '../bridge/operations'
import { type ApprovalMode, approvalOf } from './approval'
import { functionsOf } from './functions'

/** What a program needs to run. What can change is asked for when a run begins, which then keeps it. */
export interface RunHost {
  sandbox: Sandbox
  operations: Operations
  definitions: () => Definition[]
  /** `batch` when there is none. */
  approval?: () => ApprovalMode
  /** Those that are left out are the sandbox's own. */
  limits?: () => Partial<Limits>
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

/** How a run ended, and what the model may see of it. */
export interface Ended {
  result: FinalResult
  output: unknown
}

/**
 * Runs one program to its end with the tool of the library's AI SDK adapter:
 *
 * 1. As soon as the run has its id, Go logs that it began. If Go cannot, the
 *    run is stopped and says why; its calls have waited for this.
 * 2. Whenever calls wait, Go has the person decide them and the run goes on
 *    with Go's verdicts.
 * 3. Go is told how it ended.
 *
 * Rejects only when the sandbox refuses the run as such.
 */
export const runProgram = async (
  { sandbox, operations, definitions, approval = () => 'batch', limits = () => ({}) }: RunHost,
  toolCallId: string,
  program: Program,
  signal: AbortSignal,
  on: RunWatcher,
): Promise<Ended> => {
  const failedToBegin = new AbortController()
  const stop = AbortSignal.any([signal, failedToBegin.signal])
  let begun: Promise<string> | undefined
  let refusal: Error | undefined
  const begin = (runId: string): void => {
    begun ??= operations.runBegin({ runId, ...program }).then(
      () => runId,
      (error: Error) => {
        refusal = error
        failedToBegin.abort(error)
        throw error
      },
    )
    begun.catch(() => {}) // a run without calls never asks for it
  }
  const run = (): Promise<string> => begun ?? Promise.reject(new Error('the run has no id yet'))

  let ended: Result | undefined
  const tool = runCodeTool({
    sandbox,
    functions: functionsOf(definitions(), operations, async () => void (await run())),
    approval: approvalOf(approval(), operations, run, on),
    limits: limits(),
    onEvent: (event) => {
      if (event.type === 'status') begin(event.runId)
      on.event(event)
    },
    onResult: (result) => {
      ended = result
    },
  })
  const output = await tool.execute({ code: program.code }, { toolCallId, abortSignal: stop })
  // It ended before Go had logged that it began.
  await begun?.catch(() => {})
  const result = finalOf(ended)
  if (refusal) {
    const refused = notBegun(result, refusal)
    return { result: refused, output: toToolOutput(refused) }
  }
  await tellEnd(operations, result, on)
  return { result, output }
}

/** Tells Go how a run ended. */
export const tellEnd = async (operations: Operations, result: FinalResult, on: RunWatcher): Promise<void> => {
  const error = 'error' in result ? { name: result.error.name, message: result.error.message } : undefined
  await operations
    .runEnd({ runId: result.runId, status: result.status, ...(error ? { error } : {}) })
    .catch((failure: Error) =>
      on.notice(`The end of this run is not in the log yet; that is tried again: ${failure.message}`),
    )
}

const finalOf = (result: Result | undefined): FinalResult => {
  if (!result || result.status === 'pending') {
    throw new Error(`Expected a run that has ended, got ${result?.status ?? 'no result'}.`)
  }
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
