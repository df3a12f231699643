import { useCallback, useEffect, useState } from 'react'
import type { Part } from './part'

/** A part as far as it is there, or why it is not; `again` tries once more. */
export interface PartNow<T> {
  there: T | undefined
  failure: string | undefined
  again: () => void
}

/** Loads a part when one is wanted. What is there already is given at once, so that nothing flashes. */
export const usePart = <T>(wanted: Part<T> | undefined): PartNow<T> => {
  const [heard, setHeard] = useState<{ of: Part<T>; failure?: string }>()
  const [tries, setTries] = useState(0)
  const there = wanted?.get()
  const missing = there === undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once more for each try
  useEffect(() => {
    if (!wanted || !missing) return
    let current = true
    wanted.load().then(
      () => current && setHeard({ of: wanted }),
      (error: Error) => current && setHeard({ of: wanted, failure: error.message }),
    )
    return () => {
      current = false
    }
  }, [wanted, missing, tries])
  const again = useCallback(() => {
    setHeard(undefined)
    setTries((n) => n + 1)
  }, [])
  return { there, failure: there === undefined && heard?.of === wanted ? heard?.failure : undefined, again }
}
