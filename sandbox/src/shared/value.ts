// Makes the one snapshot by which a value is sent, judged, shown and executed.
//
// 1. Inspect the value without running any of its getters: refuse by name and
//    path what does not cross, notice pending values, count what is sent.
// 2. Clone it natively, once: this reads each getter once, and refuses proxies.
// 3. Narrow the clone's views to their visible bytes, so that the rest of a
//    buffer never leaves, and collect the private buffers for transfer.

import {
  bigintText,
  branded,
  bufferSlice,
  bytesOf,
  clone,
  construct,
  dateTime,
  define,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  getter,
  hasOwn,
  isArray,
  isView,
  keys,
  mapClear,
  mapEach,
  mapGet,
  mapHas,
  mapSet,
  mapSize,
  NativeError,
  NativeMap,
  NativePromise,
  NativeSet,
  objectPrototype,
  regexpSource,
  regexpTest,
  resizable,
  setAdd,
  setClear,
  setEach,
  setHas,
  setSize,
  typedName,
  uncurry,
  viewPart,
} from './intrinsics.js'

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

const blobSize = getter(globalThis.Blob?.prototype, 'size') as ((self: unknown) => number) | undefined
const boxed = [Number, String, Boolean, BigInt].map((type) => uncurry(type.prototype.valueOf as () => unknown))
const wide = /[^\0-\xff]/

/** Bytes that a string takes in an engine: one per unit while it is Latin-1, else two. */
export const stringBytes = (text: string): number => (regexpTest(wide, text) ? 2 : 1) * text.length

const pathOf = (node: Node): string => {
  let path = ''
  for (let n: Node | undefined = node; n; n = n.up) path = n.key + path
  return path
}

const inChain = (value: object, prototype: object): boolean => {
  for (let p = getPrototypeOf(value); p; p = getPrototypeOf(p)) if (p === prototype) return true
  return false
}

const errorPrototype = NativeError.prototype
const arrayPrototype = Array.prototype
const promisePrototype = NativePromise.prototype

const viewTypes = new NativeMap<unknown, unknown>()
const global = globalThis as unknown as Record<string, new (buffer: ArrayBuffer) => ArrayBufferView>
for (const bits of [
  'Int8',
  'Uint8',
  'Uint8Clamped',
  'Int16',
  'Uint16',
  'Int32',
  'Uint32',
  'Float16',
  'Float32',
  'Float64',
  'BigInt64',
  'BigUint64',
]) {
  const type = global[`${bits}Array`]
  if (type) viewTypes.set(`${bits}Array`, type)
}
viewTypes.set('DataView', DataView as never)

/** The prototypes of what crosses beside plain objects, arrays and errors. */
const exotics = new NativeSet<unknown>(
  [ArrayBuffer, Map, Set, Date, RegExp, Number, String, Boolean, BigInt, globalThis.Blob, globalThis.File].map(
    (type) => type?.prototype,
  ),
)
mapEach(viewTypes, (type) => setAdd(exotics, (type as { prototype: object }).prototype))

/** What an object is for the clone, or a phrase that says why it does not cross. */
const kindOf = (value: object): 'array' | 'plain' | 'map' | 'set' | 'bytes' | 'leaf' | { refused: string } => {
  const prototype = getPrototypeOf(value)
  if (prototype === objectPrototype || prototype === null) return isArray(value) ? 'array' : 'plain'
  if (prototype === arrayPrototype && isArray(value)) return 'array'
  // An instance of a class that extends one of these is refused by name, like any other.
  if (setHas(exotics, prototype)) {
    if (isView(value) || branded(bytesOf, value)) return 'bytes'
    if (branded(mapSize, value)) return 'map'
    if (branded(setSize, value)) return 'set'
    if (branded(dateTime as never, value) || branded(regexpSource, value) || branded(blobSize, value)) return 'leaf'
    for (let i = 0; i < boxed.length; i++) if (branded(boxed[i] as never, value)) return 'leaf'
  }
  if (inChain(value, errorPrototype)) return 'leaf'
  if (inChain(value, promisePrototype)) return { refused: 'a promise (an await is missing)' }
  let name: unknown
  try {
    name = (value as { constructor: { name: unknown } }).constructor.name
  } catch {}
  if (typeof name !== 'string' || !name || name === 'Object')
    return { refused: 'an object with a prototype of its own' }
  return { refused: `an instance of ${name}` }
}

