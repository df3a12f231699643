// Makes the one snapshot by which a value is sent, judged, shown and executed.
//
// 1. Inspect the value without running any of its getters: refuse by name and
//    path what does not cross, notice pending values, count what is sent.
// 2. Clone it natively, once: this reads each getter once, and refuses proxies.
// 3. Narrow the clone's views to their visible bytes, so that the rest of a
//    buffer never leaves, and collect the private buffers for transfer.

import {
  bigintText,
  bufferSlice,
  bytesOf,
  clone,
  construct,
  define,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  isView,
  keys,
  mapClear,
  mapEach,
  mapGet,
  mapHas,
  mapSet,
  NativeMap,
  NativePromise,
  NativeSet,
  objectPrototype,
  regexpTest,
  resizable,
  setAdd,
  setClear,
  setEach,
  setHas,
  typedName,
  viewPart,
} from './intrinsics.js'
import { blobSize, inChain, type Kind, kindOf } from './kind.js'

export interface Snapshot {
  value: unknown
  /** What is really sent: shared references once, strings by their storage, views as their visible bytes. */
  bytes: number
  /** Whether it holds Errors. */
  errors: boolean
  /** Buffers that belong to the snapshot alone and may be transferred. */
  buffers: ArrayBuffer[]
}

/** Why a value cannot cross; `text` names the path and the kind. */
export class Refusal {
  text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Thrown in place of a snapshot when the value holds a pending value. */
export const holdsPending = { __proto__: null }

interface Node {
  value: unknown
  key: string
  up: Node | undefined
  next: Node | undefined
}

const wide = /[^\0-\xff]/

/** Bytes that a string takes in an engine: one per unit while it is Latin-1, else two. */
export const stringBytes = (text: string): number => (regexpTest(wide, text) ? 2 : 1) * text.length

const pathOf = (node: Node): string => {
  let path = ''
  for (let n: Node | undefined = node; n; n = n.up) path = n.key + path
  return path
}

const arrayPrototype = Array.prototype
const promisePrototype = NativePromise.prototype

const viewTypes = new NativeMap<unknown, new (buffer: ArrayBuffer) => ArrayBufferView>()
for (const name of 'Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float16Array Float32Array Float64Array BigInt64Array BigUint64Array DataView'.split(
  ' ',
)) {
  const type = (globalThis as unknown as Record<string, new (buffer: ArrayBuffer) => ArrayBufferView>)[name]
  if (type) viewTypes.set(name, type)
}

/** The prototypes of what crosses, beside those of errors. */
const crossing = new NativeSet<unknown>([objectPrototype, null, arrayPrototype])
for (const type of [
  ...viewTypes.values(),
  ...[ArrayBuffer, Map, Set, Date, RegExp, Number, String, Boolean, BigInt, globalThis.Blob, globalThis.File],
])
  crossing.add(type?.prototype)

/** Why an object of this kind does not cross, or nothing. */
const refusal = (value: object, kind: Kind): string | undefined => {
  // An instance of a class that extends one of these is refused by name, like any other.
  if (kind === 'error' || (kind !== 'other' && setHas(crossing, getPrototypeOf(value)))) return undefined
  if (inChain(value, promisePrototype)) return 'a promise (an await is missing)'
  let name: unknown
  try {
    name = (value as { constructor: { name: unknown } }).constructor.name
  } catch {}
  return typeof name !== 'string' || !name || name === 'Object'
    ? 'an object with a prototype of its own'
    : `an instance of ${name}`
}

/** What an own property of an error takes, where it is a text. */
const textBytes = (error: object, key: string): number => {
  const text = getOwnPropertyDescriptor(error, key)?.value
  return typeof text === 'string' ? stringBytes(text) : 0
}

/**
 * Takes the snapshot of a value.
 * `label` begins every path in a refusal (“input”), `isPending` tells pending values,
 * and of what takes more than `most` bytes only the size is told.
 * Throws a Refusal, `holdsPending`, or what a getter of the value threw.
 */
export const snapshot = (
  root: unknown,
  label: string,
  isPending?: (value: unknown) => boolean,
  most = Number.POSITIVE_INFINITY,
): Snapshot => {
  const seen = new NativeSet<unknown>()
  let bytes = 0
  let accessors = false
  let views = false
  let errors = false
  let stack: Node | undefined = { value: root, key: label, up: undefined, next: undefined }
  let node = stack
  const refuse = (what: string): never => {
    throw new Refusal(`${pathOf(node)} is ${what}`)
  }
  const push = (value: unknown, key: string) => {
    stack = { value, key, up: node, next: stack }
  }
  const pushProperties = (value: object, array: boolean) => {
    const names = keys(value)
    for (let i = names.length - 1; i >= 0; i--) {
      const name = names[i] as string
      const property = getOwnPropertyDescriptor(value, name)
      if (!property) continue
      if (!array) bytes += 8 + stringBytes(name)
      if (hasOwn(property, 'value')) push(property.value, array ? `[${name}]` : `.${name}`)
      else accessors = true
    }
  }
  while (stack) {
    node = stack
    stack = node.next
    const value = node.value
    bytes += 8
    if (typeof value === 'string') bytes += stringBytes(value)
    else if (typeof value === 'bigint') bytes += (bigintText(value, 16).length >> 1) + 1
    else if (typeof value === 'symbol') refuse('a symbol')
    else if ((typeof value === 'object' && value) || typeof value === 'function') {
      if (isPending?.(value)) throw holdsPending
      if (typeof value === 'function') return refuse('a function')
      if (setHas(seen, value)) continue
      setAdd(seen, value)
      const kind = kindOf(value)
      const why = refusal(value, kind)
      if (why) refuse(why)
      if (kind === 'array') {
        // A hole takes time in every engine, if no room.
        bytes += (value as unknown[]).length
        if (bytes <= most) pushProperties(value, true)
      } else if (kind === 'plain') pushProperties(value, false)
      else if (kind === 'map') {
        mapEach(value as Map<unknown, unknown>, (item, key) => {
          push(item, '.get(…)')
          push(key, '.keys()')
        })
      } else if (kind === 'set') setEach(value as Set<unknown>, (item) => push(item, '.values()'))
      else if (kind === 'bytes') {
        views = true
        bytes += isView(value) ? (viewPart(value, 'byteLength') as number) : bytesOf(value)
      } else if (kind === 'blob') bytes += (blobSize as (self: unknown) => number)(value)
      else {
        bytes += 32
        if (kind === 'error') {
          errors = true
          bytes += textBytes(value, 'message') + textBytes(value, 'stack')
        }
      }
    }
  }
  // What is too much is not cloned.
  if (bytes > most) return { value: undefined, bytes, errors: false, buffers: [] }
  let value: unknown
  if (typeof root !== 'object' || root === null) value = root
  else {
    try {
      value = clone(root)
    } catch (error) {
      if (accessors) throw error
      node = { value: root, key: label, up: undefined, next: undefined }
      refuse('or holds something that cannot be cloned (a proxy, an arguments object, a port, a key, a stream, …)')
    }
    // What a getter gave is seen in the clone alone.
    if (accessors) return snapshot(value, label, isPending, most)
  }
  const buffers: ArrayBuffer[] = []
  return { value: views ? narrow(value, buffers) : value, bytes, errors, buffers }
}

/** The same bytes in a buffer of their own, fixed in length, or undefined where they have that already. */
const exactly = (value: object): object | undefined => {
  if (!isView(value)) return resizable?.(value) ? bufferSlice(value as ArrayBuffer, 0) : undefined
  const buffer = viewPart(value, 'buffer') as ArrayBuffer
  const offset = viewPart(value, 'byteOffset') as number
  const length = viewPart(value, 'byteLength') as number
  if (length === bytesOf(buffer) && !resizable?.(buffer)) return undefined
  const own = bufferSlice(buffer, offset, offset + length)
  return construct(mapGet(viewTypes, typedName(value) ?? 'DataView') as never, [own]) as object
}

/** Replaces the views of a clone (plain data of our own) by exact ones; returns the root. */
const narrow = (root: unknown, buffers: ArrayBuffer[], onError?: (error: object) => void): unknown => {
  const done = new NativeMap<unknown, unknown>()
  let stack: { object: object; kind: Kind; next: unknown } | undefined
  const visit = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (mapHas(done, value)) return mapGet(done, value)
    let result: object = value
    const kind = kindOf(value)
    if (kind === 'bytes') {
      result = exactly(value) ?? value
      const buffer = isView(result) ? (viewPart(result, 'buffer') as ArrayBuffer) : (result as ArrayBuffer)
      if (!mapHas(done, buffer)) define(buffers, buffers.length, buffer, true)
      mapSet(done, buffer, buffer)
    } else if (kind === 'error') onError?.(value)
    else stack = { object: value, kind, next: stack }
    mapSet(done, value, result)
    return result
  }
  const result = visit(root)
  while (stack) {
    const { object, kind }: { object: object; kind: Kind } = stack
    stack = stack.next as typeof stack
    if (kind === 'map') {
      const entries = new NativeMap<unknown, unknown>()
      mapEach(object as Map<unknown, unknown>, (item, key) => mapSet(entries, visit(key), visit(item)))
      mapClear(object as Map<unknown, unknown>)
      mapEach(entries, (item, key) => mapSet(object as Map<unknown, unknown>, key, item))
    } else if (kind === 'set') {
      const items = new NativeSet<unknown>()
      setEach(object as Set<unknown>, (item) => setAdd(items, visit(item)))
      setClear(object as Set<unknown>)
      setEach(items, (item) => setAdd(object as Set<unknown>, item))
    } else {
      const names = keys(object)
      for (let i = 0; i < names.length; i++) {
        const name = names[i] as string
        const old = (object as Record<string, unknown>)[name]
        const exact = visit(old)
        if (exact !== old) define(object, name, exact, true)
      }
    }
  }
  return result
}

/** Visits every Error inside a value that was cloned. */
export const eachError = (root: unknown, visit: (error: object) => void): void => {
  narrow(root, [], visit)
}
