import { useState } from 'react'
import type { Opened } from '../open'
import { NoteForm } from './NoteForm'
import { OutcomeMark } from './OutcomeMark'
import type { Log } from './operations'
import type { Filter, Row, Source } from './shapes'
import { useAnswer } from './useAnswer'
import { localTime, plural } from './words'

interface Props {
  opened: Opened
  log: Log
  source: Source | undefined
  onFilter: (filter: Filter) => void
}

/** What is still open: runs that wait, calls of which nobody knows how they ended, and what went wrong with the log. */
export const Ends = ({ opened, log, source, onFilter }: Props) => {
  const [round, setRound] = useState(0)
  const { value: ends, failure } = useAnswer(`${round}`, (signal) => log.ends(signal))
  const own = source?.kind === 'own'
  return (
    <div className="review-ends">
      {failure !== undefined && (
        <p className="review-failure" role="alert">
          {failure}
        </p>
      )}
      {ends && ends.runs.length + ends.unknown.length + ends.noted.length + ends.faults.length === 0 && (
        <p className="review-nothing">Nothing is open: every run has ended, and how every call ended is known.</p>
      )}
      {ends && ends.faults.length > 0 && (
        <section>
          <h3>Trouble with the log</h3>
          {ends.faults.map(({ at, text }) => (
            <div key={text} className="review-point review-point-bad">
              <strong>{at ? localTime(at) : 'When the app started'}</strong>
              <p>{text}</p>
            </div>
          ))}
        </section>
      )}
      {ends && ends.unknown.length > 0 && (
        <section>
          <h3>{plural(ends.unknown.length, 'call', 'calls')} with an unknown outcome</h3>
          <p className="review-about">
            Each had started when the app ended, and is never run again by itself. Look at what the function would have
            changed for that input; then note what you find. It becomes a further entry of the log.
          </p>
          {ends.unknown.map((row) => (
            <Unknown key={row.id} row={row} onFilter={onFilter}>
              <NoteForm log={log} id={row.id} own={own} onNoted={() => setRound((before) => before + 1)} />
            </Unknown>
          ))}
        </section>
      )}
      {ends && ends.runs.length > 0 && (
        <section>
          <h3>{plural(ends.runs.length, 'run has', 'runs have')} not ended</h3>
          <ul>
            {ends.runs.map((run) => (
              <li key={run.runId} className="review-open-run">
                <p className="review-request">{run.request || run.runId}</p>
                <p className="quiet">
                  began {localTime(run.at)} · {run.words}
                  {run.waiting > 0 && ` · ${plural(run.waiting, 'call waits', 'calls wait')}`}
                </p>
                <button type="button" className="review-link" onClick={() => onFilter({ run: run.runId })}>
                  Its calls
                </button>
                {own && run.waiting > 0 && (
                  <button
                    type="button"
                    className="review-link"
                    onClick={() => opened.places.go({ at: 'conversation' })}
                  >
                    To what waits for you
                  </button>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {ends && ends.noted.length > 0 && (
        <section>
          <h3>{plural(ends.noted.length, 'unknown outcome', 'unknown outcomes')} with a finding</h3>
          {ends.noted.map((row) => (
            <Unknown key={row.id} row={row} onFilter={onFilter} />
          ))}
        </section>
      )}
    </div>
  )
}

const Unknown = ({
  row,
  onFilter,
  children,
}: {
  row: Row
  onFilter: (filter: Filter) => void
  children?: React.ReactNode
}) => (
  <article className="review-unknown">
    <h4>
      {row.fn} <code>{row.input}</code>
    </h4>
    <p className="quiet">
      call {row.id} · {localTime(row.at)} · {row.decisionWords || 'no decision'} · <OutcomeMark row={row} />
    </p>
    <p className="review-request">{row.request}</p>
    <button type="button" className="review-link" onClick={() => onFilter({ run: row.runId, outcome: 'unknown' })}>
      Show it in the list
    </button>
    {children}
  </article>
)
