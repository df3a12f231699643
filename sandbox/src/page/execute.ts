// Runs the host's functions: at most `inFlight` at once, each on its own copy of
// the call's snapshot; what it gives or throws becomes a snapshot too.

import type { Thrown } from '../shared/protocol.js'
import { print } from '../shared/text.js'
import { Refusal, type Snapshot, snapshot } from '../shared/value.js'
import type { Entry } from './journal.js'
import type { Program } from './program.js'

const thrownBy = (error: unknown, fn: string): Thrown => {
  if (error instanceof Error) {
    const text = (key: 'name' | 'message') => {
      try {
        return String(error[key])
      } catch {
        return ''
      }
    }
    return { error: true, name: text('name') || 'Error', message: text('message'), cause: causeOf(error) }
  }
  try {
    return { error: false, value: snapshot(error, `what ${fn} threw`).value }
  } catch (refusal) {
    return uncloneable(refusal)
  }
}
const causeOf = (error: Error): string | null => {
  try {
    return Object.hasOwn(error, 'cause') ? print(error.cause, causeRoom) : null
  } catch {
    return null
  }
}
/** Longest text of a cause, in characters. */
const causeRoom = 2_000

const uncloneable = (refusal: unknown): Thrown => ({
  error: true,
  name: 'DataCloneError',
  message: refusal instanceof Refusal ? `${refusal.text}, which cannot cross to the program.` : String(refusal),
  cause: null,
})

/** What a pass wants to know of the calls that run. */
export interface Execution {
  started(entry: Entry): void
  /** The value, or a Thrown; how long it took is in the entry. */
  done(entry: Entry, state: 'ok' | 'error', value: unknown): void
}

export class Executor {
  #program: Program
  #signal: AbortSignal
  #pass: Execution
  #executing = new Set<Entry>()
  #queue: Entry[] = []

  /** `signal` fires when the pass ends: what settles later counts for nothing. */
  constructor(program: Program, signal: AbortSignal, pass: Execution) {
    this.#program = program
    this.#signal = signal
    this.#pass = pass
  }

  get idle(): boolean {
    return !this.#executing.size && !this.#queue.length
  }

  has(entry: Entry): boolean {
    return this.#executing.has(entry) || this.#queue.includes(entry)
  }

  run(entry: Entry): void {
    const { functions, limits, runId } = this.#program
    if (this.#executing.size >= limits.inFlight) {
      this.#queue.push(entry)
      return
    }
    this.#executing.add(entry)
    this.#pass.started(entry)
    const { callId, seq, fn } = entry
    const start = performance.now()
    const done = (state: 'ok' | 'error', value: unknown) => {
      if (this.#signal.aborted) return
      entry.ms = performance.now() - start
      this.#executing.delete(entry)
      const next = this.#queue.shift()
      if (next) this.run(next)
      this.#pass.done(entry, state, value)
    }
    const ok = (value: unknown) => {
      let own: Snapshot
      try {
        own = snapshot(value, `what ${fn} returned`)
      } catch (error) {
        return done('error', error instanceof Refusal ? uncloneable(error) : thrownBy(error, fn))
      }
      if (own.errors) entry.errors = true
      done('ok', own.value)
    }
    const failed = (error: unknown) => {
      const thrown = thrownBy(error, fn)
      if (!thrown.error) entry.errors = true
      done('error', thrown)
    }
    try {
      const given = snapshot(entry.input, `the input of ${fn}`).value
      Promise.resolve(functions[fn]?.call(given, { signal: this.#signal, runId, callId, seq, fn })).then(ok, failed)
    } catch (error) {
      // Not at once: the program sees every outcome later than its call.
      Promise.resolve().then(() => failed(error))
    }
  }
}
