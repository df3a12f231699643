import { create, define, slice } from '../shared/intrinsics.js'
import type { LogLevel } from '../shared/protocol.js'
import { print } from '../shared/text.js'
import { stringBytes } from '../shared/value.js'
import { send } from './channel.js'
import { special } from './fault.js'
import { exceed, pass } from './state.js'

/** Longest print of one value that is no string, in characters. */
const valueRoom = 10_000
let lines = 0
let bytes = 0

/** Logs one line. The line that exceeds a limit is kept, cut; nothing follows it. */
export const log = (level: LogLevel, text: string): void => {
  if (pass.over) return
  const room = pass.limits.logBytes - bytes
  const size = stringBytes(text)
  lines++
  bytes += size
  if (lines > pass.limits.logLines) return exceed('logLines', lines)
  send({ type: 'log', level, text: size > room ? `${slice(text, 0, room * (text.length / size))}…` : text })
  if (size > room) exceed('logBytes', bytes)
}

const printer = (level: LogLevel) =>
  ({
    log() {
      if (pass.over) return
      // One character more than fits, so that a longer line counts as too long.
      let room = pass.limits.logBytes - bytes + 1
      let text = ''
      for (let i = 0; i < arguments.length && room > 0; i++) {
        const value = arguments[i]
        const part =
          typeof value === 'string' ? slice(value, 0, room) : print(value, room < valueRoom ? room : valueRoom, special)
        text += (i ? ' ' : '') + part
        room -= part.length + 1
      }
      log(level, text)
    },
  }).log

/** What a program sees as `console`; every method that prints does so on one level. */
export const makeConsole = (): object => {
  const console = create(null)
  const levels: Record<string, LogLevel> = {
    debug: 'debug',
    log: 'log',
    info: 'info',
    warn: 'warn',
    error: 'error',
    trace: 'debug',
    dir: 'log',
    dirxml: 'log',
    table: 'log',
    group: 'log',
    groupCollapsed: 'log',
  }
  for (const name of Object.keys(levels)) define(console, name, printer(levels[name] as LogLevel), true)
  const error: (...given: unknown[]) => void = printer('error')
  const more: Record<string, (...given: unknown[]) => void> = {
    assert(condition, what) {
      if (!condition) error('Assertion failed', what)
    },
    groupEnd() {},
  }
  for (const name of Object.keys(more)) define(console, name, more[name], true)
  return console
}
