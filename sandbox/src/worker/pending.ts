// A pending value stands for the result of a call that waits for a decision.
// The program may hold it, await it, return it and log it; anything that would
// look inside cuts the pass before the program can act on what it saw.

import { NativeWeakSet, weakAdd, weakHas } from '../shared/intrinsics.js'

const NativeProxy = Proxy
const pendings = new NativeWeakSet<object>()

export const isPending = (value: unknown): boolean =>
  (typeof value === 'function' || (typeof value === 'object' && value !== null)) && weakHas(pendings, value)

/** Makes a pending value; `cut` ends the pass and throws. */
export const makePending = (cut: () => never): object => {
  // `then` alone is not observing: await, return and Promise.all read it.
  const value = new NativeProxy(function pending() {}, {
    __proto__: null,
    get: (_target: unknown, key: unknown) => (key === 'then' ? undefined : cut()),
    set: (_target: unknown, key: unknown) => (key === 'then' ? true : cut()),
    apply: cut,
    construct: cut,
    defineProperty: cut,
    deleteProperty: cut,
    getOwnPropertyDescriptor: cut,
    getPrototypeOf: cut,
    has: cut,
    isExtensible: cut,
    ownKeys: cut,
    preventExtensions: cut,
    setPrototypeOf: cut,
  } as ProxyHandler<() => void>)
  weakAdd(pendings, value)
  return value
}
