// Private copies of every intrinsic the harness uses, taken before any model
// text runs. A program may patch prototypes afterwards: code that calls these
// copies never notices. What still reads patchable state and is therefore not
// used after start: destructuring, spread, for…of, resolve(promise),
// Promise.prototype.then without an own `constructor`, and a[a.length] = x.

const { bind, call } = Function.prototype

type AnyFunction = (...args: never[]) => unknown
type Uncurried<F> = F extends (this: infer T, ...args: infer A) => infer R ? (self: T, ...args: A) => R : never

/** Turns a method into a function of its receiver; calling it looks nothing up. */
export const uncurry = bind.bind(call) as unknown as <F extends AnyFunction>(method: F) => Uncurried<F>

/** The uncurried getter of an accessor property, or undefined where the engine lacks it. */
export const getter = (prototype: object | undefined, key: string) => {
  const get = prototype && Object.getOwnPropertyDescriptor(prototype, key)?.get
  return get && (uncurry(get as AnyFunction) as (self: unknown) => unknown)
}

export const {
  create,
  defineProperty,
  freeze,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  is,
  keys,
  setPrototypeOf,
  prototype: objectPrototype,
} = Object
const nativeDefine = Object.defineProperty
/**
 * Defines a plain data property. The descriptor inherits nothing: a program may
 * have put `get` or `set` on Object.prototype.
 */
export const define = (object: object, key: PropertyKey, value: unknown, enumerable = false): void => {
  nativeDefine(object, key, {
    __proto__: null,
    value,
    enumerable,
    configurable: true,
    writable: true,
  } as PropertyDescriptor)
}
export const hasOwn = Object.hasOwn
export const { apply, construct, ownKeys } = Reflect
export const { isArray } = Array
export const isView = ArrayBuffer.isView as (value: unknown) => value is ArrayBufferView
export const clone = globalThis.structuredClone

export const NativeError = Error
export const NativeMap = Map
export const NativeSet = Set
export const NativeWeakSet = WeakSet
export const NativePromise = Promise
export const NativeUint8Array = Uint8Array

type Method<T, F> = F extends (...args: infer A) => infer R ? (self: T, ...args: A) => R : (self: unknown) => F
/** The methods and getters of a kind of object, as functions of their receiver. */
type Methods<T> = { [K in keyof T]: Method<T, T[K]> }

/** Private copies of everything that a prototype has. */
export const copied = <T>(prototype: T | undefined): Methods<T> => {
  const copies = Object.create(null)
  for (const key of prototype ? Reflect.ownKeys(prototype) : []) {
    const { value, get } = Object.getOwnPropertyDescriptor(prototype, key) as PropertyDescriptor
    const method = get ?? value
    if (typeof method === 'function') copies[key] = uncurry(method)
  }
  return copies
}

export const {
  get: mapGet,
  has: mapHas,
  set: mapSet,
  delete: mapDelete,
  clear: mapClear,
  forEach: mapEach,
  size: mapSize,
} = copied<Map<unknown, unknown>>(Map.prototype)
export const {
  add: setAdd,
  has: setHas,
  delete: setDelete,
  clear: setClear,
  forEach: setEach,
  size: setSize,
} = copied<Set<unknown>>(Set.prototype)
export const { add: weakAdd, has: weakHas } = copied<WeakSet<object>>(WeakSet.prototype)
export const { getTime: dateTime, toISOString: dateText } = copied<Date>(Date.prototype)
export const { exec: regexpExec, source: regexpSource, flags: regexpFlags } = copied<RegExp>(RegExp.prototype)
/** RegExp.prototype.test would look up a patchable `exec`. */
export const regexpTest = (pattern: RegExp, text: string): boolean => regexpExec(pattern, text) !== null
export const indexOf = uncurry(String.prototype.indexOf)
export const slice = uncurry(String.prototype.slice)
export const { then: promiseThen } = copied<Promise<unknown>>(Promise.prototype)
export const bigintText = uncurry(BigInt.prototype.toString)
export const symbolText = uncurry(Symbol.prototype.toString)
export const {
  byteLength: bytesOf,
  slice: bufferSlice,
  resizable,
} = copied<ArrayBuffer & { resizable?: boolean }>(ArrayBuffer.prototype)
const typed = copied<Uint8Array>(getPrototypeOf(Uint8Array.prototype))
export const { set: setBytes } = typed
const data = copied<DataView>(DataView.prototype)
export const typedName = typed[Symbol.toStringTag] as (self: unknown) => string | undefined
/** One fact of a view, typed array or DataView, read without touching the program's code. */
export const viewPart = (view: object, part: 'buffer' | 'byteOffset' | 'byteLength') =>
  (typedName(view) === undefined ? data : (typed as never as typeof data))[part](view as DataView)

/** Runs a brand check: true when `read(value)` does not throw. */
export const branded = (read: ((self: unknown) => unknown) | undefined, value: unknown): boolean => {
  if (!read) return false
  try {
    read(value)
    return true
  } catch {
    return false
  }
}
