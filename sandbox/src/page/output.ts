// What a model gets to read of a result: JSON-safe, bounded, the important
// things first, and every cut said.

import { type Room, toJson } from './json.js'
import { demand, isPositive } from './mistake.js'
import type { CallRecord, LogLine, Result } from './result.js'

/** A result as a model may read it. Values are JSON-safe. */
export interface ToolOutput {
  status: Result['status']
  value?: unknown
  error?: unknown
  pending?: unknown
  logs?: string[]
  calls?: string[]
  /** What was cut or left out. */
  cut?: string
}

type Main = 'value' | 'error' | 'pending'

/** Longest log line that a model gets, in characters. */
const lineRoom = 2_000
/** Room for the note that says what was cut: in full, or where there is little room by names alone. */
const noteRoom = (maxChars: number): number => (maxChars < 250 ? ',"cut":"pending, logs, calls"'.length : 100)

const mainOf = (result: Result): [Main, unknown] => {
  if (result.status === 'ok') return ['value', result.value ?? null]
  if (result.status === 'pending') {
    const waits = 'for a person to approve; it has not run'
    return ['pending', result.pending.map(({ fn, input }) => ({ fn, input, waits }))]
  }
  const { name, message, line } = result.error as { name: string; message: string; line?: number }
  return ['error', { name, message, line }]
}

const logText = ({ level, text }: LogLine): string =>
  (level === 'log' ? '' : `[${level}] `) +
  (text.length > lineRoom ? `${text.slice(0, lineRoom)}… (${text.length} characters)` : text)

const callText = ({ seq, fn, state, ms, error, awaited }: CallRecord): string =>
  `${seq} ${fn}: ${state}${state === 'ok' ? ` in ${Math.round(ms)} ms` : ''}` +
  (error ? ` (${error.message.slice(0, 200)})` : '') +
  (awaited === false ? ', not awaited' : '')

/**
 * The result for the model, at most `maxChars` (20 000) characters as JSON:
 * status (never cut), value or error or what waits, the tail of the log, and
 * which calls ran, in that order of importance. What was cut is said. No
 * continuation in it. Throws a TypeError when `maxChars` is not a positive number.
 */
export const toToolOutput = (result: Result, { maxChars = 20_000 }: { maxChars?: number } = {}): ToolOutput => {
  demand(isPositive(maxChars), 'maxChars', 'a positive number', maxChars)
  const [main, value] = mainOf(result)
  // Only when not everything fits is room kept for the note.
  return (
    build(result, main, value, maxChars, maxChars) ??
    (build(result, main, value, maxChars, maxChars - noteRoom(maxChars)) as ToolOutput)
  )
}

/** Fills `room` characters; undefined when something had to be cut and nothing was kept for saying so. */
const build = (result: Result, main: Main, value: unknown, maxChars: number, room: number): ToolOutput | undefined => {
  const output: ToolOutput = { status: result.status }
  const size = () => JSON.stringify(output).length
  const cuts = new Map<string, string>()

  // The text can be longer than its characters (escapes): try in less and less room.
  for (let most = Math.max(room, 0); ; most = Math.floor(most / 2)) {
    const left: Room = { left: most, cut: false }
    output[main] = toJson(value, left)
    if (size() <= room) {
      if (left.cut) cuts.set(main, `${main} was cut`)
      break
    }
    if (most < 8) {
      delete output[main]
      cuts.set(main, `${main} was left out`)
      break
    }
  }
  const fill = (key: 'logs' | 'calls', lines: string[], what: string) => {
    let left = room - size() - `,"${key}":[]`.length
    const kept: string[] = []
    for (const line of lines) {
      left -= JSON.stringify(line).length + 1
      if (left < -1) break
      kept.push(line)
    }
    if (kept.length) output[key] = key === 'logs' ? kept.reverse() : kept
    if (kept.length < lines.length) cuts.set(key, `${lines.length - kept.length} ${what} were left out`)
  }
  fill('logs', result.logs.map(logText).reverse(), 'earlier log lines')
  fill('calls', result.calls.map(callText), 'calls')
  if (!cuts.size) return output
  if (room === maxChars) return undefined
  for (const note of [[...cuts.values()].join('; '), [...cuts.keys()].join(', ')]) {
    output.cut = note
    if (size() <= maxChars) return output
  }
  delete output.cut
  return output
}
