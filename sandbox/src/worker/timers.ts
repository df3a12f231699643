// Functions of the program that the engine calls: timers, microtasks, listeners
// of signals. What they throw is caught here: one engine hides the text of an
// error that leaves a blob's script.

import { apply, copied, define, uncurry } from '../shared/intrinsics.js'
import { listen } from './channel.js'
import { called, expect, forget } from './order.js'

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

const NativeAbortController = AbortController
const NativeDOMException = DOMException
const abort = copied(AbortController, 'abort')
const signalOf = copied(AbortController, 'signal')
const from = uncurry([].slice as (this: unknown, start: number) => never[])

/** Puts the schedulers on the global object again: they report what callbacks throw, and fire in their turn. */
export const watchTimers = (tell: (thrown: unknown) => void): void => {
  report = tell
  const scope = globalThis as unknown as Record<string, (...given: never[]) => unknown>
  const replace = (name: string, make: (native: (...given: never[]) => unknown) => Record<string, unknown>) =>
    define(scope, name, make(scope[name] as never)[name], true)
  replace('queueMicrotask', (native) => ({
    queueMicrotask(callback: unknown) {
      if (typeof callback === 'function') arguments[0] = guarded(callback)
      return apply(native, undefined, arguments as never)
    },
  }))
  for (const name of ['setTimeout', 'setInterval'])
    replace(name, (native) => ({
      [name](callback: unknown) {
        const rest = from(arguments, 2)
        const guard = guarded(callback) as () => void
        const own = typeof callback === 'function'
        const firing = expect(own ? () => apply(guard, scope, rest) : () => {}, name !== 'setTimeout')
        // Text is the engine's to compile.
        if (own) arguments[0] = () => called(firing)
        firing.native = apply(native, undefined, arguments as never)
        return firing.id
      },
    }))
  // One list: either clears what the other set.
  for (const name of ['clearTimeout', 'clearInterval'])
    replace(name, (native) => ({
      [name](id: unknown) {
        // A handle is a number, whatever it is given as.
        return native(forget(+(id as number))?.native as never)
      },
    }))
  const { timeout } = AbortSignal
  const signals = {
    timeout(_ms: unknown) {
      const own = new NativeAbortController()
      const native = apply(timeout, AbortSignal, arguments as never)
      const firing = expect(() => abort(own, new NativeDOMException('The operation timed out.', 'TimeoutError')))
      listen(native, 'abort', () => called(firing))
      return signalOf(own)
    },
  }
  define(AbortSignal, 'timeout', signals.timeout, true)
}
