import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { Opened } from '../open'
import { CallDetail } from './CallDetail'
import { CallGrid, type GridHandle } from './CallGrid'
import { createCallList } from './callList'
import { ExportMenu } from './ExportMenu'
import { Filters } from './Filters'
import type { Log, Logs } from './operations'
import { SavedFilters } from './SavedFilters'
import type { Filter, Source } from './shapes'
import { useNews } from './useNews'
import { isEmpty, many, plural } from './words'

interface Props {
  opened: Opened
  log: Log
  logs: Logs
  source: Source | undefined
  filter: Filter
  onFilter: (filter: Filter) => void
}

/** The calls that a filter chooses, and one of them in full. */
export const Calls = ({ opened, log, logs, source, filter, onFilter }: Props) => {
  const [round, setRound] = useState(0)
  const key = `${JSON.stringify(filter)} ${round}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: key stands for the filter and for reading anew
  const list = useMemo(() => createCallList(log, filter), [log, key])
  useEffect(() => list.stop, [list])
  const state = useSyncExternalStore(list.subscribe, list.get)
  const [selected, setSelected] = useState<number>()
  const [shown, setShown] = useState<number>()
  const grid = useRef<GridHandle>(null)
  const search = useRef<HTMLInputElement>(null)
  const pane = useRef<HTMLElement>(null)
  const news = useNews(log, state.head)

  // Arrows move at once, unless the person is somewhere already.
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      if (document.activeElement === document.body) grid.current?.focus()
    })
    return () => cancelAnimationFrame(frame)
  }, [])
  const open = useCallback((id: number): void => {
    setShown(id)
    // What it says comes a moment later; the place is there at once.
    requestAnimationFrame(() => pane.current?.focus())
  }, [])
  const close = useCallback((): void => {
    setShown(undefined)
    grid.current?.focus()
  }, [])
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { target } = event
      const typing = target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
      if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault()
        search.current?.focus()
        search.current?.select()
      }
      if (event.key === 'Escape' && shown !== undefined && !typing && !event.defaultPrevented) close()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [shown, close])

  const counted = state.count === undefined ? 'Counting…' : plural(state.count, 'call', 'calls')
  return (
    <div className={`review-calls ${shown === undefined ? '' : 'review-with-detail'}`}>
      <div className="review-list">
        <Filters ref={search} log={log} filter={filter} onFilter={onFilter} onLeave={() => grid.current?.focus()} />
        <div className="review-counted">
          <p role="status">
            <strong>{counted}</strong>
            {state.count !== undefined && (isEmpty(filter) ? ' in all' : ' chosen')}
          </p>
          {news !== undefined && (
            <button type="button" className="review-news" onClick={() => setRound((before) => before + 1)}>
              {plural(news - (state.head ?? 0), 'new entry', 'new entries')} · show
            </button>
          )}
          {!isEmpty(filter) && (
            <button type="button" className="review-link" onClick={() => onFilter({})}>
              Clear
            </button>
          )}
          <SavedFilters logs={logs} filter={filter} onFilter={onFilter} />
          <ExportMenu log={log} filter={filter} count={state.count} signs={source?.signs ?? false} />
        </div>
        {state.failure !== undefined && (
          <p className="review-failure" role="alert">
            {state.failure}
          </p>
        )}
        <CallGrid
          ref={grid}
          list={list}
          state={state}
          selected={selected}
          searching={filter.text !== undefined}
          onSelect={(id) => {
            setSelected(id)
            if (shown !== undefined) setShown(id)
          }}
          onOpen={open}
        />
        {state.count === 0 && (
          <p className="review-nothing">
            {isEmpty(filter) ? 'Nothing was called yet.' : 'No call is chosen by this filter.'}
          </p>
        )}
        <p className="unseen" role="status">
          {state.count === undefined ? '' : `${many(state.count)} calls`}
        </p>
      </div>
      {shown !== undefined && (
        <section className="review-detail" ref={pane} tabIndex={-1} aria-label="One call">
          <CallDetail
            opened={opened}
            log={log}
            id={shown}
            own={source?.kind === 'own'}
            onShow={setShown}
            onClose={close}
            onFilter={onFilter}
            onChanged={() => setRound((before) => before + 1)}
          />
        </section>
      )}
    </div>
  )
}
