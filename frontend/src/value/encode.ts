import { jsonBytes, toBase64, toUnits } from './bytes'
import { byteKinds, maxBytes, maxDepth, member, type Tagged, ValueError } from './tagged'

const loneSurrogate = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/
const arrayIndex = /^(?:0|[1-9]\d{0,9})$/

/** By UTF-16 units, as RFC 8785 sorts keys; localeCompare would not. */
const byUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Turns a value that structured clone gave into its tagged form. The walk is
 * done when this returns; only the contents of files and blobs, which cannot
 * change, are read afterwards. `root` begins the paths in messages.
 *
 * Rejects with a ValueError that names the path: a cycle, a value that expands
 * beyond `most` bytes of text (2 MiB; shared references count each time), and kinds that have
 * no form. Boxed primitives are sent as their primitives.
 */
export const encode = async (value: unknown, root = 'input', most = maxBytes): Promise<Tagged> => {
  const encoder = new Encoder(most)
  const tree = encoder.any(value, root, 0)
  if (encoder.reads.length > 0) await Promise.all(encoder.reads)
  return tree
}

class Encoder {
  /** Contents that are still to be read into the tree. */
  readonly reads: Promise<void>[] = []
  private readonly ancestors = new Set<object>()
  private bytes = 0
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  any(value: unknown, path: string, depth: number): Tagged {
    switch (typeof value) {
      case 'string':
        return this.text(value, path)
      case 'number':
        return this.number(value, path)
      case 'boolean':
        this.count(5, path)
        return value
      case 'undefined':
        return this.tag({ $: 'undefined' }, path, 0)
      case 'bigint': {
        const text = String(value)
        return this.tag({ $: 'bigint', v: text }, path, text.length)
      }
      case 'object':
        if (value === null) {
          this.count(4, path)
          return null
        }
        return this.object(value, path, depth)
      default:
        throw new ValueError(`${path}: a ${typeof value} cannot be sent; send data only`)
    }
  }

  private number(value: number, path: string): Tagged {
    if (Number.isFinite(value) && !Object.is(value, -0)) {
      this.count(String(value).length, path)
      return value
    }
    return this.tag({ $: 'number', v: Object.is(value, -0) ? '-0' : String(value) }, path, 9)
  }

  private text(value: string, path: string): Tagged {
    if (loneSurrogate.test(value)) return this.tag({ $: 'string', v: toUnits(value) }, path, value.length * 4)
    this.count(jsonBytes(value), path)
    return value
  }

  private object(value: object, path: string, depth: number): Tagged {
    if (value instanceof Number || value instanceof String || value instanceof Boolean || value instanceof BigInt) {
      return this.any(value.valueOf(), path, depth)
    }
    if (value instanceof Date) {
      return this.tag({ $: 'date', v: Number.isNaN(value.getTime()) ? null : value.toISOString() }, path, 29)
    }
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return this.binary(value, path)
    if (typeof Blob !== 'undefined' && value instanceof Blob) return this.blob(value, path)
    if (this.ancestors.has(value)) throw new ValueError(`${path}: it contains itself; send a tree`)
    this.ancestors.add(value)
    const tree = this.container(value, path, depth)
    this.ancestors.delete(value)
    return tree
  }

