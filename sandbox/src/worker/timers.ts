// Functions of the program that the engine calls: timers, microtasks, listeners
// of signals. What they throw is caught here: one engine hides the text of an
// error that leaves a blob's script.

import { apply, copied, define, keys, NativeSet, setAdd, setDelete, setSize } from '../shared/intrinsics.js'
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

/** What may still fire, by what the engine calls it. */
const timers = new NativeSet<unknown>()
/** Whether the program has a timer that may still fire. */
export const timersSet = (): boolean => setSize(timers) > 0

/** Puts the schedulers on the global object again: they report what callbacks throw, and know what may still fire. */
export const watchTimers = (tell: (thrown: unknown) => void): void => {
  report = tell
  const scope = globalThis as unknown as Record<string, unknown>
  const { queueMicrotask, setTimeout, setInterval, clearTimeout, clearInterval } = globalThis
  const { timeout } = AbortSignal
  const schedulers = {
    queueMicrotask(callback: unknown) {
      if (typeof callback === 'function') arguments[0] = guarded(callback)
      return apply(queueMicrotask, undefined, arguments as never)
    },
    setTimeout(callback: unknown) {
      let timer: unknown
      if (typeof callback === 'function') {
        const guard = guarded(callback) as () => void
        arguments[0] = function (this: unknown) {
          setDelete(timers, timer)
          apply(guard, this, arguments as never)
        }
      }
      pass.timers = true
      timer = apply(setTimeout, undefined, arguments as never)
      setAdd(timers, timer)
      return timer
    },
    setInterval(callback: unknown) {
      if (typeof callback === 'function') arguments[0] = guarded(callback)
      pass.timers = true
      const timer = apply(setInterval, undefined, arguments as never)
      setAdd(timers, timer)
      return timer
    },
    // One list: either clears what the other set.
    clearTimeout(timer: unknown) {
      setDelete(timers, timer)
      return apply(clearTimeout, undefined, arguments as never)
    },
    clearInterval(timer: unknown) {
      setDelete(timers, timer)
      return apply(clearInterval, undefined, arguments as never)
    },
  }
  for (const name of keys(schedulers)) define(scope, name, schedulers[name as keyof typeof schedulers], true)
  const signals = {
    timeout(_ms: unknown) {
      // Nobody sees when it fires.
      setAdd(timers, {})
      pass.timers = true
      return apply(timeout, AbortSignal, arguments as never)
    },
  }
  define(AbortSignal, 'timeout', signals.timeout, true)
}