const leafBytes = (value: object): number => {
  if (branded(blobSize, value)) return (blobSize as (self: unknown) => number)(value)
  if (!inChain(value, errorPrototype)) return 32
  const message = getOwnPropertyDescriptor(value, 'message')?.value
  const stack = getOwnPropertyDescriptor(value, 'stack')?.value
  return (
    32 + (typeof message === 'string' ? stringBytes(message) : 0) + (typeof stack === 'string' ? stringBytes(stack) : 0)
  )
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
      if (typeof value === 'function') refuse('a function')
      if (setHas(seen, value)) continue
      setAdd(seen, value)
      const kind = kindOf(value as object)
      if (typeof kind === 'object') refuse(kind.refused)
      else if (kind === 'array') {
        // A hole takes time in every engine, if no room.
        bytes += (value as unknown[]).length
        if (bytes <= most) pushProperties(value as object, true)
      } else if (kind === 'plain') pushProperties(value as object, false)
      else if (kind === 'map') {
        mapEach(value as Map<unknown, unknown>, (item, key) => {
          push(item, '.get(…)')
          push(key, '.keys()')
        })
      } else if (kind === 'set') setEach(value as Set<unknown>, (item) => push(item, '.values()'))
      else if (kind === 'bytes') {
        views = true
        bytes += isView(value) ? (viewPart(value, 'bytes') as number) : bytesOf(value)
      } else {
        errors ||= inChain(value as object, errorPrototype)
        bytes += leafBytes(value as object)
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
      refuse('or holds something that cannot be cloned (a proxy, a port, a key, a stream, …)')
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
  const offset = viewPart(value, 'offset') as number
  const length = viewPart(value, 'bytes') as number
  if (length === bytesOf(buffer) && !resizable?.(buffer)) return undefined
  const own = bufferSlice(buffer, offset, offset + length)
  return construct(mapGet(viewTypes, typedName(value) ?? 'DataView') as never, [own]) as object
}

/** Replaces the views of a clone (plain data of our own) by exact ones; returns the root. */
const narrow = (root: unknown, buffers: ArrayBuffer[], onError?: (error: object) => void): unknown => {
  const done = new NativeMap<unknown, unknown>()
  let stack: { object: object; next: unknown } | undefined
  const visit = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (mapHas(done, value)) return mapGet(done, value)
    let result: object = value
    if (isView(value) || branded(bytesOf, value)) {
      result = exactly(value) ?? value
      const buffer = isView(result) ? (viewPart(result, 'buffer') as ArrayBuffer) : (result as ArrayBuffer)
      if (!mapHas(done, buffer)) define(buffers, buffers.length, buffer, true)
      mapSet(done, buffer, buffer)
    } else if (onError && inChain(value, errorPrototype)) onError(value)
    else stack = { object: value, next: stack }
    mapSet(done, value, result)
    return result
  }
  const result = visit(root)
  while (stack) {
    const object: object = stack.object
    stack = stack.next as typeof stack
    if (branded(mapSize, object)) {
      const entries = new NativeMap<unknown, unknown>()
      mapEach(object as Map<unknown, unknown>, (item, key) => mapSet(entries, visit(key), visit(item)))
      mapClear(object as Map<unknown, unknown>)
      mapEach(entries, (item, key) => mapSet(object as Map<unknown, unknown>, key, item))
    } else if (branded(setSize, object)) {
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
