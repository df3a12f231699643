import { ArrowDown, ArrowUp, X } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Opened } from '../open'
import { Program } from '../view/Program'
import { duration } from '../view/words'
import { Entries } from './Entries'
import { LongText } from './LongText'
import { NoteForm } from './NoteForm'
import { OutcomeMark } from './OutcomeMark'
import type { Log } from './operations'
import { ShownCard } from './ShownCard'
import type { Detail, Filter, Run } from './shapes'
import { ToConversation } from './ToConversation'
import { useAnswer } from './useAnswer'
import { localTime, plural } from './words'

const Waterfall = lazy(() => import('./Waterfall'))

interface Props {
  opened: Opened
  log: Log
  id: number
  /** It is a call of the app's own log, which can be written to. */
  own: boolean
  onShow: (id: number) => void
  onClose: () => void
  onFilter: (filter: Filter) => void
  /** Something was noted. */
  onChanged: () => void
}

/** All that the log has about one call: what stands out first, what proves it last. */
export const CallDetail = ({ opened, log, id, own, onShow, onClose, onFilter, onChanged }: Props) => {
  const [round, setRound] = useState(0)
  const { value: detail, failure } = useAnswer(`${log.source} ${id} ${round}`, (signal) => log.call(id, signal))
  const changed = (): void => {
    setRound((before) => before + 1)
    onChanged()
  }
  return (
    <>
      <header className="review-detail-head">
        <h3>
          {detail ? detail.row.fn || 'No function' : `Call ${id}`} <small>call {id}</small>
        </h3>
        {detail?.run && <Neighbours run={detail.run} id={detail.row.id} onShow={onShow} />}
        <button type="button" className="tool" aria-label="Close (Escape)" title="Close (Escape)" onClick={onClose}>
          <X aria-hidden />
        </button>
      </header>
      {failure !== undefined && (
        <p className="review-failure" role="alert">
          {failure}
        </p>
      )}
      {detail && (
        <Body
          opened={opened}
          log={log}
          detail={detail}
          own={own}
          onShow={onShow}
          onFilter={onFilter}
          onChanged={changed}
        />
      )}
    </>
  )
}

const Neighbours = ({ run, id, onShow }: { run: Run; id: number; onShow: (id: number) => void }) => {
  const at = run.calls.findIndex((call) => call.id === id)
  const before = run.calls[at - 1]
  const after = run.calls[at + 1]
  return (
    <span className="review-neighbours">
      <button
        type="button"
        className="tool"
        disabled={!before}
        aria-label={before ? `The call before in its run: ${before.fn}` : 'It is the first call of its run'}
        title="The call before in its run"
        onClick={() => before && onShow(before.id)}
      >
        <ArrowUp aria-hidden />
      </button>
      <button
        type="button"
        className="tool"
        disabled={!after}
        aria-label={after ? `The call after it in its run: ${after.fn}` : 'It is the last call of its run'}
        title="The call after it in its run"
        onClick={() => after && onShow(after.id)}
      >
        <ArrowDown aria-hidden />
      </button>
      <small>
        {at + 1} of {run.calls.length}
      </small>
    </span>
  )
}

type BodyProps = Omit<Props, 'id' | 'onClose'> & { detail: Detail }

const Body = ({ opened, log, detail, own, onShow, onFilter, onChanged }: BodyProps) => {
  const { row, run, decision } = detail
  return (
    <>
      {detail.points.map((point) => (
        <div key={point.title} className={`review-point review-point-${point.weight}`}>
          <strong>{point.title}</strong>
          <p>{point.text}</p>
        </div>
      ))}
      {detail.notes.map((note) => (
        <div key={note.at} className="review-point review-point-plain">
          <strong>
            {note.words}, {localTime(note.at)}
          </strong>
          {note.reason && <p>“{note.reason}”</p>}
        </div>
      ))}
      {row.outcome === 'unknown' && !row.runOpen && (
        <NoteForm key={detail.notes.length} log={log} id={row.id} own={own} onNoted={onChanged} />
      )}
      <dl className="review-facts">
        <Fact name="Outcome">
          <OutcomeMark row={row} />
          {row.ms !== undefined && ` after ${duration(row.ms)}`}
        </Fact>
        <Fact name="Decision">
          {decision ? (
            <>
              {row.decisionWords}, {duration(decision.waitedMs)} after it was asked for
            </>
          ) : (
            'none was needed, or none was made'
          )}
        </Fact>
        {decision?.reason && <Fact name="Reason">“{decision.reason}”</Fact>}
        {detail.error && (
          <Fact name={row.outcome === 'refused' ? 'Refusal' : 'Error'}>
            {detail.error.name}: {detail.error.message}
          </Fact>
        )}
        <Fact name="When">
          <time dateTime={row.at} title={`${row.at} UTC`}>
            {localTime(row.at)}
          </time>
        </Fact>
        <Fact name="Shown and run">{detail.same.text}</Fact>
        {run?.began && <Fact name="Request">{run.began.request}</Fact>}
        {row.model && <Fact name="Model">{row.model}</Fact>}
        {row.runId && (
          <Fact name="Run">
            <code>{row.runId}</code>{' '}
            <button type="button" className="review-link" onClick={() => onFilter({ run: row.runId })}>
              its calls
            </button>
            {own && <ToConversation opened={opened} runId={row.runId} />}
          </Fact>
        )}
      </dl>
      <LongText title="Input" text={detail.input} none="The log has no input of it." />
      {row.outcome === 'ok' && <LongText title="Result" text={detail.value} none="It gave nothing." />}
      {detail.card && <ShownCard card={detail.card} id={row.id} onShow={onShow} />}
      {run?.began && (
        <section className="review-part">
          <h4>The program{detail.line ? `, which made this call on line ${detail.line}` : ''}</h4>
          <Program
            code={run.began.code}
            label="Program of the run"
            {...(detail.line ? { faultyLine: detail.line } : {})}
          />
          {!detail.line && <p className="quiet">The log does not have the line of this call.</p>}
        </section>
      )}
      {run && (
        <section className="review-part">
          <h4>What came before and after: {plural(run.calls.length, 'call', 'calls')} of the run</h4>
          <Suspense fallback={<p className="quiet">Drawing…</p>}>
            <Waterfall run={run} id={row.id} onShow={onShow} />
          </Suspense>
          <p className="quiet">
            The run began {localTime(run.at)}
            {run.pauses.map(
              ({ at, kind }) =>
                `, ${kind === 'run.suspended' ? 'was put aside' : 'was taken up again'} ${localTime(at)}`,
            )}
            {run.ended ? `, and ended ${localTime(run.endedAt ?? '')}: ${run.ended.status}` : ', and has not ended'}
            {run.ended?.error ? `, ${run.ended.error.message}` : ''}.
          </p>
        </section>
      )}
      <Entries entries={detail.entries} />
    </>
  )
}

const Fact = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
