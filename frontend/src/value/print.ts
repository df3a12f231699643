/**
 * Values as a person reads them: as JavaScript would write them, bounded before
 * anything large is built.
 */

import { toBase64 } from './bytes'
import { plain } from './plain'

/** On one line, at most about `room` characters; what was cut ends in “…”. */
export const inline = (value: unknown, room: number): string => {
  const text = write(value, room, [])
  return text.length > room ? `${[...text.slice(0, room - 1)].join('')}…` : text
}

/** On as many lines as it needs, at most about `room` characters. */
export const pretty = (value: unknown, room = 20_000): string => {
  const budget = { left: room }
  const text = lay(value, '', budget, [])
  return budget.left < 0 ? `${text.slice(0, room)}\n… (cut)` : text
}

const width = 76

const lay = (value: unknown, indent: string, budget: { left: number }, seen: unknown[]): string => {
  const short = write(value, width - indent.length, seen)
  const list = partsOf(value)
  if (list === undefined || seen.includes(value) || (short.length <= width - indent.length && !short.includes('…'))) {
    const text = list === undefined ? write(value, Math.max(width, budget.left), seen) : short
    budget.left -= text.length
    return text
  }
  const inner = `${indent}  `
  const lines: string[] = []
  for (const { key, item } of list.parts()) {
    if (budget.left < 0) break
    budget.left -= inner.length + key.length + 2
    lines.push(`${inner}${key}${lay(item, inner, budget, [...seen, value])}`)
  }
  return `${list.open}\n${lines.join(',\n')}\n${indent}${list.close}`
}

const write = (value: unknown, room: number, seen: unknown[]): string => {
  if (typeof value === 'string') return quote(value.length > room ? `${value.slice(0, room)}…` : value)
  if (typeof value === 'bigint') return `${value}n`
  if (Object.is(value, -0)) return '-0'
  if (typeof value !== 'object' || value === null) return String(value)
  if (seen.includes(value)) return '[circular]'
  const list = partsOf(value)
  if (list === undefined) return writeLeaf(value, room)
  const pad = list.open.endsWith('{') && list.close === '}' ? ' ' : ''
  let text = list.open
  let first = true
  for (const { key, item } of list.parts()) {
    if (text.length > room) return `${text}, …${pad}${list.close}`
    text += `${first ? pad : ', '}${key}${write(item, room - text.length, [...seen, value])}`
    first = false
  }
  return first ? `${list.open}${list.close}` : `${text}${pad}${list.close}`
}

const quote = (text: string): string => {
  const inside = plain(JSON.stringify(text).slice(1, -1))
  return inside.includes("'") ? `"${inside}"` : `'${inside.replaceAll('\\"', '"')}'`
}

const writeLeaf = (value: object, room: number): string => {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  if (value instanceof Error) return plain(`${value.name}: ${value.message}`)
  if (value instanceof RegExp) return String(value)
  if (typeof File !== 'undefined' && value instanceof File) return `File(${quote(value.name)}, ${value.size} bytes)`
  if (typeof Blob !== 'undefined' && value instanceof Blob) return `Blob(${value.size} bytes)`
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
    const bytes = ArrayBuffer.isView(value)
      ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
      : new Uint8Array(value)
    const shown = toBase64(bytes.subarray(0, Math.max(0, room)))
    const name = (value as { [Symbol.toStringTag]?: string })[Symbol.toStringTag] ?? 'bytes'
    return `${name}(${bytes.length} bytes${bytes.length > 0 ? `, base64 ${shown}` : ''})`
  }
  return String(value)
}

interface Parts {
  open: string
  close: string
  parts(): Generator<{ key: string; item: unknown }>
}

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u

/** What a container holds, read as it is needed: a long one is never listed whole. */
const partsOf = (value: unknown): Parts | undefined => {
  if (Array.isArray(value)) return { open: '[', close: ']', parts: () => items(value) }
  if (value instanceof Map) return { open: 'Map {', close: '}', parts: () => pairs(value) }
  if (value instanceof Set) return { open: 'Set {', close: '}', parts: () => items(value) }
  if (typeof value !== 'object' || value === null) return undefined
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return undefined
  return { open: '{', close: '}', parts: () => members(value as Record<string, unknown>) }
}

function* items(list: Iterable<unknown>) {
  for (const item of list) yield { key: '', item }
}

function* pairs(map: Map<unknown, unknown>) {
  for (const [key, item] of map) yield { key: `${inline(key, 40)} => `, item }
}

function* members(object: Record<string, unknown>) {
  for (const key of Object.keys(object)) {
    yield { key: `${identifier.test(key) ? key : quote(key)}: `, item: object[key] }
  }
}
