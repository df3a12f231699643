import { RotateCw, ScrollText } from 'lucide-react'
import { useCallback, useSyncExternalStore } from 'react'
import type { Runs } from '../run/runs'
import { isAllRejected, isOver, type RunView } from '../run/runView'
import { CopyButton } from './CopyButton'
import { Logs } from './Logs'
import { Notice } from './Notice'
import { Outcome } from './Outcome'
import { Program } from './Program'
import { StandingMark } from './StandingMark'
import { Timeline } from './Timeline'
import { counted, duration, runTitle } from './words'

interface Props {
  toolCallId: string
  /** Its key among the runs. */
  runKey: string
  code: string
  runs: Runs
  /** Offers to run the program once more. */
  onRunAgain?: (toolCallId: string) => void
  /** Offers to show the run's entries in the log. */
  onShowLog?: (runId: string) => void
}

/** One run, and those that repeated it below it. */
export const RunCard = (props: Props) => {
  const { runKey, runs } = props
  const again = useSyncExternalStore(
    runs.subscribe,
    useCallback(() => runs.againOf(runKey), [runs, runKey]),
  )
  return (
    <>
      <OneRun {...props} run={runKey} />
      {again.map((key, at) => (
        <OneRun key={key} {...props} run={key} nth={at + 2} />
      ))}
    </>
  )
}

/** The program, its calls as they happen, and what came of it. */
const OneRun = ({
  run: key,
  nth,
  toolCallId,
  code,
  runs,
  onRunAgain,
  onShowLog,
}: Props & { run: string; nth?: number }) => {
  const run = useSyncExternalStore(
    runs.subscribe,
    useCallback(() => runs.get(key), [runs, key]),
  )
  if (!run) return null
  const title = nth === undefined ? runTitle(run) : `Run ${nth}: ${runTitle(run)}`
  const waiting = run.calls.filter(({ standing }) => standing === 'waiting').length
  const { runId } = run
  return (
    <article className={`run run-${run.standing}`} aria-label={`Program: ${title}`}>
      <header className="run-head">
        <StandingMark standing={run.standing === 'ok' && isAllRejected(run) ? 'rejected' : run.standing} />
        <h2>{title}</h2>
        <p className="run-facts">
          {run.standing === 'waiting' && waiting > 0
            ? `${counted(waiting, 'call needs', 'calls need')} you. Decide in the window that has opened.`
            : facts(run)}
        </p>
        <div className="run-tools">
          {onRunAgain && isOver(run) && (
            <button
              type="button"
              className="tool"
              aria-label="Run again"
              title="Run again: a new run, which asks anew"
              onClick={() => onRunAgain(toolCallId)}
            >
              <RotateCw />
            </button>
          )}
          <CopyButton text={code} label="Copy the program" />
          {onShowLog && runId !== undefined && (
            <button
              type="button"
              className="tool"
              aria-label="Show in the log"
              title="Show in the log"
              onClick={() => onShowLog(runId)}
            >
              <ScrollText />
            </button>
          )}
        </div>
      </header>
      {run.standing === 'interrupted' && (
        <Notice kind="plain">
          The app or its page closed while this ran{run.ending === undefined ? '' : ` (${run.ending})`}. How its calls
          ended is what the log knows of them. What still waits for your approval is listed as waiting for you.
        </Notice>
      )}
      <div className="run-body">
        <section className="run-part run-program">
          <h3>Program</h3>
          <Program code={code} faultyLine={faultyLine(run)} />
        </section>
        <div className="run-side">
          <section className="run-part">
            <h3>Calls</h3>
            <Timeline run={run} />
          </section>
          <Outcome run={run} />
          {run.shortened && <p className="quiet">The values were too large to be kept here. The log has them.</p>}
          {run.notices.map((text) => (
            <Notice key={text} kind="error">
              {text}
            </Notice>
          ))}
          {run.logs.length > 0 && <Logs logs={run.logs} open={isOver(run) && run.standing !== 'ok'} />}
        </div>
      </div>
    </article>
  )
}

const facts = (run: RunView): string => {
  const calls = run.calls.length > 0 ? [counted(run.calls.length, 'call', 'calls')] : []
  const { timings } = run.result ?? {}
  if (!timings) return calls.join(' · ')
  // Time that the person took is not the program's.
  const worked = Math.max(0, timings.total - timings.waiting)
  const waited = timings.waiting > 500 ? [`${duration(timings.waiting)} for your decision`] : []
  return [...calls, duration(worked), ...waited].join(' · ')
}

const faultyLine = ({ result }: RunView): number | undefined =>
  result?.status === 'error' && 'line' in result.error ? result.error.line : undefined
