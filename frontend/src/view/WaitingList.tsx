import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import { usePart } from '../part/usePart'
import type { Runs } from '../run/runs'
import type { WaitingRuns, WaitingView } from '../run/waiting'
import { Notice } from './Notice'
import { StandingMark } from './StandingMark'
import { spoken } from './spoken'
import { age, counted } from './words'

/**
 * What waits for the person since another start of the app: the list, and the
 * runs that were opened from it.
 */
export const WaitingList = ({ waiting, runs }: { waiting: WaitingRuns; runs: Runs }) => {
  const { waiting: list, opened, failure } = useSyncExternalStore(waiting.subscribe, waiting.get)
  const now = useNow(list.length > 0)
  const { there, ...unshown } = usePart(opened.length > 0 ? spoken : undefined)
  const ReopenedRun = there?.ReopenedRun
  const title = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const [said, setSaid] = useState('')
  const saying =
    list.length > 0 ? `${counted(list.length, 'request waits', 'requests wait')} for you since before.` : ''
  // A status that is there from the start is not read out; one that changes is.
  useEffect(() => setSaid(saying), [saying])

  const buttons = useRef(0)
  const shown = list.length + list.filter(({ problem }) => problem === undefined).length
  useEffect(() => {
    // The button that had the focus has gone, with its row or because the run cannot go on.
    const lost = shown < buttons.current && document.activeElement === document.body
    buttons.current = shown
    if (lost) (heading.current ?? document.getElementById('request'))?.focus()
  }, [shown])

  return (
    <>
      {list.length + opened.length > 0 && (
        <p className="unseen" role="status">
          {said}
        </p>
      )}
      {failure !== undefined && (
        <Notice kind="error" title="What waits for you cannot be shown">
          {failure}
        </Notice>
      )}
      {list.length > 0 && (
        <section className="waiting" aria-labelledby={title}>
          <header>
            <h2 id={title} ref={heading} tabIndex={-1}>
              Waiting for you
            </h2>
            <p>The app or its page closed before you decided. What waits has not run.</p>
          </header>
          <ol>
            {list.map((run) => (
              <WaitingRow
                key={run.runId}
                run={run}
                now={now}
                onOpen={() => void waiting.open(run.runId)}
                onDismiss={() => void waiting.dismiss(run.runId)}
              />
            ))}
          </ol>
        </section>
      )}
      {ReopenedRun && opened.map((run) => <ReopenedRun key={run.key} opened={run} runs={runs} />)}
      {unshown.failure !== undefined && (
        <Notice
          kind="error"
          title="What goes on cannot be shown"
          action={{ label: 'Try again', onClick: unshown.again }}
        >
          {unshown.failure}
        </Notice>
      )}
    </>
  )
}

interface RowProps {
  run: WaitingView
  now: number
  onOpen: () => void
  onDismiss: () => void
}

const WaitingRow = ({ run, now, onOpen, onDismiss }: RowProps) => {
  const request = useId()
  return (
    <li className="waiting-run">
      <StandingMark standing={run.problem === undefined ? 'waiting' : 'aborted'} />
      <div className="waiting-what">
        <p className="waiting-request" id={request}>
          {run.request}
        </p>
        <p className="quiet">
          {run.title.replace(/\?$/, '')} · {counted(run.calls, 'call', 'calls')} ·{' '}
          <time dateTime={new Date(run.since).toISOString()} title={new Date(run.since).toLocaleString()}>
            {age(now - run.since)}
          </time>
        </p>
        {run.problem !== undefined && run.failure === undefined && (
          <p className="waiting-problem">It cannot go on: {run.problem}.</p>
        )}
        {run.failure !== undefined && (
          <p className="waiting-problem" role="alert">
            {sentence(run.failure)}
          </p>
        )}
      </div>
      <div className="waiting-buttons">
        {run.problem === undefined && (
          <button type="button" className="send" disabled={run.busy} aria-describedby={request} onClick={onOpen}>
            Open the card
          </button>
        )}
        <button type="button" className="plain" disabled={run.busy} aria-describedby={request} onClick={onDismiss}>
          Dismiss
        </button>
      </div>
    </li>
  )
}

/** With a capital letter and a full stop, as it stands by itself. */
const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`

/** The time, moving on once a minute while somebody looks at ages. */
const useNow = (running: boolean): number => {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!running) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [running])
  return now
}
