import { useEffect, useState } from 'react'

/** What became of a question. */
export type Answered<T> = { value?: T; failure?: string; asking: boolean }

/**
 * Asks, and asks anew when `key` is another one; what an old question comes to is
 * forgotten. While a new one is on its way the old answer stays.
 */
export const useAnswer = <T>(key: string, ask: (signal: AbortSignal) => Promise<T>): Answered<T> => {
  const [answered, setAnswered] = useState<Answered<T>>({ asking: true })
  // biome-ignore lint/correctness/useExhaustiveDependencies: key stands for what is asked
  useEffect(() => {
    const over = new AbortController()
    setAnswered((before) => ({ ...before, asking: true }))
    ask(over.signal).then(
      (value) => !over.signal.aborted && setAnswered({ value, asking: false }),
      (error: unknown) =>
        !over.signal.aborted &&
        setAnswered({ failure: error instanceof Error ? error.message : String(error), asking: false }),
    )
    return () => over.abort(new DOMException('something else is asked', 'AbortError'))
  }, [key])
  return answered
}
