// A value as JSON can hold it, in bounded room.

import { kindOf } from '../shared/kind.js'
import { brief } from '../shared/text.js'

/** How many characters are left, and whether something was left out for want of them. */
export interface Room {
  left: number
  cut: boolean
}

const deepest = 40

/** What JSON lacks becomes a readable text; what does not fit is cut, and said in its place. */
export const toJson = (root: unknown, room: Room, seen: object[] = []): unknown => {
  const short = (text: string) => {
    room.cut = true
    return text
  }
  if (room.left <= 0) return short('…')
  const take = (text: string) => {
    const kept = text.length > room.left ? short(`${text.slice(0, room.left)}… (${text.length} characters)`) : text
    room.left -= kept.length + 3
    return kept
  }
  if (typeof root === 'string') return take(root)
  const plainNumber = typeof root === 'number' && Number.isFinite(root) && !Object.is(root, -0)
  if (root === null || typeof root === 'boolean' || plainNumber) {
    room.left -= String(root).length + 1
    return root
  }
  if (typeof root !== 'object') return take(brief(root))
  if (seen.includes(root)) return take('[circular]')
  if (seen.length > deepest) return short('[nested too deeply to show]')
  const inner = [...seen, root]
  const list = (items: unknown[]): unknown[] => {
    const out: unknown[] = []
    for (let i = 0; i < items.length; i++) {
      if (room.left <= 0) {
        out.push(short(`… ${items.length - i} more items were cut`))
        break
      }
      out.push(toJson(items[i], room, inner))
      room.left -= 1
    }
    return out
  }
  switch (kindOf(root)) {
    case 'map':
      return { Map: list([...(root as Map<unknown, unknown>)]) }
    case 'set':
      return { Set: list([...(root as Set<unknown>)]) }
    case 'array':
      return list(root as unknown[])
    case 'plain':
      break
    default:
      return take(brief(root))
  }
  const object: Record<string, unknown> = {}
  const put = (key: string, value: unknown) =>
    Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true })
  const entries = Object.entries(root)
  for (const [i, [key, value]] of entries.entries()) {
    if (room.left < key.length) {
      put('…', short(`${entries.length - i} more properties were cut`))
      break
    }
    room.left -= key.length + 4
    // A property that is undefined is not there for JSON.
    if (value !== undefined) put(key, toJson(value, room, inner))
  }
  return object
}

/** Any value as a text of about so many characters at most: a string as it is, what holds others as JSON. */
export const jsonText = (value: unknown, most = 2_000): string => {
  const json = toJson(value, { left: most, cut: false })
  return typeof json === 'string' ? json : JSON.stringify(json)
}
