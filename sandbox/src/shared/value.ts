// Makes the one snapshot by which a value is sent, judged, shown and executed.
//
// 1. Measure the value without running any of its getters: refuse by name and
//    path what does not cross, notice pending values, count what is sent.
// 2. Where there are getters, copy what they show, each read once, and measure
//    that: what is behind a getter is seen like anything else. The page clones
//    for it; the worker, where a pending value may be behind one, does not.
// 3. Clone it natively, once, which refuses proxies.
// 4. Narrow the clone's views to their visible bytes, so that the rest of a
//    buffer never leaves, and collect the private buffers for transfer.
//
// What came by message is a copy already and is only measured.

import {
  bigintText,
  branded,
  bytesOf,
  clone,
  construct,
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
  NativeMap,
  NativePromise,
  NativeSet,
  NativeUint8Array,
  objectPrototype,
  regexpSource,
  regexpTest,
  resizable,
  setAdd,
  setClear,
  setEach,
  setHas,
  typedName,
  viewPart,
} from './intrinsics.js'
import { blobSize, boxes, inChain, type Kind, kindOf } from './kind.js'
import { deepest } from './limits.js'

export interface Snapshot extends Pick<Measure, 'bytes' | 'errors'> {
  value: unknown
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
  /** Values around this one, and it. */
  depth: number
  /** What of it does not cross is for the engine to say. */
  loose: boolean
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

/** What an Error holds of other values: one engine sends both, two the cause alone, as a value or as text. */
const held = ['errors', 'cause']

/** Whether an Error has the name of one that holds a list of others, and has none: one engine sends it, and cannot read it. */
export const lacksList = (error: object): boolean =>
  getOwnPropertyDescriptor(error, 'name')?.value === 'AggregateError' &&
  !isArray(getOwnPropertyDescriptor(error, 'errors')?.value)

/** What a value takes that holds no others; undefined for one that may, or that is refused. */
const flatBytes = (value: unknown): number | undefined => {
  switch (typeof value) {
    case 'string':
      return 8 + stringBytes(value)
    case 'bigint':
      return 9 + (bigintText(value, 16).length >> 1)
    case 'object':
      return value === null ? 8 : undefined
    case 'symbol':
    case 'function':
      return undefined
    default:
      return 8
  }
}

const { Blob, File, DOMException } = globalThis
/** What reads the texts and numbers that objects hold beside their properties; each throws for any other. */
const inner = [
  regexpSource as (self: unknown) => unknown,
  getter(Blob?.prototype, 'type'),
  getter(File?.prototype, 'name'),
  getter(DOMException?.prototype, 'message'),
  ...boxes,
]
const innerBytes = (value: object): number => {
  let bytes = 0
  for (let i = 0; i < inner.length; i++) {
    const read = inner[i]
    if (read && branded(read, value)) bytes += flatBytes(read(value)) ?? 0
  }
  return bytes
}

/** What was found in a value, none of whose getters were run. */
export interface Measure {
  /** What is really sent: shared references once, strings by their storage, views as their visible bytes. */
  bytes: number
  /** Whether it holds Errors. */
  errors: boolean
  /** Whether it holds buffers or views of them. */
  views: boolean
  /** Whether it has getters, whose values were not looked at, or an Error that lacks its list. */
  accessors: boolean
}

export const tooDeep = (label: string) => new Refusal(`${label} is nested more than ${deepest} deep`)

/**
 * Measures a value.
 * `label` begins every path in a refusal (“input”), `isPending` tells pending values,
 * and an array that takes more than `most` bytes is not looked into.
 * `loose`: nothing is refused, however deep; what the engine does not look into is looked into for pending values.
 * Throws a Refusal or `holdsPending`.
 */
export const measure = (
  root: unknown,
  label: string,
  isPending?: (value: unknown) => boolean,
  most = Number.POSITIVE_INFINITY,
  loose = false,
): Measure => {
  const flat = flatBytes(root)
  let bytes = flat ?? 0
  let errors = false
  let views = false
  let accessors = false
  if (flat !== undefined) return { bytes, errors, views, accessors }
  const seen = new NativeSet<unknown>()
  let stack: Node | undefined = { value: root, key: label, up: undefined, next: undefined, depth: 1, loose }
  let node = stack
  const refuse = (what: string): never => {
    throw new Refusal(`${pathOf(node)} is ${what}`)
  }
  const push = (value: unknown, before: string, name = '', behind = '', loose = node.loose) => {
    const flat = flatBytes(value)
    if (flat === undefined)
      stack = { value, key: before + name + behind, up: node, next: stack, depth: node.depth + 1, loose }
    else bytes += flat
  }
  const pushProperties = (value: object, array: boolean) => {
    const names = keys(value)
    for (let i = names.length - 1; i >= 0; i--) {
      const name = names[i] as string
      const property = getOwnPropertyDescriptor(value, name)
      if (!property) continue
      // An index takes nothing, and no more than ten digits.
      if (!array || name.length > 10) bytes += 8 + stringBytes(name)
      if (!hasOwn(property, 'value')) accessors = true
      else if (array) push(property.value, '[', name, ']')
      else push(property.value, '.', name)
    }
  }
  while (stack) {
    node = stack
    stack = node.next
    const value = node.value as object
    bytes += 8
    if (isPending?.(value)) throw holdsPending
    if (setHas(seen, value)) continue
    setAdd(seen, value)
    if (node.depth > deepest && !loose) throw tooDeep(label)
    const object = typeof value === 'object'
    const kind = object ? kindOf(value) : 'other'
    const why = object ? refusal(value, kind) : `a ${typeof value}`
    if (why && !node.loose) refuse(why)
    const below: Node | undefined = stack
    if (kind === 'array') {
      // A hole takes time in every engine, if no room.
      bytes += (value as unknown[]).length
      if (bytes <= most) pushProperties(value, true)
    } else if (kind === 'plain' || kind === 'other') pushProperties(value, false)
    else if (kind === 'map') {
      mapEach(value as Map<unknown, unknown>, (item, key) => {
        push(key, '.keys()')
        push(item, '.get(…)')
      })
    } else if (kind === 'set') setEach(value as Set<unknown>, (item) => push(item, '.values()'))
    else if (kind === 'bytes') {
      views = true
      bytes += isView(value) ? (viewPart(value, 'byteLength') as number) : bytesOf(value as ArrayBuffer)
    } else {
      bytes += kind === 'blob' ? (blobSize as (self: unknown) => number)(value) : 32
      if (kind !== 'date') bytes += innerBytes(value)
      if (kind === 'error') {
        errors = true
        bytes += textBytes(value, 'name') + textBytes(value, 'message') + textBytes(value, 'stack')
        if (lacksList(value)) accessors = true
        for (let i = 0; i < held.length; i++) {
          const name = held[i] as string
          const property = getOwnPropertyDescriptor(value, name)
          if (property) push(property.value, '.', name, '', true)
        }
      }
    }
    // In the order in which an engine goes through it, or it would be deeper there.
    if (kind === 'map' || kind === 'set') {
      let turned: Node | undefined = below
      while (stack !== below) {
        const first: Node = stack as Node
        stack = first.next
        first.next = turned
        turned = first
      }
      stack = turned
    }
  }
  return { bytes, errors, views, accessors }
}

/** Why a value is refused that looked as if it crossed, and did not. */
export const uncloneable = (label: string): Refusal =>
  new Refusal(
    `${label} is or holds something that cannot be cloned (a proxy, an arguments object, a port, a key, a stream, …)`,
  )

/**
 * Takes the snapshot of a value; of what takes more than `most` bytes only the size is told.
 * `lend`: the caller posts the value before anything else runs, which copies it. Then a value that nothing
 * can change on its way (it holds no getter, buffer or Error) is its own snapshot; what the engine refuses
 * of it, posting refuses.
 * `show` copies what has getters, with what they give.
 * Throws as `measure` does, or what a getter of the value threw.
 */
export const snapshot = (
  root: unknown,
  label: string,
  isPending?: (value: unknown) => boolean,
  most = Number.POSITIVE_INFINITY,
  lend = false,
  show: (value: unknown, label: string) => unknown = copyOf,
): Snapshot => {
  let own = root
  let found = measure(root, label, isPending, most)
  if (found.accessors && found.bytes <= most) {
    own = show(root, label)
    found = measure(own, label, isPending, most)
  }
  const { bytes, errors, views } = found
  const buffers: ArrayBuffer[] = []
  // What is too much is not cloned.
  if (bytes > most) return { value: undefined, bytes, errors: false, buffers }
  if (lend && !errors && !views) return { value: own, bytes, errors, buffers }
  let value: unknown
  try {
    value = copyOf(own)
  } catch {
    throw uncloneable(label)
  }
  return { value: views ? narrow(value, buffers) : value, bytes, errors, buffers }
}

/** A copy of data that crosses; of bytes that stand alone only the visible ones, at a third of what cloning them costs. */
export const copyOf = (value: unknown): unknown =>
  typeof value !== 'object' || value === null ? value : kindOf(value) === 'bytes' ? exactly(value, true) : clone(value)

/** A copy of data that crosses whose buffers can be transferred. */
export const copyToSend = (value: unknown): Pick<Snapshot, 'value' | 'buffers'> => {
  const buffers: ArrayBuffer[] = []
  return { value: narrow(copyOf(value), buffers), buffers }
}

/** The visible bytes in a buffer of their own, fixed in length; the value itself where it has that already, unless `always`. */
const exactly = (value: object, always = false): object => {
  const view = isView(value)
  const buffer = view ? (viewPart(value, 'buffer') as ArrayBuffer) : (value as ArrayBuffer)
  const length = view ? (viewPart(value, 'byteLength') as number) : bytesOf(buffer)
  if (!always && length === bytesOf(buffer) && !resizable?.(buffer)) return value
  // Not ArrayBuffer's own slice, which asks a constructor that a program may have changed.
  const seen = new NativeUint8Array(buffer, view ? (viewPart(value, 'byteOffset') as number) : 0, length)
  const copy = viewPart(new NativeUint8Array(seen), 'buffer') as ArrayBuffer
  return view ? construct(mapGet(viewTypes, typedName(value) ?? 'DataView') as never, [copy]) : copy
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
      result = exactly(value)
      const buffer = isView(result) ? (viewPart(result, 'buffer') as ArrayBuffer) : (result as ArrayBuffer)
      if (!mapHas(done, buffer)) define(buffers, buffers.length, buffer, true)
      mapSet(done, buffer, buffer)
    } else {
      if (kind === 'error') onError?.(value)
      stack = { object: value, kind, next: stack }
    }
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
      const error = kind === 'error'
      const names = error ? held : keys(object)
      for (let i = 0; i < names.length; i++) {
        const name = names[i] as string
        if (error && !hasOwn(object, name)) continue
        const old = (object as Record<string, unknown>)[name]
        const exact = visit(old)
        if (exact !== old) define(object, name, exact, !error)
      }
    }
  }
  return result
}

/** Visits every Error inside a value that was cloned. */
export const eachError = (root: unknown, visit: (error: object) => void): void => {
  narrow(root, [], visit)
}
