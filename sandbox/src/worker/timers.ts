// Functions of the program that the engine calls: timers, microtasks, listeners
// of signals. What they throw is caught here: one engine hides the text of an
// error that leaves a blob's script.

import { apply, copied, define } from '../shared/intrinsics.js'
import { pass } from './state.js'

let report: (thrown: unknown) => void
/** One guard for each callback: a listener is known by its identity. */
const guards = new WeakMap<object, object>()
const guardedBy = new WeakMap<object, object>()
const guardOf = copied(WeakMap<object, object>, 'get')
const setGuard = copied(WeakMap<object, object>, 'set')

/** The callback, or the object with a `handleEvent`, as the engine is to call it; anything else as it is. */
export const guarded = (callback: unknown): unknown => {
  const listener = typeof callback === 'object' && callback !== null
  if (!listener && typeof callback !== 'function') return callback
  const known = guardOf(guards, callback as object)
  if (known) return known
  const guard = function (this: unknown) {
    try {
      if (listener) apply((callback as { handleEvent: () => void }).handleEvent, callback, arguments)
      else apply(callback as () => void, this, arguments)
    } catch (error) {
      report(error)
    }
  }
  setGuard(guards, callback as object, guard)
  setGuard(guardedBy, guard, callback as object)
  return guard
}

/** The callback that a guard calls; anything else as it is. */
export const unguarded = (guard: unknown): unknown => guardOf(guardedBy, guard as object) ?? guard

/** Puts the three schedulers on the global object again, reporting what callbacks throw. */
export const watchTimers = (tell: (thrown: unknown) => void): void => {
  report = tell
  const scope = globalThis as unknown as Record<string, unknown>
  for (const name of ['setTimeout', 'setInterval', 'queueMicrotask']) {
    const native = scope[name] as (...given: unknown[]) => unknown
    const scheduler = {
      [name](callback: unknown) {
        if (typeof callback === 'function') arguments[0] = guarded(callback)
        pass.timers ||= name !== 'queueMicrotask'
        return apply(native, undefined, arguments)
      },
    }[name]
    define(scope, name, scheduler, true)
  }
}
