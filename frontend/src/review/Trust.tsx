import { Check, CircleAlert, ShieldQuestion, TriangleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { CopyButton } from '../view/CopyButton'
import { duration } from '../view/words'
import { Compare } from './Compare'
import type { Log } from './operations'
import type { Source, Verifying, Weight } from './shapes'
import type { Trouble } from './trouble'
import { useAnswer } from './useAnswer'
import { localTime, many, plural } from './words'

interface Props {
  log: Log
  source: Source | undefined
  /** What the start has found wrong with it. */
  trouble: Trouble | undefined
}

/** Whether the log is whole and untouched, in plain words; and its head, to be noted and compared. */
export const Trust = ({ log, source, trouble }: Props) => {
  const [state, setState] = useState<Verifying>()
  const [failure, setFailure] = useState<string>()
  const [key, setKey] = useState('')
  const over = useRef<AbortController>(undefined)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  const { value: head, failure: headFailure } = useAnswer(`${log.source} ${state?.at}`, (signal) => log.head(signal))

  const verify = async (start: boolean): Promise<void> => {
    over.current?.abort(new DOMException('it is asked anew', 'AbortError'))
    const mine = new AbortController()
    over.current = mine
    setFailure(undefined)
    try {
      let next = await log.verify(start, start ? key.trim() : '', 0, mine.signal)
      setState(next)
      while (next.running) {
        next = await log.verify(false, '', next.step, mine.signal)
        setState(next)
      }
    } catch (error) {
      if (!mine.signal.aborted) setFailure(error instanceof Error ? error.message : String(error))
    }
  }
  // What was found a moment ago, or is being looked for, is still there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each log
  useEffect(() => {
    void verify(false)
    return () => over.current?.abort(new DOMException('nobody looks any more', 'AbortError'))
  }, [log])

  const report = state?.report
  return (
    <div className="review-trust">
      <section aria-label="Verifying">
        <h3>Is this log whole and untouched?</h3>
        <p className="review-about">
          Verifying reads every entry, computes its hash anew, and follows the chain from the first to the last.
        </p>
        {source?.kind === 'export' && (
          <label className="review-key">
            The key you know its log by
            <input
              type="text"
              value={key}
              placeholder="64 hex digits; “countersign log verify” shows it where the log is"
              onChange={(event) => setKey(event.target.value)}
            />
          </label>
        )}
        <button type="button" className="send" ref={button} disabled={state?.running} onClick={() => void verify(true)}>
          {state?.running ? 'Verifying…' : state?.report ? 'Verify again' : 'Verify now'}
        </button>
        {state?.running && (
          <div className="review-progress">
            <progress max={Math.max(state.total, 1)} value={state.done} aria-label="Verifying" />
            <span>
              {many(state.done)} of {many(state.total)} entries
            </span>
          </div>
        )}
        {(failure ?? state?.failure) !== undefined && (
          <p className="review-failure" role="alert">
            {failure ?? state?.failure}
          </p>
        )}
        {trouble && state && !report && !state.running && (
          <div className="review-verdict review-verdict-doubt" role="status">
            <Sign weight="doubt" />
            <div>
              <h4>{trouble.title}</h4>
              <p>{trouble.text}</p>
              <p>{trouble.do}</p>
            </div>
          </div>
        )}
        {state?.meaning && report && (
          <div className={`review-verdict review-verdict-${state.meaning.weight}`} role="status">
            <Sign weight={state.meaning.weight} />
            <div>
              <h4>{state.meaning.title}</h4>
              <p>{state.meaning.text}</p>
              <p className="review-finding">
                <strong>{report.state}</strong>: {report.message}.
              </p>
              {trouble && report.state !== 'intact' && <p>{trouble.do}</p>}
              {report.notes && report.notes.length > 0 && (
                <ul>
                  {report.notes.map((note) => (
                    <li key={note}>{note}</li>
                  ))}
                </ul>
              )}
              <p className="quiet">
                {plural(report.entries, 'entry', 'entries')} in order, verified {localTime(state.at ?? '')} in{' '}
                {duration(state.tookMs ?? 0)}
                {report.anchoredIn ? ` · anchor ${report.anchoredIn}` : ''}
              </p>
              {report.key && (
                <p className="review-hash">
                  <span>Key</span> <code>{report.key}</code> <CopyButton text={report.key} label="Copy the key" />
                </p>
              )}
            </div>
          </div>
        )}
      </section>
      <section aria-label="Head">
        <h3>The head, to note down</h3>
        <p className="review-about">
          The hash of the last entry stands for the whole log up to it. Note it where nobody who can reach this computer
          can change it – on paper, in a mail to yourself – and compare it here later.
        </p>
        {headFailure !== undefined && (
          <p className="review-failure" role="alert">
            {headFailure}
          </p>
        )}
        {head && (
          <div className="review-head-note">
            <p>
              Entry <strong>{many(head.number)}</strong>
              {head.at && `, ${localTime(head.at)}`}
            </p>
            <code>{head.hash}</code>
            <CopyButton text={head.text} label="Copy the head" />
          </div>
        )}
      </section>
      <Compare log={log} />
    </div>
  )
}

const Sign = ({ weight }: { weight: Weight }) => {
  const Icon = { good: Check, doubt: ShieldQuestion, bad: TriangleAlert }[weight] ?? CircleAlert
  return <Icon aria-hidden />
}
