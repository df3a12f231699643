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

export const mapGet = uncurry(Map.prototype.get as (this: Map<unknown, unknown>, key: unknown) => unknown)
export const mapHas = uncurry(Map.prototype.has as (this: Map<unknown, unknown>, key: unknown) => boolean)
export const mapSet = uncurry(
  Map.prototype.set as (this: Map<unknown, unknown>, key: unknown, value: unknown) => unknown,
)
export const mapDelete = uncurry(Map.prototype.delete as (this: Map<unknown, unknown>, key: unknown) => boolean)
export const mapClear = uncurry(Map.prototype.clear as (this: Map<unknown, unknown>) => void)
export const mapEach = uncurry(
  Map.prototype.forEach as (this: Map<unknown, unknown>, f: (value: unknown, key: unknown) => void) => void,
)
export const mapSize = getter(Map.prototype, 'size') as (self: unknown) => number
export const setAdd = uncurry(Set.prototype.add as (this: Set<unknown>, value: unknown) => unknown)
export const setHas = uncurry(Set.prototype.has as (this: Set<unknown>, value: unknown) => boolean)
export const setClear = uncurry(Set.prototype.clear as (this: Set<unknown>) => void)
export const setEach = uncurry(Set.prototype.forEach as (this: Set<unknown>, f: (value: unknown) => void) => void)
export const setSize = getter(Set.prototype, 'size') as (self: unknown) => number
export const weakAdd = uncurry(WeakSet.prototype.add as (this: WeakSet<object>, value: object) => unknown)
export const weakHas = uncurry(WeakSet.prototype.has as (this: WeakSet<object>, value: object) => boolean)
export const dateTime = uncurry(Date.prototype.getTime)
export const dateText = uncurry(Date.prototype.toISOString)
export const regexpExec = uncurry(RegExp.prototype.exec)
/** RegExp.prototype.test would look up a patchable `exec`. */
export const regexpTest = (pattern: RegExp, text: string): boolean => regexpExec(pattern, text) !== null
export const regexpSource = getter(RegExp.prototype, 'source') as (self: unknown) => string
export const indexOf = uncurry(String.prototype.indexOf)
export const promiseThen = uncurry(
  Promise.prototype.then as (
    this: Promise<unknown>,
    ok: (value: unknown) => void,
    failed: (reason: unknown) => void,
  ) => unknown,
)
export const slice = uncurry(String.prototype.slice)
export const charCode = uncurry(String.prototype.charCodeAt)
export const bigintText = uncurry(BigInt.prototype.toString)
export const bytesOf = getter(ArrayBuffer.prototype, 'byteLength') as (self: unknown) => number
export const resizable = getter(ArrayBuffer.prototype, 'resizable') as ((self: unknown) => boolean) | undefined
export const bufferSlice = uncurry(ArrayBuffer.prototype.slice)
const typedArray = getPrototypeOf(Uint8Array.prototype)
export const typedName = getter(typedArray, Symbol.toStringTag as unknown as string) as (
  self: unknown,
) => string | undefined
const typedSet = {
  buffer: getter(typedArray, 'buffer'),
  offset: getter(typedArray, 'byteOffset'),
  bytes: getter(typedArray, 'byteLength'),
}
const dataSet = {
  buffer: getter(DataView.prototype, 'buffer'),
  offset: getter(DataView.prototype, 'byteOffset'),
  bytes: getter(DataView.prototype, 'byteLength'),
}
/** One fact of a view, typed array or DataView, read without touching the program's code. */
export const viewPart = (view: object, part: 'buffer' | 'offset' | 'bytes') =>
  (typedName(view) === undefined ? dataSet : typedSet)[part]?.(view)

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