  private container(value: object, path: string, depth: number): Tagged {
    if (Array.isArray(value)) return this.array(value, path, depth)
    if (value instanceof Map) {
      const pairs: Tagged[] = []
      for (const [key, item] of value) {
        const inside = this.deeper(path, depth, 3)
        const at = pairs.length
        pairs.push([this.any(key, `${path} key ${at}`, inside), this.any(item, `${path} entry ${at}`, inside)])
      }
      this.deeper(path, depth, 2)
      return this.tag({ $: 'map', v: pairs }, path, 2)
    }
    if (value instanceof Set) {
      const inside = this.deeper(path, depth, 2)
      const items: Tagged[] = []
      for (const item of value) items.push(this.any(item, `${path} entry ${items.length}`, inside))
      return this.tag({ $: 'set', v: items }, path, 2)
    }
    if (value instanceof RegExp) {
      this.deeper(path, depth, 2)
      return this.tag({ $: 'regexp', v: [this.text(value.source, path), value.flags] }, path, 12)
    }
    if (value instanceof Error) {
      const parts = { message: this.text(String(value.message), path), name: this.text(String(value.name), path) }
      this.deeper(path, depth, 2)
      return this.tag({ $: 'error', v: parts }, path, 20)
    }
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype === Object.prototype || prototype === null) return this.plain(value, path, depth)
    const name = (prototype as { constructor?: { name?: unknown } }).constructor?.name
    throw new ValueError(`${path}: a ${String(name ?? 'value of this class')} cannot be sent; send a plain object`)
  }

  private array(value: unknown[], path: string, depth: number): Tagged {
    const keys = Object.keys(value)
    const named = keys.find((key) => !arrayIndex.test(key) || Number(key) >= value.length)
    if (named !== undefined) throw new ValueError(`${member(path, named)}: an array with named members cannot be sent`)
    if (keys.length === value.length) {
      this.deeper(path, depth, 1)
      return value.map((item, at) => this.any(item, `${path}[${at}]`, depth + 1))
    }
    this.deeper(path, depth, 2)
    const pairs = keys.map((key): Tagged => {
      this.count(key.length + 3, path)
      return [Number(key), this.any(value[Number(key)], `${path}[${key}]`, this.deeper(path, depth, 3))]
    })
    return this.tag({ $: 'array', n: value.length, v: pairs }, path, 20)
  }

  private plain(value: object, path: string, depth: number): Tagged {
    const members = value as Record<string, unknown>
    const keys = Object.keys(members).sort(byUnits)
    if (keys.some((key) => key === '$' || loneSurrogate.test(key))) {
      const pairs = keys.map((key): Tagged => {
        const inside = this.deeper(path, depth, 3)
        return [this.text(key, path), this.any(members[key], member(path, key), inside)]
      })
      return this.tag({ $: 'object', v: pairs }, path, 2)
    }
    this.deeper(path, depth, 1)
    this.count(2, path)
    const tree: { [key: string]: Tagged } = {}
    for (const key of keys) {
      const at = member(path, key)
      this.count(jsonBytes(key) + 2, at)
      const value = this.any(members[key], at, depth + 1)
      // An assignment to the key __proto__ would be lost; to any other it is several times faster.
      if (key !== '__proto__') tree[key] = value
      else Object.defineProperty(tree, key, { value, enumerable: true, writable: true, configurable: true })
    }
    return tree
  }

  private binary(value: ArrayBuffer | ArrayBufferView, path: string): Tagged {
    const kind = (value as { [Symbol.toStringTag]?: string })[Symbol.toStringTag] ?? ''
    if (!(byteKinds as readonly string[]).includes(kind)) throw new ValueError(`${path}: a ${kind} cannot be sent`)
    this.count(base64Length(value.byteLength), path)
    const bytes = ArrayBuffer.isView(value)
      ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
      : new Uint8Array(value)
    return this.tag({ $: 'bytes', t: kind, v: toBase64(bytes) }, path, kind.length)
  }

  private blob(value: Blob, path: string): Tagged {
    this.count(base64Length(value.size), path)
    const content: { [key: string]: Tagged } = { bytes: '' }
    if (value instanceof File) {
      content.modified = value.lastModified
      content.name = value.name
    }
    content.type = value.type
    this.reads.push(
      value.arrayBuffer().then((buffer) => {
        content.bytes = toBase64(new Uint8Array(buffer))
      }),
    )
    return this.tag({ $: value instanceof File ? 'file' : 'blob', v: content }, path, 60)
  }

  private tag(tree: { [key: string]: Tagged }, path: string, size: number): Tagged {
    this.count(size + 20, path)
    return tree
  }

  /** Refuses what nests too deep for recursive readers, here and in Go. */
  private deeper(path: string, depth: number, levels: number): number {
    if (depth + levels > maxDepth) throw new ValueError(`${path}: it nests deeper than ${maxDepth} levels`)
    return depth + levels
  }

  private count(bytes: number, path: string): void {
    this.bytes += bytes + 1
    if (this.bytes > this.most)
      throw new ValueError(
        `${path}: the value takes more than ${this.most} bytes as text, in which bytes are base64; send it in parts`,
      )
  }
}

const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4
