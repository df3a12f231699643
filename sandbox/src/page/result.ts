// What a run gives: the library's public types. Times are in milliseconds.

import type { LimitName, Limits } from '../shared/limits.js'
import type { LogLevel } from '../shared/protocol.js'

export type { LimitName, Limits, LogLevel }

export type Status = 'ok' | 'error' | 'limit' | 'aborted' | 'pending'
export type CallState = 'ok' | 'error' | 'pending' | 'rejected' | 'denied' | 'cancelled'

/** One line that the program logged; `at` is ms since 1970. */
export interface LogLine {
  level: LogLevel
  text: string
  at: number
}

/** One call, as the person should see it. */
export interface CallRecord {
  callId: string
  /** 1, 2, … in the order the program called */
  seq: number
  fn: string
  input: unknown
  state: CallState
  /** how long the function took; 0 for a call that did not run */
  ms: number
  value?: unknown
  error?: { name: string; message: string }
  /** false: still open when the program's body settled */
  awaited?: false
}

/** Sums over all passes of the run. `run` excludes `waiting`, the time people took. */
export interface Timings {
  boot: number
  run: number
  waiting: number
  host: number
  total: number
}

export interface ProgramError {
  name: string
  /** What a person or a model wants to read: “TypeError: x is not a function (line 3)”. */
  message: string
  /** Line of the program as it was given, from 1; absent where the engine does not tell it. */
  line?: number
  column?: number
  /** The program's frames only, “at line L:C”. */
  stack?: string
}

export interface LimitError {
  name: 'LimitExceeded'
  message: string
  limit: LimitName
}

/** A call that waits for a decision. */
export interface PendingCall {
  callId: string
  seq: number
  fn: string
  input: unknown
  title?: string
  line?: number
}

/** Every pending call is decided exactly once. */
export type Decisions =
  | { all: 'approve' | 'reject'; reasons?: Record<string, string> }
  | { approve?: readonly string[]; reject?: readonly string[]; reasons?: Record<string, string> }

interface Common {
  runId: string
  logs: LogLine[]
  calls: CallRecord[]
  timings: Timings
}

export interface OkResult extends Common {
  status: 'ok'
  value: unknown
}
export interface ErrorResult extends Common {
  status: 'error'
  error: ProgramError
}
export interface LimitResult extends Common {
  status: 'limit'
  error: LimitError
}
export interface AbortedResult extends Common {
  status: 'aborted'
  error: { name: string; message: string }
}
export interface PendingResult extends Common {
  status: 'pending'
  pending: PendingCall[]
  /** Goes on with a further pass; spent when that pass's approved calls may run. */
  resume(decisions: Decisions, options?: { signal?: AbortSignal }): Promise<Result>
  /** The same as a structured-cloneable value, for `sandbox.resume` in a new page. */
  continuation: unknown
}
export type Result = OkResult | ErrorResult | LimitResult | AbortedResult | PendingResult

export type RunEvent =
  | { type: 'status'; status: 'starting' | 'running' | 'waiting' | Status; runId: string }
  | {
      type: 'call'
      phase: 'start' | 'pending' | 'end'
      runId: string
      callId: string
      seq: number
      fn: string
      input: unknown
      state?: CallState
      ms?: number
    }
  | ({ type: 'log'; runId: string } & LogLine)
