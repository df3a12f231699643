// Runs the host's functions: at most `inFlight` at once, each on its own copy of
// the call's snapshot; what it gives or throws becomes a snapshot too.

import type { Thrown } from '../shared/protocol.js'
import { copyOf, Refusal, type Snapshot, snapshot } from '../shared/value.js'
import type { Entry } from './journal.js'
import { jsonText } from './json.js'
import type { Program } from './program.js'

/** What the host's own error, or a getter of it, gives as text, or nothing where that throws. */
const textOf = (read: () => unknown): string => {
  try {
    return String(read())
  } catch {
    return ''
  }
}

const thrownBy = (error: unknown, fn: string): Thrown => {
  if (error instanceof Error) {
    const cause = Object.hasOwn(error, 'cause') ? textOf(() => jsonText(error.cause)) : null
    return { error: true, name: textOf(() => error.name) || 'Error', message: textOf(() => error.message), cause }
  }
  const label = `what ${fn} threw`
  try {
    return { error: false, value: snapshot(error, label).value }
  } catch (why) {
    return uncloneable(why, label)
  }
}

/** `why`: a Refusal, or what a getter threw. */
const uncloneable = (why: unknown, label: string): Thrown => ({
  error: true,
  name: 'DataCloneError',
  message:
    why instanceof Refusal
      ? `${why.text}, which cannot cross to the program.`
      : `${label} cannot be read: ${textOf(() => why)}`,
  cause: null,
})

/** What a pass wants to know of the calls that run. */
export interface Execution {
  started(entry: Entry): void
  /** The value, or a Thrown; how long it took is in the entry. */
  done(entry: Entry, state: 'ok' | 'error', value: unknown): void
}

export interface Executor {
  /** Whether no call runs or waits for its turn. */
  idle(): boolean
  /** Whether this call runs or waits for its turn. */
  has(entry: Entry): boolean
  run(entry: Entry): void
}

/** `signal` fires when the pass ends: what settles later counts for nothing. */
export const makeExecutor = ({ functions, limits, runId }: Program, signal: AbortSignal, pass: Execution): Executor => {
  const executing = new Set<Entry>()
  const queue: Entry[] = []

  const run = (entry: Entry): void => {
    if (executing.size >= limits.inFlight) {
      queue.push(entry)
      return
    }
    executing.add(entry)
    pass.started(entry)
    const { callId, seq, fn, input } = entry
    const start = performance.now()
    const done = (state: 'ok' | 'error', value: unknown) => {
      if (signal.aborted) return
      entry.ms = performance.now() - start
      executing.delete(entry)
      const next = queue.shift()
      if (next) run(next)
      pass.done(entry, state, value)
    }
    const failed = (error: unknown) => {
      const thrown = thrownBy(error, fn)
      if (!thrown.error) entry.errors = true
      done('error', thrown)
    }
    const ok = (value: unknown) => {
      const label = `what ${fn} returned`
      let own: Snapshot
      try {
        own = snapshot(value, label)
      } catch (why) {
        return done('error', uncloneable(why, label))
      }
      if (own.errors) entry.errors = true
      entry.bytes = own.bytes
      if (own.buffers.length) entry.buffers = true
      done('ok', own.value)
    }
    try {
      const given = copyOf(input)
      Promise.resolve(functions[fn]?.call(given, { signal, runId, callId, seq, fn })).then(ok, failed)
    } catch (error) {
      // Not at once: the program sees every outcome later than its call.
      Promise.resolve().then(() => failed(error))
    }
  }
  return {
    idle: () => !executing.size && !queue.length,
    has: (entry) => executing.has(entry) || queue.includes(entry),
    run,
  }
}
