import { useEffect, useState } from 'react'
import type { Log } from './operations'

/** The number of the log's last entry, once it lies behind the one that is shown. */
export const useNews = (log: Log, head: number | undefined): number | undefined => {
  const [news, setNews] = useState<number>()
  useEffect(() => {
    setNews(undefined)
    if (head === undefined) return
    const over = new AbortController()
    log.watch(head, over.signal).then(
      (answer) => !over.signal.aborted && setNews(answer.head),
      () => {}, // that the log cannot be read is said where it is listed
    )
    return () => over.abort(new DOMException('nobody waits any more', 'AbortError'))
  }, [log, head])
  return news
}
