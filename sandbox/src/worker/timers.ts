// Timers and microtasks whose exceptions are caught here: one engine hides the
// text of an error that leaves a blob's script.

import { apply, define } from '../shared/intrinsics.js'

/** Puts the three schedulers on the global object again, reporting what their callbacks throw. */
export const watchTimers = (report: (thrown: unknown) => void): void => {
  const scope = globalThis as unknown as Record<string, unknown>
  for (const name of ['setTimeout', 'setInterval', 'queueMicrotask']) {
    const native = scope[name] as (...given: unknown[]) => unknown
    const scheduler = {
      [name](callback: unknown) {
        if (typeof callback === 'function') {
          arguments[0] = function (this: unknown) {
            try {
              apply(callback as () => void, this, arguments)
            } catch (error) {
              report(error)
            }
          }
        }
        return apply(native, undefined, arguments)
      },
    }[name]
    define(scope, name, scheduler, true)
  }
}
