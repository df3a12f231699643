import {
  bigintText,
  branded,
  bytesOf,
  dateText,
  dateTime,
  getOwnPropertyDescriptor,
  getter,
  hasOwn,
  isView,
  keys,
  mapEach,
  NativeSet,
  regexpFlags,
  regexpSource,
  regexpTest,
  setAdd,
  setDelete,
  setEach,
  setHas,
  setSize,
  slice,
  symbolText,
  typedName,
  viewPart,
} from './intrinsics.js'
import { blobSize, boxes, type Kind, kindOf } from './kind.js'

const notANumber = Number.isNaN
const json = JSON.stringify
const fileName = getter(globalThis.File?.prototype, 'name')

/** A primitive or a function as text; a string as it is. */
const flatText = (value: unknown): string => {
  switch (typeof value) {
    case 'bigint':
      return `${bigintText(value)}n`
    case 'symbol':
      return symbolText(value)
    case 'function':
      return '[function]'
    default:
      return value === 0 && 1 / value < 0 ? '-0' : `${value as string}`
  }
}

/** An object that holds no others as text: its marks are read, none of its getters; undefined for any other. */
const leafText = (value: object, kind: Kind): string | undefined => {
  switch (kind) {
    case 'date':
      return notANumber(dateTime(value as Date)) ? 'Invalid Date' : dateText(value as Date)
    case 'regexp':
      return `/${regexpSource(value)}/${regexpFlags(value)}`
    case 'error':
      return errorText(value)
    case 'blob':
      return `[${branded(fileName, value) ? `File ${json(fileName?.(value))}` : 'Blob'}, ${blobSize?.(value)} bytes]`
    case 'bytes':
      return isView(value)
        ? `[${typedName(value) ?? 'DataView'}, ${viewPart(value, 'byteLength')} bytes]`
        : `[ArrayBuffer, ${bytesOf(value)} bytes]`
    default:
      return undefined
  }
}

/** Any value in a few words: of an object that holds others, only that it is one. */
export const brief = (value: unknown): string =>
  typeof value === 'object' && value !== null ? (leafText(value, kindOf(value)) ?? '[object]') : flatText(value)

/**
 * Prints any value for a person, in at most `room` characters (plus a mark
 * that says it was cut). Runs no getter; a proxy's traps may run and throw:
 * then that part is “[unreadable]”. `special` prints what the caller knows.
 */
export const print = (
  value: unknown,
  room: number,
  special?: (value: unknown) => string | undefined,
  bare = true,
): string => {
  const open = new NativeSet<unknown>()
  let left = room
  const add = (text: string): string => {
    if (left <= 0) return ''
    left -= text.length
    return left < 0 ? `${slice(text, 0, text.length + left)}…` : text
  }
  const list = (start: string, end: string, each: (item: (text: () => string) => void) => void): string => {
    let text = add(start)
    let first = true
    each((item) => {
      if (left <= 0) return
      if (!first) text += add(', ')
      first = false
      text += item()
    })
    return text + add(end)
  }
  const object = (value: object): string => {
    const kind = kindOf(value)
    switch (kind) {
      case 'map':
        return list('Map {', '}', (item) =>
          mapEach(value as Map<unknown, unknown>, (v, k) => item(() => show(k) + add(' => ') + show(v))),
        )
      case 'set':
        return list('Set {', '}', (item) => setEach(value as Set<unknown>, (v) => item(() => show(v))))
      case 'boxed': {
        const inside = boxes.find((read) => branded(read, value))?.(value)
        return add(`[${typeof inside}: `) + show(inside) + add(']')
      }
      default: {
        const leaf = leafText(value, kind)
        return leaf === undefined ? properties(value, kind === 'array') : add(leaf)
      }
    }
  }
  const properties = (value: object, array: boolean): string => {
    const names = keys(value)
    return list(array ? '[' : '{', array ? ']' : '}', (item) => {
      for (let i = 0; i < names.length && left > 0; i++) {
        const name = names[i] as string
        item(() => {
          const property = getOwnPropertyDescriptor(value, name)
          const label = array && name === `${i}` ? '' : add(`${regexpTest(identifier, name) ? name : json(name)}: `)
          return label + (property && hasOwn(property, 'value') ? show(property.value) : add('[getter]'))
        })
      }
    })
  }
  const show = (value: unknown): string => {
    if (left <= 0) return ''
    const known = special?.(value)
    if (known !== undefined) return add(known)
    if (typeof value === 'string') return add(json(slice(value, 0, left + 1)))
    if (typeof value !== 'object' || value === null) return add(flatText(value))
    if (setHas(open, value)) return add('[circular]')
    if (setSize(open) > 20) return add('…')
    setAdd(open, value)
    let text: string
    try {
      text = object(value)
    } catch {
      text = add('[unreadable]')
    }
    setDelete(open, value)
    return text
  }
  if (bare && typeof value === 'string') return add(value)
  return show(value)
}

const identifier = /^[a-z_$][\w$]*$/i

const field = (value: object, key: string): string | undefined => {
  try {
    const text = (value as Record<string, unknown>)[key]
    return typeof text === 'string' ? text : undefined
  } catch {
    return undefined
  }
}

/** “Name: message” of an error, whatever its getters do. */
export const errorText = (error: object): string => {
  const name = field(error, 'name') ?? 'Error'
  const message = field(error, 'message')
  return message ? `${name}: ${message}` : name
}
