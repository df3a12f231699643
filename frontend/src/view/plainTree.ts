import { plainLines as asShown } from '../value/plain'
import { inline } from '../value/print'

/**
 * A value as lists, objects and plain parts, for a tree: Map and Set as their
 * entries, everything else that JSON does not hold as the text that says it.
 */
export const plainTree = (value: unknown, seen: readonly unknown[] = []): object => {
  const tree = plain(value, seen)
  return typeof tree === 'object' && tree !== null ? tree : [tree]
}

const plain = (value: unknown, seen: readonly unknown[]): unknown => {
  if (typeof value === 'string') return asShown(value)
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? `${value}n` : value
  if (seen.includes(value)) return '(itself)'
  const inside = [...seen, value]
  if (Array.isArray(value)) return value.map((item) => plain(item, inside))
  if (value instanceof Map) {
    return [...value].map(([key, item]) => ({ key: plain(key, inside), value: plain(item, inside) }))
  }
  if (value instanceof Set) return [...value].map((item) => plain(item, inside))
  if ([Object.prototype, null].includes(Object.getPrototypeOf(value))) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [asShown(key), plain(item, inside)]))
  }
  return inline(value, 200)
}
