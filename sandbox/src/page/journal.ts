// The recorded calls of a run.

import type { Settled, Thrown } from '../shared/protocol.js'
import { jsonText } from './json.js'
import type { CallRecord, CallState } from './result.js'

/** One call as recorded: plain data, so that a continuation can carry it. */
export interface Entry {
  callId: string
  seq: number
  fn: string
  /** The one snapshot by which the call is judged, shown and executed. */
  input: unknown
  /** Line of the call in the program; 0 where the engine does not tell, or the function is not marked. */
  line: number
  state: CallState | 'open'
  ms: number
  /** What the program got; absent while open. */
  settled?: Settled
  /** The value, or a Thrown. */
  value?: unknown
  /** How many settlements the program had got when it made the call. */
  seen: number
  /** Place among the settlements of the pass, from 0. */
  order: number
  /** When it settled, ms since 1970: the program's clock moves to it. */
  at: number
  awaited?: false
  /** The outcome holds Errors, whose stacks are the page's. */
  errors?: true
  /** What the value takes, in bytes; only of a call that gave one. */
  bytes?: number
  /** The value holds buffers: it is copied once for the worker, and the copy is transferred. */
  buffers?: true
}

export const recordOf = (entry: Entry): CallRecord => {
  const { callId, seq, fn, input, ms, awaited, value } = entry
  const state = entry.state === 'open' ? 'cancelled' : entry.state
  const record: CallRecord = { callId, seq, fn, input, state, ms }
  if (state === 'ok') record.value = value
  else if (value) {
    const thrown = value as Thrown
    record.error = thrown.error
      ? { name: thrown.name, message: thrown.message }
      : { name: 'Error', message: jsonText(thrown.value) }
  }
  if (awaited === false) record.awaited = false
  return record
}
