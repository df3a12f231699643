import { fromBase64, fromUnits } from './bytes'
import { byteKinds, member, ValueError } from './tagged'

type Members = { [key: string]: unknown }

/**
 * Turns a tagged tree, as JSON.parse gave it, back into the value. Bytes that were
 * carried beside it may stand in it as a Uint8Array in place of base64; they become
 * the value's own. Throws a ValueError that names the path where the tree is none.
 */
export const decode = (tree: unknown, root = 'value'): unknown => {
  if (Array.isArray(tree)) return tree.map((item, at) => decode(item, `${root}[${at}]`))
  if (typeof tree !== 'object' || tree === null) return tree
  const node = tree as Members
  if (Object.hasOwn(node, '$')) return untag(node, root)
  const value: Members = {}
  for (const key of Object.keys(node)) define(value, key, decode(node[key], member(root, key)))
  return value
}

/** An assignment to the key __proto__ would be lost; to any other it is several times faster. */
const define = (object: Members, key: string, value: unknown): void => {
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
}

const untag = (node: Members, path: string): unknown => {
  const refuse = (why: string): never => {
    throw new ValueError(`${path}: ${why}`)
  }
  const text = (value: unknown): string => (typeof value === 'string' ? value : refuse('expected a string'))
  /** A string in any of its two forms. */
  const anyText = (value: unknown): string => text(decode(value, path))
  const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : refuse('expected a list'))
  const pair = (value: unknown): [unknown, unknown] => {
    const items = list(value)
    return items.length === 2 ? [items[0], items[1]] : refuse('expected a pair')
  }
  const members = (value: unknown): Members =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Members)
      : refuse('expected an object')
  const index = (value: unknown, most: number): number =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most
      ? (value as number)
      : refuse(`expected a whole number up to ${most}`)
  const bytes = (value: unknown): Uint8Array<ArrayBuffer> => {
    if (value instanceof Uint8Array && value.buffer instanceof ArrayBuffer) return value as Uint8Array<ArrayBuffer>
    try {
      return fromBase64(text(value))
    } catch {
      return refuse('expected base64')
    }
  }
  switch (node.$) {
    case 'undefined':
      return undefined
    case 'number':
      return ['NaN', 'Infinity', '-Infinity', '-0'].includes(text(node.v))
        ? Number(node.v)
        : refuse('expected NaN, Infinity, -Infinity or -0')
    case 'bigint':
      return /^(?:0|-?[1-9]\d*)$/.test(text(node.v)) ? BigInt(text(node.v)) : refuse('expected a decimal integer')
    case 'date': {
      if (node.v === null) return new Date(Number.NaN)
      const date = new Date(text(node.v))
      return Number.isNaN(date.getTime()) ? refuse('expected a date') : date
    }
    case 'string':
      return /^(?:[0-9a-f]{4})*$/.test(text(node.v)) ? fromUnits(text(node.v)) : refuse('expected UTF-16 units in hex')
    case 'bytes':
      return view(text(node.t), bytes(node.v), refuse)
    case 'map':
      return new Map(
        list(node.v)
          .map(pair)
          .map(([k, v], at) => [decode(k, `${path} key ${at}`), decode(v, `${path} entry ${at}`)]),
      )
    case 'set':
      return new Set(list(node.v).map((item, at) => decode(item, `${path} entry ${at}`)))
    case 'regexp': {
      const [source, flags] = pair(node.v)
      try {
        return new RegExp(anyText(source), text(flags))
      } catch {
        return refuse('expected a regular expression that this engine knows')
      }
    }
    case 'error': {
      const { name, message } = members(node.v)
      return Object.assign(new Error(anyText(message)), { name: anyText(name) })
    }
    case 'array': {
      const array: unknown[] = new Array(index(node.n, 2 ** 32 - 1))
      for (const [at, item] of list(node.v).map(pair)) {
        array[index(at, array.length - 1)] = decode(item, `${path}[${String(at)}]`)
      }
      return array
    }
    case 'object': {
      const value: Members = {}
      for (const [key, item] of list(node.v).map(pair))
        define(value, anyText(key), decode(item, member(path, anyText(key))))
      return value
    }
    case 'file': {
      const { name, type, modified, bytes: content } = members(node.v)
      return new File([bytes(content)], text(name), { type: text(type), lastModified: index(modified, 8.64e15) })
    }
    case 'blob': {
      const { type, bytes: content } = members(node.v)
      return new Blob([bytes(content)], { type: text(type) })
    }
    default:
      return refuse(`there is no tag ${JSON.stringify(node.$)}`)
  }
}

const view = (kind: string, bytes: Uint8Array<ArrayBuffer>, refuse: (why: string) => never): unknown => {
  if (kind === 'ArrayBuffer') return bytes.buffer
  if (!(byteKinds as readonly string[]).includes(kind))
    return refuse(`there is no kind of bytes ${JSON.stringify(kind)}`)
  const View = (globalThis as unknown as Record<string, (new (buffer: ArrayBuffer) => unknown) | undefined>)[kind]
  if (View === undefined) return refuse(`this engine has no ${kind}`)
  try {
    return new View(bytes.buffer)
  } catch {
    return refuse(`${bytes.length} bytes do not fill whole elements of a ${kind}`)
  }
}
