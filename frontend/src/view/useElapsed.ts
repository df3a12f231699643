import { useEffect, useState } from 'react'
import { isOver, type RunView } from '../run/runView'

/** ms that a run has taken, moving on while it is. */
export const useElapsed = (run: RunView): number => {
  const over = isOver(run)
  const [more, setMore] = useState(0)
  const { elapsed } = run
  // biome-ignore lint/correctness/useExhaustiveDependencies: counted anew from each time that the run tells
  useEffect(() => {
    setMore(0)
    if (over) return
    const since = performance.now()
    const timer = setInterval(() => setMore(performance.now() - since), 250)
    return () => clearInterval(timer)
  }, [elapsed, over])
  return over ? elapsed : elapsed + more
}
