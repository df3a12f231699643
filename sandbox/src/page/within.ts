import { after } from './timer.js'

/** What the work gives; rejects as soon as the signal fires, with its reason, or after `ms`, with `late`. */
export const within = async <T>(work: Promise<T>, signal: AbortSignal, ms: number, late: unknown): Promise<T> => {
  let abort = () => {}
  let timer: ReturnType<typeof after>
  const end = new Promise<never>((_, failed) => {
    abort = () => failed(signal.reason)
    timer = after(ms, () => failed(late))
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
  })
  try {
    return await Promise.race([work, end])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}
