// What a model gets to read of a result: JSON-safe, bounded, the important
// things first, and every cut said.

import { print } from '../shared/text.js'
import type { Result } from './result.js'

/** A value as JSON can hold it: what JSON lacks becomes a readable text. */
const toJson = (root: unknown, room: { left: number }, seen: object[] = []): unknown => {
  if (room.left <= 0) return '…'
  const take = (text: string) => {
    const kept = text.length > room.left ? `${text.slice(0, room.left)}… (${text.length} characters)` : text
    room.left -= kept.length + 3
    return kept
  }
  if (typeof root === 'string') return take(root)
  if (
    root === null ||
    typeof root === 'boolean' ||
    (typeof root === 'number' && Number.isFinite(root) && !Object.is(root, -0))
  ) {
    room.left -= String(root).length + 1
    return root
  }
  if (typeof root !== 'object') return take(print(root, room.left))
  if (seen.includes(root)) return take('[circular]')
  if (seen.length > 40) return take('[nested too deeply to show]')
  const inner = [...seen, root]
  if (root instanceof Map) {
    return { Map: list([...root].map(([key, value]) => [key, value])) }
  }
  if (root instanceof Set) return { Set: list([...root]) }
  if (Array.isArray(root)) return list(root)
  const plain = Object.getPrototypeOf(root)
  if (plain !== Object.prototype && plain !== null) return take(print(root, room.left))
  const object: Record<string, unknown> = {}
  const entries = Object.entries(root)
  for (const [i, [key, value]] of entries.entries()) {
    if (room.left < key.length + 8) {
      object['…'] = `${entries.length - i} more properties were cut`
      break
    }
    room.left -= key.length + 4
    // A property that is undefined is not there for JSON.
    if (value !== undefined)
      Object.defineProperty(object, key, {
        value: toJson(value, room, inner),
        configurable: true,
        enumerable: true,
        writable: true,
      })
  }
  return object

  function list(items: unknown[]): unknown[] {
    const out: unknown[] = []
    for (let i = 0; i < items.length; i++) {
      if (room.left < 8) {
        out.push(`… ${items.length - i} more items were cut`)
        break
      }
      out.push(toJson(items[i], room, inner))
      room.left -= 1
    }
    return out
  }
}

/** A result as a model may read it. Values are JSON-safe. */
export interface ToolOutput {
  status: Result['status']
  value?: unknown
  error?: unknown
  pending?: unknown
  logs?: string[]
  calls?: string[]
  cut?: string
}

/**
 * The result for the model, at most `maxChars` (20 000) characters as JSON:
 * status (never cut), value or error, what waits, the tail of the log, and
 * which calls ran. What was cut is said. No continuation in it.
 */
export const toToolOutput = (result: Result, { maxChars = 20_000 }: { maxChars?: number } = {}): ToolOutput => {
  const output: ToolOutput = { status: result.status }
  const size = () => JSON.stringify(output).length
  const cuts: string[] = []
  /** Room for the sentence about what was cut. */
  const reserve = 120
  const fits = () => size() + reserve <= maxChars
  const note = () => {
    if (cuts.length && size() + cuts.join('; ').length + 12 <= maxChars) output.cut = cuts.join('; ')
    return output
  }

  /** Puts a value in, in less and less room until the whole fits. */
  const put = (key: 'value' | 'error' | 'pending', value: unknown) => {
    for (let room = Math.max(0, maxChars - size() - reserve); ; room = Math.floor(room / 2)) {
      const left = { left: room }
      output[key] = toJson(value, left)
      if (fits()) {
        if (left.left <= 8) cuts.push(`${key} was cut`)
        return
      }
      if (room < 8) {
        delete output[key]
        cuts.push(`${key} was left out`)
        return
      }
    }
  }
  if (result.status === 'ok') put('value', result.value === undefined ? null : result.value)
  else if (result.status === 'pending') {
    put(
      'pending',
      result.pending.map(({ fn, input }) => ({ fn, input, waits: 'for a person to approve; it has not run' })),
    )
  } else {
    const { name, message, line } = result.error as { name: string; message: string; line?: number }
    put('error', line === undefined ? { name, message } : { name, message, line })
  }

  const fill = (key: 'logs' | 'calls', lines: string[], fromEnd: boolean) => {
    if (!lines.length) return
    const kept: string[] = []
    let room = maxChars - size() - reserve - key.length - 6
    const ordered = fromEnd ? [...lines].reverse() : lines
    for (const line of ordered) {
      const cost = JSON.stringify(line).length + 1
      if (cost > room) break
      room -= cost
      kept.push(line)
    }
    if (kept.length) output[key] = fromEnd ? kept.reverse() : kept
    if (kept.length < lines.length)
      cuts.push(`${lines.length - kept.length} ${key === 'logs' ? 'earlier log lines' : 'calls'} were left out`)
  }
  fill(
    'logs',
    result.logs.map(
      ({ level, text }) =>
        `${level === 'log' ? '' : `[${level}] `}${text.length > 2_000 ? `${text.slice(0, 2_000)}… (${text.length} characters)` : text}`,
    ),
    true,
  )
  fill(
    'calls',
    result.calls.map(({ seq, fn, state, ms, error, awaited }) => {
      const why = error ? ` (${error.message.slice(0, 200)})` : ''
      return `${seq} ${fn}: ${state}${state === 'ok' ? ` in ${Math.round(ms)} ms` : ''}${why}${awaited === false ? ', not awaited' : ''}`
    }),
    false,
  )
  return note()
}
