import { useCallback, useEffect, useRef, useState } from 'react'

/**
 * Work that takes a moment and can fail: one at a time, stopped when the person asks or leaves.
 * `failed` is a sentence.
 */
export const useBusy = () => {
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string>()
  const working = useRef<AbortController>(undefined)
  const stop = useCallback(() => working.current?.abort(), [])
  useEffect(() => stop, [stop])
  const run = useCallback(async (work: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    working.current?.abort()
    const mine = new AbortController()
    working.current = mine
    setBusy(true)
    setFailed(undefined)
    try {
      await work(mine.signal)
    } catch (error) {
      if (!mine.signal.aborted) setFailed(error instanceof Error ? error.message : String(error))
    } finally {
      if (working.current === mine) setBusy(false)
    }
  }, [])
  return { busy, failed, run, stop }
}
