// What all passes of a run share.

import type { Limits } from '../shared/limits.js'
import type { Seeds } from '../shared/protocol.js'
import type { Functions } from './functions.js'
import type { RunEvent } from './result.js'

export type Mode = 'deny' | 'pause' | 'collect'

/** What is asked of a person in pause mode. */
export interface ApprovalRequest {
  callId: string
  seq: number
  fn: string
  input: unknown
  title?: string
  line?: number
  /** Fires when the run ends: the answer has no effect any more. */
  signal: AbortSignal
}

/** What all passes of a run share. */
export interface Program {
  runId: string
  code: string
  given: boolean
  input: unknown
  seeds: Seeds | null
  functions: Functions
  limits: Limits
  mode: Mode
  onApproval?: ((request: ApprovalRequest) => unknown) | undefined
  /** Ends the run when it fires; a resume may bring another. */
  signal?: AbortSignal | undefined
  /** Whether anybody listens to events. */
  heard: boolean
  emit: (event: RunEvent) => void
  /** Highest seq given to a call in any pass. */
  lastSeq: number
}
