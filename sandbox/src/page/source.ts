// The program's text before it is run: its size, and the caller's transform.

import { brief } from '../shared/text.js'
import { aborted, type Failure, failed, limited } from './ending.js'
import { demand } from './mistake.js'
import type { SandboxOptions } from './options.js'
import type { Program } from './program.js'
import type { Run } from './run.js'
import { within } from './within.js'

const tooLong = ({ code, limits }: Program): Failure | undefined => {
  const bytes = new TextEncoder().encode(code).length
  return bytes > limits.sourceBytes ? limited(limits, 'sourceBytes', bytes) : undefined
}

/**
 * Transforms the program once and checks its size. Gives back what ends the run
 * before it began; a transform that throws is an error of the program, in the
 * line that its message names.
 */
export const prepareSource = async (
  { program, signal }: Run,
  transform: SandboxOptions['transform'],
): Promise<Failure | undefined> => {
  const refused = tooLong(program)
  if (refused || !transform) return refused
  const { wallClockMs } = program.limits
  const late = limited(program.limits, 'wallClockMs', wallClockMs)
  try {
    const given = Promise.resolve(transform(program.code))
    const code: unknown = await within(given, signal, wallClockMs, late)
    demand(typeof code === 'string', 'What transform gives', 'a string', code)
    program.code = code
  } catch (error) {
    if (signal.aborted) return aborted(signal.reason)
    if (error === late) return late
    const { name, message } = error instanceof Error ? error : new Error(brief(error))
    const line = Number(/\(line (\d+)\)$/.exec(message)?.[1])
    return failed(name, message, line > 0 ? { line } : undefined)
  }
  return tooLong(program)
}
