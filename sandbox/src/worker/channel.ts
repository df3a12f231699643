// The worker's end of the channel. Everything is captured before the realm is
// hardened; afterwards the program cannot name, reach or patch any of it.

import { asToWorker } from '../shared/guards.js'
import { define, getter, uncurry } from '../shared/intrinsics.js'
import { recordsMax, type ToPage, type ToWorker } from '../shared/protocol.js'
import { copyOf } from '../shared/value.js'
import { performanceNow as now } from './clock.js'

declare const self: DedicatedWorkerGlobalScope

const post = uncurry(self.postMessage as (this: unknown, message: unknown, transfer?: ArrayBuffer[]) => void)
export const listen = uncurry(
  self.addEventListener as (this: unknown, type: string, listener: (event: Event) => void) => void,
)
const data = getter(MessageEvent.prototype, 'data') as (event: unknown) => unknown
const stop = uncurry(Event.prototype.stopImmediatePropagation)
const scope = self
const microtask = self.queueMicrotask.bind(self)
const iterator = Symbol.iterator

/** A transfer list is read through its iterator, which a program may have patched on every array: give it its own. */
const ownIterator = (buffers: ArrayBuffer[]) => {
  define(buffers, iterator, () => {
    let i = 0
    return {
      __proto__: null,
      next() {
        const done = i === buffers.length
        return { __proto__: null, done, value: done || buffers[i++] }
      },
    }
  })
  return buffers
}

/** Calls that travel together. */
let held: ToPage[] = []
/** When something was sent last. */
let sentAt = 0
/** No call is held when nothing was sent for so long, in ms. */
const heldMs = 2
const tell = (records: ToPage[], buffers: ArrayBuffer[] = []) => {
  const message = { __proto__: null, records, buffers }
  sentAt = now()
  if (buffers.length) post(scope, message, ownIterator(buffers))
  else post(scope, message)
}
const flush = () => {
  const records = held
  held = []
  if (records.length) tell(records)
}

/** Sends one record to the page, behind those that are held. Throws DataCloneError where a value does not cross. */
export const send = (record: ToPage, buffers?: ArrayBuffer[]): void => {
  flush()
  tell([record], buffers)
}

/**
 * Sends a call; or holds it where the page could do nothing with it yet, since its outcome is what is taken next,
 * or more are open than may run (`waits`). It goes when all that came together is taken, or when the program waits.
 */
export const sendCall = (record: Extract<ToPage, { type: 'call' }>, buffers: ArrayBuffer[], waits: boolean): void => {
  const inHand = next < records.length && (records[next] as { id?: number }).id === record.id
  if (buffers.length || !(waits || inHand)) return send(record, buffers)
  // What is lent is only as it is until the program goes on.
  record.input = copyOf(record.input)
  define(held, held.length, record, true)
  // Behind a while of computing the page hears of a call at once: it watches how long nothing comes.
  if (held.length === recordsMax || now() - sentAt > heldMs) flush()
  else if (waits && held.length === 1) microtask(flush)
}

/** Tells the page that it sent what no page sends. */
const broken = () => send({ type: 'broken' })

/** What has come, and the place in it of what is taken next. */
let records: unknown[] = []
let next = 0

/**
 * Calls `receive` with each record from the page; false says that it came out of order. Only the engine's own
 * events count. A message holds many records, and each is taken by a listener of its own: between two of them
 * the engine runs every microtask, as between two messages, for a fifth of the price of one.
 */
export const onRecord = (receive: (record: ToWorker) => boolean): void => {
  for (let i = 0; i < recordsMax; i++) {
    listen(scope, 'message', (event) => {
      if (!event.isTrusted) return
      if (!i) {
        // Chromium gives null for what it could not read, and no messageerror.
        records = (data(event) ?? []) as unknown[]
        next = 0
      }
      const record = asToWorker(records[next])
      if (++next >= records.length) {
        stop(event)
        flush()
      }
      if (!record || !receive(record)) broken()
    })
  }
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
