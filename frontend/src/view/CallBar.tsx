import type { CallView, Wait } from '../run/runView'
import type { TimeAxis } from './timeAxis'

/** A call on the run's axis: when it waited for the person, and when it worked. */
export const CallBar = ({
  call,
  axis,
  until,
  waits,
}: {
  call: CallView
  axis: TimeAxis
  until: number
  waits: Wait[]
}) => {
  const end = call.ended ?? until
  const work = call.began === undefined ? undefined : [call.began, end]
  // Between the program's call and its execution the person is asked, and other calls go first.
  const asked = call.asked ? [call.at, call.began ?? end] : undefined
  const wait = asked ?? (work && call.at < (work[0] as number) ? [call.at, work[0] as number] : undefined)
  return (
    <svg className="call-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      {waits.map(({ from, to }) => (
        <rect key={from} className="bar-away" x={axis(from)} width={axis(to ?? until) - axis(from)} height="4" />
      ))}
      {wait && <rect className={call.asked ? 'bar-asked' : 'bar-queued'} {...span(axis, wait)} y="1" height="2" />}
      {work && <rect className="bar-work" {...span(axis, work)} height="4" rx="0.5" />}
    </svg>
  )
}

/** At least wide enough to be seen. */
const span = (axis: TimeAxis, [from = 0, to = 0]: number[]): { x: number; width: number } => {
  const width = Math.max(axis(to) - axis(from), 0.8)
  return { x: Math.min(axis(from), 100 - width), width }
}
