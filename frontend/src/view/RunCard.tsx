import { useCallback, useSyncExternalStore } from 'react'
import type { Runs } from '../run/runs'
import { isAllRejected, isOver, type RunView } from '../run/runView'
import { Logs } from './Logs'
import { Notice } from './Notice'
import { Outcome } from './Outcome'
import { Program } from './Program'
import { StandingMark } from './StandingMark'
import { Timeline } from './Timeline'
import { counted, duration, runTitle } from './words'

/** One run: the program, its calls as they happen, and what came of it. */
export const RunCard = ({ toolCallId, code, runs }: { toolCallId: string; code: string; runs: Runs }) => {
  const run = useSyncExternalStore(
    runs.subscribe,
    useCallback(() => runs.get(toolCallId), [runs, toolCallId]),
  )
  if (!run) return null
  const title = runTitle(run)
  const waiting = run.calls.filter(({ standing }) => standing === 'waiting').length
  return (
    <article className={`run run-${run.standing}`} aria-label={`Program: ${title}`}>
      <header className="run-head">
        <StandingMark standing={run.standing === 'ok' && isAllRejected(run) ? 'rejected' : run.standing} />
        <h2>{title}</h2>
        <p className="run-facts">{facts(run)}</p>
      </header>
      {run.standing === 'waiting' && waiting > 0 && (
        <Notice kind="wait">
          {counted(waiting, 'call needs', 'calls need')} your approval. Decide in the window that has opened; nothing
          has been changed yet.
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
  // Time that the person took is not the program's.
  return [...calls, ...(timings ? [duration(timings.total)] : [])].join(' · ')
}

const faultyLine = ({ result }: RunView): number | undefined =>
  result?.status === 'error' && 'line' in result.error ? result.error.line : undefined
