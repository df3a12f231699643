// The worker's end of the channel. Everything is captured before the realm is
// hardened; afterwards the program cannot name, reach or patch any of it.

import { asToWorker } from '../shared/guards.js'
import { define, getter, uncurry } from '../shared/intrinsics.js'
import type { ToPage, ToWorker } from '../shared/protocol.js'

declare const self: DedicatedWorkerGlobalScope

const post = uncurry(self.postMessage as (this: unknown, message: unknown, transfer?: ArrayBuffer[]) => void)
const listen = uncurry(self.addEventListener as (this: unknown, type: string, listener: (event: Event) => void) => void)
const data = getter(MessageEvent.prototype, 'data') as (event: unknown) => unknown
const scope = self
const iterator = Symbol.iterator

/** A transfer list is read through its iterator, which a program may have patched on every array: give it its own. */
const ownIterator = (buffers: ArrayBuffer[]) => {
  define(buffers, iterator, () => {
    let i = 0
    return {
      __proto__: null,
      next: () =>
        i < buffers.length
          ? { __proto__: null, done: false, value: buffers[i++] }
          : { __proto__: null, done: true, value: undefined },
    }
  })
  return buffers
}

/** Sends one record to the page. Throws DataCloneError where a value does not cross. */
export const send = (record: ToPage, buffers: ArrayBuffer[] = none): void => {
  const message = { __proto__: null, record, buffers }
  if (buffers.length) post(scope, message, ownIterator(buffers))
  else post(scope, message)
}
const none: ArrayBuffer[] = []

/** Tells the page that it sent what no page sends. */
const broken = () => send({ type: 'broken' })

/** Calls `receive` with each record from the page; false says that it came out of order. Only the engine's own events count. */
export const onRecord = (receive: (record: ToWorker) => boolean): void => {
  listen(scope, 'message', (event) => {
    if (!event.isTrusted) return
    const record = asToWorker(data(event))
    if (!record || !receive(record)) broken()
  })
  listen(scope, 'messageerror', broken)
}

/** Calls `report` with what was thrown by a timer or left rejected without a handler. */
export const onStray = (report: (what: string, thrown: unknown) => void): void => {
  const error = getter(ErrorEvent.prototype, 'error') as (event: unknown) => unknown
  const reason = getter(PromiseRejectionEvent.prototype, 'reason') as (event: unknown) => unknown
  const message = getter(ErrorEvent.prototype, 'message') as (event: unknown) => unknown
  const prevent = uncurry(Event.prototype.preventDefault)
  listen(scope, 'error', (event) => {
    prevent(event)
    // WebKit gives the text of a timer's error alone.
    const thrown = error(event)
    report('Uncaught', thrown === null || thrown === undefined ? message(event) : thrown)
  })
  listen(scope, 'unhandledrejection', (event) => {
    prevent(event)
    report('Unhandled rejection', reason(event))
  })
}
