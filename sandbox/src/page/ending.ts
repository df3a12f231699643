// The ways in which a run ends before its program did, as the result has them.

import { inputsFactor, type LimitName, type Limits } from '../shared/limits.js'
import type { AbortedResult, ErrorResult, LimitResult } from './result.js'

/** What ended a run early. */
export type Failure =
  | Pick<LimitResult, 'status' | 'error'>
  | Pick<ErrorResult, 'status' | 'error'>
  | Pick<AbortedResult, 'status' | 'error'>

const tooMuch: { [name in LimitName]: (limit: number, figure: number) => string } = {
  wallClockMs: (limit) => `The run took longer than ${limit} ms`,
  busyMs: (limit) => `The code ran ${limit} ms with no call in flight`,
  calls: (limit) => `The program made more than ${limit} calls`,
  inFlight: (limit) => `More than ${limit} calls were in flight`,
  sourceBytes: (limit, figure) => `The program is ${figure} bytes long, and at most ${limit} are allowed`,
  inputBytes: (limit, figure) =>
    `The inputs of calls took ${figure} bytes, and at most ${limit} each (${inputsFactor} times that together) are allowed`,
  outputBytes: (limit, figure) => `The returned value takes ${figure} bytes, and at most ${limit} are allowed`,
  logLines: (limit) => `The program logged more than ${limit} lines`,
  logBytes: (limit) => `The program logged more than ${limit} bytes`,
}

/** A limit was met: what was exceeded, and by what figure. */
export const limited = (limits: Limits, limit: LimitName, figure: number): Failure => ({
  status: 'limit',
  error: {
    name: 'LimitExceeded',
    message: `${tooMuch[limit](limits[limit], figure)} (limit ${limit}: ${limits[limit]}).`,
    limit,
  },
})

const failed = (name: string, message: string): Failure => ({
  status: 'error',
  error: { name, message: `${name}: ${message}` },
})

/** Frame or worker could not start, or did what no frame or worker does. */
export const unavailable = (reason: string): Failure => failed('SandboxUnavailable', reason)

/** A replay differs from what was recorded. */
export const mismatched = (message: string): Failure => failed('ReplayMismatch', message)

export const aborted = (reason: unknown): Failure => {
  const text = reason instanceof Error ? reason.message : reason === undefined ? '' : String(reason)
  return { status: 'aborted', error: { name: 'AbortError', message: `The run was aborted${text ? `: ${text}` : '.'}` } }
}
