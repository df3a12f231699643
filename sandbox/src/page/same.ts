// Structured equality: what a replayed call's input is compared by.

const list = (iterable: Iterable<unknown>) => [...iterable]

/** Whether two cloned values hold the same data. Blob and File are compared by size, type and name; an Error by name, message and cause. */
export const same = (a: unknown, b: unknown, seen = new Map<unknown, unknown>()): boolean => {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return false
  if (seen.has(a)) return seen.get(a) === b
  seen.set(a, b)
  const tag = Object.prototype.toString.call(a)
  if (tag !== Object.prototype.toString.call(b)) return false
  const all = (x: unknown[], y: unknown[]) => x.length === y.length && x.every((item, i) => same(item, y[i], seen))
  if (a instanceof Date || a instanceof Number || a instanceof String || a instanceof Boolean || a instanceof BigInt) {
    return Object.is(a.valueOf(), (b as Date).valueOf())
  }
  if (a instanceof RegExp) return String(a) === String(b)
  if (a instanceof Map || a instanceof Set) return all(list(a), list(b as Set<unknown>))
  if (a instanceof Blob) {
    const [x, y] = [a as File, b as File]
    return x.size === y.size && x.type === y.type && x.name === y.name
  }
  if (a instanceof Error)
    return all([a.name, a.message, a.cause], [(b as Error).name, (b as Error).message, (b as Error).cause])
  const bytes = (value: object) =>
    ArrayBuffer.isView(value)
      ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
      : value instanceof ArrayBuffer && new Uint8Array(value)
  const [x, y] = [bytes(a), bytes(b)]
  if (x || y) return !!x && !!y && x.length === y.length && x.every((byte, i) => byte === y[i])
  const names = Object.keys(a)
  return (
    (!Array.isArray(a) || a.length === (b as []).length) &&
    names.length === Object.keys(b).length &&
    names.every(
      (name) =>
        Object.hasOwn(b, name) &&
        same((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name], seen),
    )
  )
}
