// Turns what was thrown into the sentence that a person or a model wants to
// read: name, message, line, and where it helps, what to write instead.

import type { Fault } from '../shared/protocol.js'
import type { ProgramError } from './result.js'

/** The error of a program that threw. */
export const programError = async (fault: Fault, code: string, names: readonly string[]): Promise<ProgramError> => {
  const { name, message, line, column, stack } = fault
  const text = !message ? name : !name || message.startsWith(`${name}:`) ? message : `${name}: ${message}`
  const hint = await import('./hints.js').then(({ hintFor }) => hintFor(fault, code, names)).catch(() => '')
  return {
    name,
    message: `${text}${line ? ` (line ${line})` : ''}${hint && (!line && /[.!?]$/.test(text) ? '' : '.')}${hint}`,
    ...(line && { line, ...(column && { column }) }),
    ...(stack && { stack }),
  }
}
