// The ways in which a run ends before its program did, as the result has them.

import { inputsFactor, type LimitName, type Limits } from '../shared/limits.js'
import { brief } from '../shared/text.js'
import type { AbortedResult, ErrorResult, LimitResult } from './result.js'

/** What ended a run early. */
export type Failure =
  | Pick<LimitResult, 'status' | 'error'>
  | Pick<ErrorResult, 'status' | 'error'>
  | Pick<AbortedResult, 'status' | 'error'>

/** What a run did too much of; % stands for the figure. Further calls than `inFlight` wait. */
const tooMuch: { [name in Exclude<LimitName, 'inFlight'>]: string } = {
  wallClockMs: 'The run took % ms',
  busyMs: 'The code ran % ms with no call in flight',
  calls: 'The program made % calls',
  sourceBytes: 'The program has % bytes',
  inputBytes: `The inputs of calls took % bytes, and all together may take ${inputsFactor} times as many as one`,
  outputBytes: 'The returned value takes % bytes',
  logLines: 'The program logged % lines',
  logBytes: 'The program logged % bytes',
}

/** A limit was met: what was exceeded, and by what figure. */
export const limited = (limits: Limits, limit: LimitName, figure: number): Failure => ({
  status: 'limit',
  error: {
    name: 'LimitExceeded',
    message: `${tooMuch[limit as keyof typeof tooMuch].replace('%', String(figure))} (limit ${limit}: ${limits[limit]}).`,
    limit,
  },
})

export const failed = (name: string, message: string, place?: { line: number }): Failure => ({
  status: 'error',
  error: { name, message: `${name}: ${message}`, ...place },
})

/** Frame or worker could not start, or did what no frame or worker does. */
export const unavailable = (reason: string): Failure => failed('SandboxUnavailable', reason)

/** A replay differs from what was recorded. */
export const mismatched = (message: string): Failure => failed('ReplayMismatch', message)

export const aborted = (reason: unknown): Failure => {
  const why = reason instanceof Error ? reason.message : brief(reason)
  return { status: 'aborted', error: { name: 'AbortError', message: `The run was aborted: ${why}` } }
}
