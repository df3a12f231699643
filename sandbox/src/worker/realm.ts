// Leaves the program a bare language: every property of the global object and
// of its whole prototype chain that is not on the list is deleted before any
// model text is compiled. What the engine does not let go is reported, and the
// page refuses to run.

import {
  apply,
  branded,
  bufferSlice,
  bytesOf,
  clone,
  create,
  define,
  defineProperty,
  freeze,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  isView,
  mapDelete,
  mapGet,
  mapSet,
  mapSize,
  NativeError,
  NativeMap,
  NativePromise,
  NativeSet,
  NativeUint8Array,
  objectPrototype,
  ownKeys,
  setHas,
  slice,
  uncurry,
  viewPart,
} from '../shared/intrinsics.js'
import type { ToWorker } from '../shared/protocol.js'
import { holdsPending, type Measure, measure } from '../shared/value.js'
import { become, nothing } from './calls.js'
import { send } from './channel.js'
import { sources } from './clock.js'
import { called, expect, type Firing } from './order.js'
import { isPending } from './pending.js'
import { shown } from './shown.js'
import { cut, pass } from './state.js'
import { guarded, unguarded } from './timers.js'

/** The ECMAScript globals, without WebAssembly (one engine cannot stop a wasm loop), SharedArrayBuffer and Atomics (a blocking wait). */
const language =
  'Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Date Promise RegExp Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError SuppressedError JSON Math Intl ArrayBuffer Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float16Array Float32Array Float64Array BigInt64Array BigUint64Array DataView Map Set WeakMap WeakSet WeakRef FinalizationRegistry BigInt Iterator Proxy Reflect Temporal DisposableStack AsyncDisposableStack decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape eval isFinite isNaN globalThis'

/** Pure helpers of the platform that stay as they are. */
const helpers =
  'self atob btoa TextEncoder TextDecoder URL URLSearchParams Blob File AbortController AbortSignal DOMException queueMicrotask setTimeout clearTimeout setInterval clearInterval'

/** Constants that Chromium does not let go. */
const stuck = 'TEMPORARY PERSISTENT'

const scope = globalThis as unknown as Record<string, unknown>

const show = (object: object, key: string, value: unknown, enumerable = false) => define(object, key, value, enumerable)

/**
 * `AbortSignal` gets listener methods of its own, which refuse any other
 * receiver: the shared ones are deleted with the chain.
 */
const keepAbortSignal = () => {
  const signal = AbortSignal.prototype
  const aborted = uncurry(getOwnPropertyDescriptor(signal, 'aborted')?.get as () => boolean)
  for (const key of ['addEventListener', 'removeEventListener', 'dispatchEvent'] as const) {
    const native = EventTarget.prototype[key]
    show(
      signal,
      key,
      {
        method(this: AbortSignal) {
          aborted(this)
          if (key !== 'dispatchEvent' && arguments.length > 1) arguments[1] = guarded(arguments[1])
          return apply(native, this, arguments as never)
        },
      }.method,
    )
  }
  const { get, set } = getOwnPropertyDescriptor(signal, 'onabort') as PropertyDescriptor
  const getHandler = uncurry(get as (this: AbortSignal) => unknown)
  const setHandler = uncurry(set as (this: AbortSignal, handler: unknown) => void)
  defineProperty(signal, 'onabort', {
    get(this: AbortSignal) {
      return unguarded(getHandler(this))
    },
    set(this: AbortSignal, handler: unknown) {
      setHandler(this, typeof handler === 'function' ? guarded(handler) : handler)
    },
  })
  // Its events would tell the real time.
  delete (Event.prototype as { timeStamp?: number }).timeStamp
}

const scrub = (): string[] => {
  const allowed = new NativeSet<PropertyKey>(`${language} ${helpers} ${stuck}`.split(' '))
  const kept = create(null)
  for (const name of helpers.split(' ')) if (name in scope) kept[name] = scope[name]
  kept.self = globalThis
  const left: string[] = []
  for (let object: object | null = globalThis; object && object !== objectPrototype; object = getPrototypeOf(object)) {
    for (const key of ownKeys(object)) {
      // Helpers are put back on the global object itself, so that no prototype but Object.prototype matters.
      if (object === globalThis && setHas(allowed, key) && !(key in kept)) continue
      if (Reflect.deleteProperty(object, key)) continue
      if (Reflect.defineProperty(object, key, { value: undefined, writable: false })) continue
      if (!setHas(allowed, key)) left.push(String(key))
    }
  }
  for (const name of ownKeys(kept)) show(scope, name as string, kept[name as string])
  const url = URL as unknown as Record<string, unknown>
  delete url.createObjectURL
  delete url.revokeObjectURL
  return left
}

