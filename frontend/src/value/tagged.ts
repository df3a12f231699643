/**
 * The canonical tagged form of a JavaScript value, as a tree that JSON can
 * hold. What JSON lacks is an object whose key "$" names it; the list stands in
 * app/value/value.go, the examples in tests/vectors/values.json.
 */
export type Tagged = null | boolean | number | string | Tagged[] | { [key: string]: Tagged }

/** Views and buffers that cross, by the name that Symbol.toStringTag gives them. */
export const byteKinds = [
  'ArrayBuffer',
  'DataView',
  'Int8Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int16Array',
  'Uint16Array',
  'Float16Array',
  'Int32Array',
  'Uint32Array',
  'Float32Array',
  'Float64Array',
  'BigInt64Array',
  'BigUint64Array',
] as const

/** How deep the brackets of the text may nest; Go refuses deeper ones too. */
export const maxDepth = 500

/**
 * How long the text of one input may be, in UTF-8 bytes. The sandbox lets an input of 1 MiB
 * through, which is a third more as base64.
 */
export const maxBytes = 2 << 20

/** How long the text of a continuation may be: what Go keeps of a waiting run at most. */
export const maxContinuationBytes = 16 << 20

/**
 * A value that has no tagged form. The message names the path: “input.when: …”.
 * At a call site it is what Go would say of it.
 */
export class ValueError extends TypeError {
  override name = 'InvalidInput'
}

/** Appends a member to a path as JavaScript would write it. */
export const member = (path: string, key: string): string =>
  /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`
