// The program's text before it is run: its size, and the caller's transform.

import { limitError } from './explain.js'
import type { Program } from './program.js'
import type { AbortedResult, ErrorResult, LimitResult } from './result.js'
import { after } from './timer.js'

type Early =
  | Pick<LimitResult, 'status' | 'error'>
  | Pick<ErrorResult, 'status' | 'error'>
  | Pick<AbortedResult, 'status' | 'error'>

const tooLong = (code: string, { limits: { sourceBytes } }: Program): Early | undefined => {
  const bytes = new TextEncoder().encode(code).length
  return bytes > sourceBytes ? { status: 'limit', error: limitError('sourceBytes', sourceBytes, bytes) } : undefined
}

/** Settles as soon as the signal fires or the time is over, whatever the transform does. */
const within = <T>(work: T | Promise<T>, signal: AbortSignal, ms: number, late: () => unknown): Promise<T> =>
  new Promise((done, failed) => {
    const aborted = () => settle(() => failed(signal.reason))
    const timer = after(ms, () => settle(() => failed(late())))
    const settle = (end: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', aborted)
      end()
    }
    signal.addEventListener('abort', aborted)
    Promise.resolve(work).then(
      (value) => settle(() => done(value)),
      (error) => settle(() => failed(error)),
    )
  })

/**
 * Transforms the program once and checks its size. Gives back what ends the run
 * before it began; a transform that throws is an error of the program, in the
 * line that its message names.
 */
export const prepareSource = async (
  program: Program,
  transform: ((code: string) => string | Promise<string>) | undefined,
  signal: AbortSignal,
  aborted: (reason: unknown) => Early,
): Promise<Early | undefined> => {
  const refused = tooLong(program.code, program)
  if (refused || !transform) return refused
  const { wallClockMs } = program.limits
  const late: Early = { status: 'limit', error: limitError('wallClockMs', wallClockMs, wallClockMs) }
  try {
    const code: unknown = await within(transform(program.code), signal, wallClockMs, () => late)
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
  return tooLong(program.code, program)
}
