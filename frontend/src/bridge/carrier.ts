/**
 * Bytes above 64 KiB do not travel as base64 inside an envelope but as they are,
 * through /bytes/. In their place stands { "$": "carried", "id": … }; Go puts them
 * back before it looks at the value. app/bridge/bytes.go has the other end.
 */

import { fromBase64 } from '../value/bytes'
import type { Tagged } from '../value/tagged'
import { BridgeError } from './bridgeError'

export interface Carrier {
  /** Sends the long bytes of a value ahead; gives the value as it goes into an envelope. */
  send(value: Tagged): Promise<Tagged>
  /**
   * Fetches the bytes of a value that came in an envelope, into the value itself. They are
   * a Uint8Array then, where base64 text would stand; decode takes both.
   */
  receive(value: unknown): Promise<unknown>
}

/** All bytes stay where they are. */
export const carryNothing: Carrier = { send: async (value) => value, receive: async (value) => value }

const carriedFrom = 64 * 1024
const longText = Math.ceil(carriedFrom / 3) * 4

export const createCarrier = (secret: string, request: typeof fetch = (...args) => fetch(...args)): Carrier => {
  const ask = async (path: string, init: RequestInit): Promise<Response> => {
    const headers = { 'X-Countersign-Secret': secret }
    const response = await request(path, { ...init, headers }).catch((error: unknown) => {
      throw new BridgeError('Internal', `The bytes of a value could not be carried: ${String(error)}`)
    })
    if (response.ok) return response
    throw new BridgeError('Internal', `The bytes of a value could not be carried: ${(await response.text()).trim()}`)
  }
  return {
    send: async (value) => {
      if (!holdsLongText(value)) return value // nearly always
      return (await replaceBytes(value, async (content) => {
        if (typeof content !== 'string' || content.length <= longText) return content
        const response = await ask('/bytes/new', { method: 'POST', body: fromBase64(content) })
        return { $: 'carried', id: (await response.json()).id }
      })) as Tagged
    },
    receive: async (value) => {
      const carried = carriedIn(value)
      if (carried.length === 0) return value // nearly always
      const fetched = carried.map(async ({ node, key, id }) => {
        const response = await ask(`/bytes/${encodeURIComponent(id)}`, { method: 'GET' })
        node[key] = new Uint8Array(await response.arrayBuffer())
      })
      await Promise.all(fetched)
      return value
    },
  }
}

/** Whether a value holds text as long as that of bytes which are to be carried. */
const holdsLongText = (node: unknown): boolean => {
  if (typeof node === 'string') return node.length > longText
  if (Array.isArray(node)) return node.some(holdsLongText)
  if (isObject(node)) for (const key in node) if (holdsLongText(node[key])) return true
  return false
}

/** The places of a value that stand for bytes which are still to be fetched. */
const carriedIn = (tree: unknown): { node: Members; key: string; id: string }[] => {
  const found: { node: Members; key: string; id: string }[] = []
  const look = (node: Members, key: string): void => {
    const content = node[key]
    if (isObject(content) && content.$ === 'carried') found.push({ node, key, id: String(content.id) })
  }
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) for (const item of node) walk(item)
    else if (!isObject(node)) return
    else if (node.$ === 'bytes') look(node, 'v')
    else if ((node.$ === 'file' || node.$ === 'blob') && isObject(node.v)) look(node.v, 'bytes')
    else for (const key of Object.keys(node)) walk(node[key])
  }
  walk(tree)
  return found
}

type Members = { [key: string]: unknown }
type Replace = (content: unknown) => Promise<unknown>

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Replaces the base64 text of every tagged bytes, file and blob; gives a new tree where one changed. */
const replaceBytes = async (node: unknown, replace: Replace): Promise<unknown> => {
  if (Array.isArray(node)) return changed(node, await all(node, replace)) ?? node
  if (!isObject(node)) return node
  if (node.$ === 'bytes') return withMember(node, 'v', await replace(node.v))
  if ((node.$ === 'file' || node.$ === 'blob') && isObject(node.v)) {
    return withMember(node, 'v', withMember(node.v, 'bytes', await replace(node.v.bytes)))
  }
  const keys = Object.keys(node)
  const before = keys.map((key) => node[key])
  const after = changed(before, await all(before, replace))
  if (after === undefined) return node
  // fromEntries defines, where an assignment to the key __proto__ would be lost.
  return Object.fromEntries(keys.map((key, at) => [key, after[at]]))
}

const all = (nodes: unknown[], replace: Replace): Promise<unknown[]> =>
  Promise.all(nodes.map((node) => replaceBytes(node, replace)))

const changed = (before: unknown[], after: unknown[]): unknown[] | undefined =>
  after.some((node, at) => node !== before[at]) ? after : undefined

const withMember = (node: Members, key: string, value: unknown): Members =>
  value === node[key] ? node : { ...node, [key]: value }
