import { lazy, Suspense, useEffect, useRef } from 'react'
import type { Log } from './operations'
import type { Filter } from './shapes'
import { useAnswer } from './useAnswer'
import { filterFlags, isEmpty, localTime, plural } from './words'

// The plotting library is read only when somebody looks at pictures.
const Pictures = lazy(() => import('./Pictures'))

interface Props {
  log: Log
  filter: Filter
  onFilter: (filter: Filter) => void
}

/** Pictures of what the filter chooses. */
export const Charts = ({ log, filter, onFilter }: Props) => {
  const place = useRef<HTMLElement>(null)
  useEffect(() => place.current?.focus(), [])
  const { value: stats, failure, asking } = useAnswer(JSON.stringify(filter), (signal) => log.stats(filter, signal))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="review-charts" aria-label="Pictures" tabIndex={0} ref={place}>
      <p className="review-about" role="status">
        {stats
          ? `${plural(stats.calls, 'call', 'calls')} in ${plural(stats.runs, 'run', 'runs')}${stats.calls > 0 ? `, ${localTime(stats.first)} to ${localTime(stats.last)}` : ''}. `
          : asking
            ? 'Counting… '
            : ''}
        {isEmpty(filter) ? (
          'All of the log; set a filter in Calls to look at a part.'
        ) : (
          <>
            Of what is chosen by <code>{filterFlags(filter)}</code>.
          </>
        )}
      </p>
      {failure !== undefined && (
        <p className="review-failure" role="alert">
          {failure}
        </p>
      )}
      {stats && stats.calls > 0 && (
        <Suspense fallback={<p className="quiet">Drawing…</p>}>
          <Pictures stats={stats} filter={filter} onFilter={onFilter} />
        </Suspense>
      )}
      {stats && stats.calls === 0 && <p className="review-nothing">No call is chosen, so there is nothing to draw.</p>}
    </section>
  )
}