/** Digests that may be open at once; the page allows no more either. */
const digestsMax = 1_000
interface Waiting {
  firing: Firing
  resolve: (value: unknown) => void
  reject: (reason: unknown) => void
  site: Error
}
const digests = new NativeMap<number, Waiting>()
let digestCount = 0

/** Settles a digest that the page computed; false when no such one is open. */
export const digested = ({ id, ok, value }: Extract<ToWorker, { type: 'digested' }>): boolean => {
  const waiting = mapGet(digests, id) as Waiting | undefined
  if (!waiting) return false
  mapDelete(digests, id)
  called(waiting.firing, () => {
    if (ok) waiting.resolve(value)
    else waiting.reject(become(waiting.site, 'NotSupportedError', `${value}`))
  })
  return true
}

const digest = (algorithm: unknown, data: unknown): Promise<unknown> => {
  if (pass.over) return nothing()
  const site = new NativeError()
  return new NativePromise((resolve, reject) => {
    try {
      if (isPending(algorithm) || isPending(data)) cut()
      const name =
        typeof algorithm === 'object' && algorithm !== null ? (algorithm as { name: unknown }).name : algorithm
      if (isPending(name)) cut()
      const text = `${name as string}`
      let bytes: ArrayBuffer
      if (isView(data)) {
        const offset = viewPart(data, 'byteOffset') as number
        bytes = bufferSlice(
          viewPart(data, 'buffer') as ArrayBuffer,
          offset,
          offset + (viewPart(data, 'byteLength') as number),
        )
      } else if (branded(bytesOf, data)) bytes = bufferSlice(data as ArrayBuffer, 0)
      else
        throw become(
          site,
          'TypeError',
          'crypto.subtle.digest takes the name of a hash and an ArrayBuffer or a view of one',
        )
      if (pass.over) return
      if (mapSize(digests) >= digestsMax)
        throw become(site, 'QuotaExceededError', `At most ${digestsMax} digests at once: await some of them first.`)
      const id = ++digestCount
      mapSet(digests, id, { resolve, reject, site, firing: expect() })
      send({ type: 'digest', id, algorithm: slice(text, 0, 100), data: bytes }, [bytes])
    } catch (error) {
      if (!pass.over) reject(error)
    }
  })
}

const uuid = (): string => {
  const bytes = sources.randomValues(new NativeUint8Array(16)) as Uint8Array
  let text = ''
  for (let i = 0; i < 16; i++) {
    let byte = bytes[i] as number
    if (i === 6) byte = (byte & 15) | 64
    if (i === 8) byte = (byte & 63) | 128
    text += (i === 4 || i === 6 || i === 8 || i === 10 ? '-' : '') + hex[byte >> 4] + hex[byte & 15]
  }
  return text
}
const hex = '0123456789abcdef'

const look = (value: unknown): Measure | undefined => {
  try {
    return measure(value, '', isPending, undefined, true)
  } catch (error) {
    if (error === holdsPending) cut()
    // A trap of a proxy threw, which the engine refuses without a look.
    return undefined
  }
}

/** structuredClone that looks for pending values first: the native one runs no trap of theirs. */
const structuredClone = {
  structuredClone(value: unknown) {
    if (look(value)?.accessors) {
      arguments[0] = shown(value, '', Number.POSITIVE_INFINITY)
      look(arguments[0])
    }
    return apply(clone, undefined, arguments as never)
  },
}.structuredClone

const method = <T extends object>(holder: T) => freeze(holder)

/** Deletes what is not on the list; returns the names that the engine kept all the same. */
export const harden = (): string[] => {
  keepAbortSignal()
  const left = scrub()
  show(scope, 'structuredClone', structuredClone)
  show(
    scope,
    'crypto',
    method({
      getRandomValues: (array: unknown) => sources.randomValues(array),
      randomUUID: () => uuid(),
      subtle: method({ digest: (algorithm: unknown, data: unknown) => digest(algorithm, data) }),
    }),
  )
  show(scope, 'performance', method({ now: () => sources.elapsed() }))
  // V8 would hand every stack of the harness to a hook of the program.
  if ('captureStackTrace' in Error)
    Object.defineProperty(Error, 'prepareStackTrace', { value: undefined, writable: false, configurable: false })
  return left
}
