import '../style/review.css'
import '../style/review-calls.css'
import '../style/review-call.css'
import '../style/review-menus.css'
import '../style/review-pictures.css'
import '../style/review-trust.css'
import '../style/review-room.css'
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { Opened } from '../open'
import { Calls } from './Calls'
import { Charts } from './Charts'
import { Ends } from './Ends'
import { createLog, createLogs } from './operations'
import { ReadOnlyBanner } from './ReadOnlyBanner'
import { ReviewHead, type Tab } from './ReviewHead'
import type { Filter, Source } from './shapes'
import { Trust } from './Trust'
import { useReady } from './useReady'
import { useTabKeys } from './useTabKeys'
import { many } from './words'

/** The log in the window: what was called, who decided, how it ended, and whether the log is whole. */
export const Review = ({ opened }: { opened: Opened }) => {
  const { ask, places, trouble } = opened
  const place = useSyncExternalStore(places.subscribe, places.get)
  const wrong = useSyncExternalStore(trouble.subscribe, trouble.get)
  const asked = place.at === 'log' ? place.run : undefined
  const askedTab = place.at === 'log' ? place.tab : undefined
  const logs = useMemo(() => createLogs(ask), [ask])
  const [sources, setSources] = useState<Source[]>([])
  const [chosen, setChosen] = useState('own')
  const [failure, setFailure] = useState<string>()
  const [tab, setTab] = useState<Tab>(askedTab ?? 'calls')
  const [filter, setFilter] = useState<Filter>(asked ? { run: asked } : {})
  const log = useMemo(() => createLog(ask, chosen), [ask, chosen])
  const source = sources.find(({ id }) => id === chosen)
  const ready = useReady(log)

  const attempt = useCallback(async (what: () => Promise<void>): Promise<void> => {
    setFailure(undefined)
    try {
      await what()
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
    }
  }, [])
  const refresh = useCallback(async (): Promise<void> => setSources(await logs.sources()), [logs])
  useEffect(() => void attempt(refresh), [attempt, refresh])
  // Somebody was sent here to see one run.
  useEffect(() => {
    if (asked === undefined) return
    setChosen('own')
    setFilter({ run: asked })
    setTab('calls')
  }, [asked])
  useEffect(() => {
    if (askedTab === undefined) return
    setChosen('own')
    setTab(askedTab)
  }, [askedTab])
  const looking = tab === 'trust' && chosen === 'own' && wrong !== undefined
  useEffect(() => {
    if (looking) trouble.look()
  }, [looking, trouble])

  const openAnother = (): Promise<void> =>
    attempt(async () => {
      const other = await logs.open()
      if (!other) return
      await refresh()
      setFilter({})
      setTab('calls')
      setChosen(other.id)
    })
  useTabKeys(setTab, () => void openAnother())
  const close = (id: string): Promise<void> =>
    attempt(async () => {
      setChosen('own')
      setFilter({})
      await logs.close(id)
      await refresh()
    })
  const show = (next: Filter): void => {
    setFilter(next)
    setTab('calls')
  }

  return (
    <main className={`review ${source && source.kind !== 'own' ? 'review-foreign' : ''}`} aria-label="Log">
      {source && source.kind !== 'own' && <ReadOnlyBanner source={source} onClose={() => void close(source.id)} />}
      <ReviewHead
        tab={tab}
        trouble={chosen === 'own' ? wrong?.title : undefined}
        onTab={setTab}
        sources={sources}
        chosen={chosen}
        onChoose={(id) => {
          setFilter({})
          setChosen(id)
        }}
        onOpen={() => void openAnother()}
      />
      {(failure ?? ready.failure) !== undefined && (
        <p className="review-failure" role="alert">
          {failure ?? ready.failure}
        </p>
      )}
      {!ready.ready && ready.failure === undefined && (
        <div className="review-reading" role="status">
          <progress max={Math.max(ready.total, 1)} value={ready.done} aria-label="Listing the calls" />
          <p>
            Listing the calls of this log
            {ready.total > 0 ? `: ${many(ready.done)} of ${many(ready.total)} entries` : ''}…
          </p>
        </div>
      )}
      {ready.ready && tab === 'calls' && (
        <Calls
          key={chosen}
          opened={opened}
          log={log}
          logs={logs}
          source={source}
          filter={filter}
          onFilter={setFilter}
        />
      )}
      {ready.ready && tab === 'charts' && <Charts key={chosen} log={log} filter={filter} onFilter={show} />}
      {ready.ready && tab === 'ends' && <Ends key={chosen} opened={opened} log={log} source={source} onFilter={show} />}
      {tab === 'trust' && (
        <Trust key={chosen} log={log} source={source} trouble={chosen === 'own' ? wrong : undefined} />
      )}
    </main>
  )
}
