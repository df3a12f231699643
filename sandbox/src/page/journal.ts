// The recorded calls of a run, and what a further pass does with them.

import type { Settled, Thrown } from '../shared/protocol.js'
import type { Verdict } from './decisions.js'
import type { CallRecord, CallState } from './result.js'
import { same } from './same.js'

/** One call as recorded: plain data, so that a continuation can carry it. */
export interface Entry {
  callId: string
  seq: number
  fn: string
  /** The one snapshot by which the call is judged, shown and executed. */
  input: unknown
  /** Line of the call in the program; 0 where the engine does not tell. */
  line: number
  state: CallState | 'open'
  ms: number
  /** What the program got; absent while open. */
  settled?: Settled
  /** The value, or a Thrown. */
  value?: unknown
  /** Place among the settlements of the pass, from 0. */
  order: number
  /** When it settled, ms since 1970: the program's clock moves to it. */
  at: number
  awaited?: false
  /** The outcome holds Errors, whose stacks are the page's. */
  errors?: true
}

export const recordOf = (entry: Entry): CallRecord => {
  const { callId, seq, fn, input, ms, awaited, value } = entry
  const state = entry.state === 'open' ? 'cancelled' : entry.state
  const record: CallRecord = { callId, seq, fn, input, state, ms }
  if (state === 'ok') record.value = value
  else if (state === 'error' || state === 'rejected' || state === 'denied') {
    const thrown = value as Thrown
    record.error = thrown.error
      ? { name: thrown.name, message: thrown.message }
      : { name: 'Error', message: String(thrown.value) }
  }
  if (awaited === false) record.awaited = false
  return record
}

/**
 * What the next call of a replaying program is in the journal. Until the
 * program is free the calls must be the recorded ones, in their order; then
 * each recorded call may still be used once, wherever it comes.
 */
export class Replay {
  #entries: readonly Entry[]
  #cut: boolean
  #used = new Set<Entry>()
  #next = 0
  #turn = 0
  #ready = new Map<number, () => void>()
  #released = false

  /** `cut`: the recorded pass was cut, so the program goes on behind its last call. */
  constructor(entries: readonly Entry[], cut: boolean) {
    this.#entries = entries
    this.#cut = cut
  }

  /**
   * The recorded entry for this call, undefined for a new call, or 'mismatch'.
   * `free`: the program had something thrown into it that was decided now.
   */
  match(fn: string, input: unknown, free: boolean): Entry | undefined | 'mismatch' {
    const equal = (entry: Entry) => entry.fn === fn && same(entry.input, input)
    if (free) {
      const entry = this.#entries.find((candidate) => !this.#used.has(candidate) && equal(candidate))
      if (entry) this.#used.add(entry)
      return entry
    }
    const entry = this.#entries[this.#next]
    if (!entry) return this.#cut ? undefined : 'mismatch'
    if (!equal(entry)) return 'mismatch'
    this.#next++
    this.#used.add(entry)
    return entry
  }

  /** The first recorded call that has not been made in its place. */
  get missing(): Entry | undefined {
    return this.#entries[this.#next]
  }

  get released(): boolean {
    return this.#released
  }

  get unused(): Entry[] {
    return this.#entries.filter((entry) => !this.#used.has(entry))
  }

  /** Settles in the recorded order: waits until everything recorded before has been settled. */
  inOrder(order: number, settle: () => void): void {
    if (this.#released) return settle()
    this.#ready.set(order, settle)
    for (let next = this.#ready.get(this.#turn); next; next = this.#ready.get(this.#turn)) {
      this.#ready.delete(this.#turn++)
      next()
      if (this.#released) break
    }
  }

  /** From now on outcomes settle as they come: the program may go its own way. */
  release(): void {
    if (this.#released) return
    this.#released = true
    for (const order of [...this.#ready.keys()].sort((a, b) => a - b)) this.#ready.get(order)?.()
    this.#ready.clear()
  }
}

/** Why a replay differs, for a person. */
export const mismatch = (expected: Entry | undefined, fn?: string): string => {
  const was = expected ? `sdk.${expected.fn} (call ${expected.seq})` : 'its end'
  const came = fn === undefined ? 'it ended' : `it called sdk.${fn}${fn === expected?.fn ? ' with another input' : ''}`
  return `The program did not repeat itself: where it had come to ${was}, ${came}. What was approved is not what it does now.`
}

/** What is decided for an entry in this resume, by callId. */
export type Verdicts = ReadonlyMap<string, Verdict>
