import { useEffect, useState } from 'react'
import type { Log } from './operations'
import type { Ready } from './shapes'

/** Waits until the calls of a log are listed: some seconds for a large one that is opened for the first time. */
export const useReady = (log: Log): Ready & { failure?: string } => {
  const [state, setState] = useState<Ready & { failure?: string }>({ ready: false, done: 0, total: 0 })
  useEffect(() => {
    const over = new AbortController()
    setState({ ready: false, done: 0, total: 0 })
    const wait = async (): Promise<void> => {
      for (;;) {
        const next = await log.ready(over.signal)
        if (over.signal.aborted) return
        setState(next)
        if (next.ready) return
      }
    }
    wait().catch((error: unknown) => {
      if (!over.signal.aborted)
        setState({ ready: false, done: 0, total: 0, failure: error instanceof Error ? error.message : String(error) })
    })
    return () => over.abort(new DOMException('another log is looked at', 'AbortError'))
  }, [log])
  return state
}
