import { useMemo, useState } from 'react'
import type { CallView, RunView } from '../run/runView'
import { isOver } from '../run/runView'
import { plain } from '../value/plain'
import { inline, pretty } from '../value/print'
import { CallBar } from './CallBar'
import { StandingMark } from './StandingMark'
import { type TimeAxis, timeAxisOf } from './timeAxis'
import { useElapsed } from './useElapsed'
import { ValueText } from './ValueText'
import { callWords, counted, duration } from './words'

/** More calls than this are folded, to so many. */
const many = 40
const few = 25

/** How folded calls stand: 200 done, 26 rejected. */
const summary = (calls: CallView[]): string => {
  const counts = new Map<string, number>()
  for (const { standing } of calls) counts.set(callWords[standing], (counts.get(callWords[standing]) ?? 0) + 1)
  return [...counts].map(([word, n]) => `${n} ${word}`).join(', ')
}

/** The calls of a run in the order the program made them, each on the run's axis of time. */
export const Timeline = ({ run }: { run: RunView }) => {
  const until = useElapsed(run)
  const axis = useMemo(() => timeAxisOf(run, until), [run, until])
  const [all, setAll] = useState(false)
  const shown = all || run.calls.length <= many ? run.calls : run.calls.slice(0, few)
  const folded = run.calls.slice(shown.length)
  if (run.calls.length === 0) {
    return <p className="quiet">{isOver(run) ? 'The program called no function.' : 'No call yet.'}</p>
  }
  return (
    <>
      <ol className="timeline">
        {shown.map((call) => (
          <CallRow key={call.callId} call={call} run={run} axis={axis} until={until} />
        ))}
      </ol>
      {folded.length > 0 && (
        <button type="button" className="linklike" onClick={() => setAll(true)}>
          Show {counted(folded.length, 'more call', 'more calls')}: {summary(folded)}
        </button>
      )}
      <p className="axis-legend" aria-hidden="true">
        <span className="legend-work">working</span>
        {run.calls.some(({ asked }) => asked) && <span className="legend-asked">waiting for you</span>}
      </p>
    </>
  )
}

const CallRow = ({ call, run, axis, until }: { call: CallView; run: RunView; axis: TimeAxis; until: number }) => (
  <li className={`call call-${call.standing}`}>
    <details>
      <summary>
        <StandingMark standing={call.standing} />
        <span className="call-what">
          <span className="call-fn">{call.fn}</span>
          <span className="call-input">{call.input === undefined ? '' : inline(call.input, 90)}</span>
        </span>
        <span className="call-state">{note(call)}</span>
        {why(call) && <span className="call-why">{plain(why(call) ?? '')}</span>}
        <CallBar call={call} axis={axis} until={until} waits={run.waits} />
      </summary>
      <dl className="call-detail">
        {call.input !== undefined && (
          <>
            <dt>Input</dt>
            <dd>
              <ValueText label="Input" text={pretty(call.input)} />
            </dd>
          </>
        )}
        {'value' in call && (
          <>
            <dt>Result</dt>
            <dd>
              <ValueText label="Result" text={pretty(call.value)} />
            </dd>
          </>
        )}
        {call.error && (
          <>
            <dt>Error</dt>
            <dd>
              <ValueText label="Error" text={`${call.error.name}: ${call.error.message}`} />
            </dd>
          </>
        )}
        <Times call={call} />
      </dl>
    </details>
  </li>
)

const Times = ({ call: { at, asked, began, ended, ms } }: { call: CallView }) => {
  const decided = began ?? ended
  return (
    <>
      {asked && decided !== undefined && decided > at && (
        <>
          <dt>For you</dt>
          <dd>waited {duration(decided - at)}</dd>
        </>
      )}
      {began !== undefined && ms !== undefined && (
        <>
          <dt>Working</dt>
          <dd>{duration(ms)}</dd>
        </>
      )}
    </>
  )
}

/** Why a call did not do what the program wanted: the person's reason, or what went wrong. */
const why = ({ standing, error, fn }: CallView): string | undefined => {
  if (standing === 'error') return error?.message
  // That it was not approved is said beside it.
  return ['rejected', 'denied'].includes(standing) ? error?.message.split(`sdk.${fn} was not approved: `)[1] : undefined
}

/** The state in words; of a call that is done, how long it took. */
const note = ({ standing, ms }: CallView): string =>
  standing === 'ok' && ms !== undefined ? duration(ms) : callWords[standing]
