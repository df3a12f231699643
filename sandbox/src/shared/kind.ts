// What an object is, told by its engine's own marks: nothing of the object's
// is run but, of a proxy, its traps.

import {
  branded,
  bytesOf,
  dateTime,
  getPrototypeOf,
  getter,
  isArray,
  isView,
  mapSize,
  NativeError,
  objectPrototype,
  regexpSource,
  setSize,
  uncurry,
} from './intrinsics.js'

export type Kind =
  | 'array'
  | 'plain'
  | 'map'
  | 'set'
  | 'bytes'
  | 'date'
  | 'regexp'
  | 'blob'
  | 'boxed'
  | 'error'
  | 'other'

export const blobSize = getter(globalThis.Blob?.prototype, 'size')

type Read = ((self: unknown) => unknown) | undefined
const brands: [Kind, Read][] = [
  ['map', mapSize],
  ['set', setSize],
  ['date', dateTime as Read],
  ['bytes', bytesOf],
  ['regexp', regexpSource],
  ['blob', blobSize],
]
/** What reads the value of a Number, String, Boolean or BigInt object; each throws for any other. */
export const boxes = [Number, String, Boolean, BigInt].map(
  (type) => uncurry(type.prototype.valueOf as () => unknown) as Read,
)
for (const read of boxes) brands.push(['boxed', read])

/** Whether the prototype is one of the value's. */
export const inChain = (value: object, prototype: object): boolean => {
  for (let p = getPrototypeOf(value); p; p = getPrototypeOf(p)) if (p === prototype) return true
  return false
}

const errorPrototype = NativeError.prototype

/** What an object is; its prototype may be any that this kind of thing can have. */
export const kindOf = (value: object): Kind => {
  if (isArray(value)) return 'array'
  const prototype = getPrototypeOf(value)
  // A brand check that fails throws, which is slow: most values are plain.
  if (prototype === objectPrototype || prototype === null) return 'plain'
  if (isView(value)) return 'bytes'
  if (inChain(value, errorPrototype)) return 'error'
  for (let i = 0; i < brands.length; i++) {
    const brand = brands[i] as [Kind, Read]
    if (branded(brand[1], value)) return brand[0]
  }
  return 'other'
}
