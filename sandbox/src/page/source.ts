// The program's text before it is run: its size, and the caller's transform.

import { aborted, type Failure, limited } from './ending.js'
import type { SandboxOptions } from './options.js'
import type { Program } from './program.js'
import type { Run } from './run.js'
import { after } from './timer.js'

const tooLong = ({ code, limits }: Program): Failure | undefined => {
  const bytes = new TextEncoder().encode(code).length
  return bytes > limits.sourceBytes ? limited(limits, 'sourceBytes', bytes) : undefined
}

/** Settles as soon as the signal fires or the time is over, whatever the transform does. */
const within = async <T>(work: T | Promise<T>, signal: AbortSignal, ms: number, late: unknown): Promise<T> => {
  let stop = (_reason: unknown) => {}
  const abort = () => stop(signal.reason)
  const timer = after(ms, () => stop(late))
  signal.addEventListener('abort', abort)
  try {
    return await new Promise<T>((done, failed) => {
      stop = failed
      Promise.resolve(work).then(done, failed)
    })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
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
    const code: unknown = await within(transform(program.code), signal, wallClockMs, late)
    if (typeof code !== 'string') throw new TypeError(`\`transform\` must give a string, and gave ${typeof code}.`)
    program.code = code
  } catch (error) {
    if (signal.aborted) return aborted(signal.reason)
    if (error === late) return late
    if (!(error instanceof Error)) return { status: 'error', error: { name: 'Error', message: String(error) } }
    const { name, message } = error
    const line = Number(/\(line (\d+)\)$/.exec(message)?.[1])
    return { status: 'error', error: { name, message: `${name}: ${message}`, ...(line > 0 && { line }) } }
  }
  return tooLong(program)
}
