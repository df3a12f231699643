import type { CallView, RunView } from '../run/runView'
import { isOver } from '../run/runView'
import { inline, pretty } from '../value/print'
import { StandingMark } from './StandingMark'
import { ValueText } from './ValueText'
import { callWords, duration } from './words'

/** The calls of a run in the order the program made them. */
export const Timeline = ({ run }: { run: RunView }) => {
  if (run.calls.length === 0) {
    return <p className="quiet">{isOver(run) ? 'The program called no function.' : 'No call yet.'}</p>
  }
  return (
    <ol className="timeline">
      {run.calls.map((call) => (
        <CallRow key={call.callId} call={call} />
      ))}
    </ol>
  )
}

const CallRow = ({ call }: { call: CallView }) => (
  <li className={`call call-${call.standing}`}>
    <details>
      <summary>
        <StandingMark standing={call.standing} />
        <span className="call-what">
          <span className="call-fn">{call.fn}</span>
          <span className="call-input">{call.input === undefined ? '' : inline(call.input, 90)}</span>
        </span>
        <span className="call-state">{note(call)}</span>
      </summary>
      <dl className="call-detail">
        <dt>Input</dt>
        <dd>
          <ValueText label="Input" text={pretty(call.input)} />
        </dd>
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
      </dl>
    </details>
  </li>
)

/** The state in words; of a call that is done, how long it took. */
const note = ({ standing, ms }: CallView): string =>
  standing === 'ok' && ms !== undefined ? duration(ms) : callWords[standing]
