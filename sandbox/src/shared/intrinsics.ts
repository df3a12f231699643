// Private copies of every intrinsic the harness uses, taken before any model
// text runs. A program may patch prototypes afterwards: code that calls these
// copies never notices. What still reads patchable state and is therefore not
// used after start: destructuring, spread, for…of, resolve(promise),
// Promise.prototype.then without an own `constructor`, and a[a.length] = x.

const { bind, call } = Function.prototype

type AnyFunction = (...args: never[]) => unknown
type Uncurried<F> = F extends (this: infer T, ...args: infer A) => infer R ? (self: T, ...args: A) => R : never

/** Turns a method into a function of its receiver; calling it looks nothing up. */
export const uncurry = /* @__PURE__ */ bind.bind(call) as unknown as <F extends AnyFunction>(method: F) => Uncurried<F>

/** The uncurried getter of an accessor property, or undefined where the engine lacks it. */
export const getter = (prototype: object | undefined, key: string) => {
  const get = prototype && Object.getOwnPropertyDescriptor(prototype, key)?.get
  return get && (uncurry(get as AnyFunction) as (self: unknown) => unknown)
}

export const create = Object.create
export const defineProperty = Object.defineProperty
export const freeze = Object.freeze
export const getOwnPropertyDescriptor = Object.getOwnPropertyDescriptor
export const getPrototypeOf = Object.getPrototypeOf
export const hasOwn = Object.hasOwn
export const is = Object.is
export const keys = Object.keys
export const setPrototypeOf = Object.setPrototypeOf
export const objectPrototype = Object.prototype
/**
 * Defines a plain data property. The descriptor inherits nothing: a program may
 * have put `get` or `set` on Object.prototype.
 */
export const define = (object: object, key: PropertyKey, value: unknown, enumerable = false): void => {
  defineProperty(object, key, {
    __proto__: null,
    value,
    enumerable,
    configurable: true,
    writable: true,
  } as PropertyDescriptor)
}
export const apply = Reflect.apply
export const construct = Reflect.construct
export const ownKeys = Reflect.ownKeys
export const isArray = Array.isArray
export const isView = ArrayBuffer.isView as (value: unknown) => value is ArrayBufferView
export const clone = globalThis.structuredClone

export const NativeError = Error
export const NativeMap = Map
export const NativeSet = Set
export const NativeWeakSet = WeakSet
export const NativePromise = Promise
export const NativeUint8Array = Uint8Array

type Method<T, F> = F extends (...args: infer A) => infer R ? (self: T, ...args: A) => R : (self: unknown) => F

/** A private copy of one method or getter of a type, as a function of its receiver; undefined where the engine lacks it. */
/* @__NO_SIDE_EFFECTS__ */
export const copied = <T, K extends keyof T>(type: { prototype: T }, key: K): Method<T, T[K]> => {
  const { get, value } = Object.getOwnPropertyDescriptor(type.prototype, key) ?? ({} as PropertyDescriptor)
  const method = get ?? value
  return method && uncurry(method)
}

export const mapGet = copied(Map<unknown, unknown>, 'get')
export const mapHas = copied(Map<unknown, unknown>, 'has')
export const mapSet = copied(Map<unknown, unknown>, 'set')
export const mapDelete = copied(Map<unknown, unknown>, 'delete')
export const mapClear = copied(Map<unknown, unknown>, 'clear')
export const mapEach = copied(Map<unknown, unknown>, 'forEach')
export const mapSize = copied(Map<unknown, unknown>, 'size')
export const setAdd = copied(Set<unknown>, 'add')
export const setHas = copied(Set<unknown>, 'has')
export const setDelete = copied(Set<unknown>, 'delete')
export const setClear = copied(Set<unknown>, 'clear')
export const setEach = copied(Set<unknown>, 'forEach')
export const setSize = copied(Set<unknown>, 'size')
export const weakAdd = copied(WeakSet<object>, 'add')
export const weakHas = copied(WeakSet<object>, 'has')
export const dateTime = copied(Date, 'getTime')
export const dateText = copied(Date, 'toISOString')
export const regexpExec = copied(RegExp, 'exec')
export const regexpSource = copied(RegExp, 'source')
export const regexpFlags = copied(RegExp, 'flags')
/** RegExp.prototype.test would look up a patchable `exec`. */
export const regexpTest = (pattern: RegExp, text: string): boolean => regexpExec(pattern, text) !== null
export const indexOf = copied(String, 'indexOf')
export const slice = copied(String, 'slice')
export const promiseThen = copied(Promise<unknown>, 'then')
export const bigintText = copied(BigInt, 'toString')
export const symbolText = copied(Symbol, 'toString')
const buffer = ArrayBuffer as { prototype: ArrayBuffer & { resizable?: boolean } }
export const bytesOf = copied(buffer, 'byteLength')
export const bufferSlice = copied(buffer, 'slice')
export const resizable = copied(buffer, 'resizable')
const typed = /* @__PURE__ */ getPrototypeOf(Uint8Array) as { prototype: Uint8Array }
export const typedName = copied(typed, Symbol.toStringTag) as (self: unknown) => string | undefined
const typedParts = {
  buffer: copied(typed, 'buffer'),
  byteOffset: copied(typed, 'byteOffset'),
  byteLength: copied(typed, 'byteLength'),
}
const dataParts: typeof typedParts = {
  buffer: copied(DataView, 'buffer'),
  byteOffset: copied(DataView, 'byteOffset'),
  byteLength: copied(DataView, 'byteLength'),
}
/** One fact of a view, typed array or DataView, read without touching the program's code. */
export const viewPart = (view: object, part: keyof typeof typedParts) =>
  (typedName(view) === undefined ? dataParts : typedParts)[part](view)

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
