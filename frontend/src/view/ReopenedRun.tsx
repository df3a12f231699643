import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import type { Runs } from '../run/runs'
import { isOver, type RunView } from '../run/runView'
import type { OpenedView } from '../run/waiting'
import { RunCard } from './RunCard'
import { counted } from './words'

/** A request that waited since before, and the run that went on with it. */
export const ReopenedRun = ({ opened: { key, request, code }, runs }: { opened: OpenedView; runs: Runs }) => {
  const run = useSyncExternalStore(
    runs.subscribe,
    useCallback(() => runs.get(key), [runs, key]),
  )
  const ending = run && isOver(run) ? endingOf(run) : ''
  const [said, setSaid] = useState('')
  useEffect(() => {
    setSaid(ending)
    // Nothing on the page asks for the person any more but the box to ask; a person who is at
    // something else there stays at it.
    if (ending !== '' && document.activeElement === document.body) document.getElementById('request')?.focus()
  }, [ending])
  return (
    <article className="reopened" aria-label="A request that waited">
      <p className="reopened-request">{request}</p>
      <RunCard toolCallId={key} runKey={key} code={code} runs={runs} />
      <p className="reopened-ending" role="status">
        {said}
      </p>
    </article>
  )
}

/** The model that wrote the program is not asked again, so the page itself says what came of it. */
const endingOf = ({ calls, standing }: RunView): string => {
  const asked = calls.filter((call) => call.asked)
  const ran = asked.filter((call) => call.standing === 'ok').length
  const rejected = asked.filter((call) => call.standing === 'rejected').length
  const others = asked.length - ran - rejected
  const parts = [
    ...(ran > 0 ? [`${counted(ran, 'has', 'have')} run`] : []),
    ...(rejected > 0 ? [`${counted(rejected, 'was', 'were')} rejected`] : []),
    ...(others > 0 ? [`${counted(others, 'has', 'have')} not succeeded`] : []),
  ]
  const how = standing === 'ok' ? 'That request is dealt with' : 'That request has ended'
  return `${how}: of ${counted(asked.length, 'call', 'calls')} that waited, ${sentence(parts)}. Ask for something else below.`
}

const sentence = (parts: string[]): string =>
  parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : (parts[0] ?? 'none has run')
