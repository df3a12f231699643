import { Bar, BarChart, Cell, ReferenceLine, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { duration } from '../view/words'
import { Chart } from './Chart'
import { axis, tooltip } from './drawing'
import type { Run, RunCall } from './shapes'
import { toneOf } from './words'

/** How many calls are drawn: those around the one that is looked at. The table has more. */
const most = 40

interface Props {
  run: Run
  /** The call that is looked at. */
  id: number
  onShow: (id: number) => void
}

/** When each call of a run waited for a decision and when it ran. */
const Waterfall = ({ run, id, onShow }: Props) => {
  const at = Math.max(
    0,
    run.calls.findIndex((call) => call.id === id),
  )
  const first = Math.max(0, Math.min(at - most / 2, run.calls.length - most))
  const drawn = run.calls.slice(first, first + most).map((call) => barOf(call, run))
  const all = run.calls.length > most ? ` ${most} of ${run.calls.length} calls are drawn, around this one.` : ''
  const from = Math.min(...drawn.map((bar) => bar.from))
  const to = Math.max(from + 1, ...drawn.map((bar) => bar.to))
  return (
    <Chart
      title="The run over time"
      summary={`Each bar is a call: waiting for a decision, then running. The run took ${duration(lengthOf(run))}.${all}`}
      legend={[
        ['waited', 'waited for a decision'],
        ['good', 'ran'],
        ['bad', 'failed or refused'],
        ['doubt', 'open or unknown'],
      ]}
      head={['call', 'function', 'began after', 'waited', 'ran', 'outcome']}
      rows={run.calls.map((call) => {
        const bar = barOf(call, run)
        return [
          call.seq || call.id,
          call.fn,
          duration(bar.from),
          bar.waited[1] > bar.waited[0] ? duration(bar.waited[1] - bar.waited[0]) : '',
          call.ms === undefined ? '' : duration(call.ms),
          call.outcomeWords,
        ]
      })}
    >
      <ResponsiveContainer width="100%" height={34 + 18 * drawn.length}>
        <BarChart
          data={drawn}
          layout="vertical"
          accessibilityLayer={false}
          barCategoryGap={3}
          barGap={-11}
          onClick={({ activeIndex }) => {
            const call = run.calls[first + Number(activeIndex)]
            if (call) onShow(call.id)
          }}
        >
          <XAxis
            type="number"
            domain={[from, to]}
            allowDataOverflow
            tickFormatter={(ms: number) => duration(ms)}
            minTickGap={40}
            {...axis}
          />
          <YAxis
            type="category"
            dataKey="name"
            width={140}
            interval={0}
            {...axis}
            tick={{ ...axis.tick, fontSize: 11 }}
          />
          <Tooltip
            {...tooltip}
            formatter={(value) =>
              Array.isArray(value) ? duration(Number(value[1]) - Number(value[0])) : String(value)
            }
          />
          <ReferenceLine y={drawn[at - first]?.name} stroke="var(--accent)" strokeOpacity={0.16} strokeWidth={16} />
          <Bar dataKey="waited" name="waited" fill="var(--chart-waited)" barSize={11} isAnimationActive={false} />
          <Bar dataKey="ran" name="ran" barSize={11} minPointSize={2} isAnimationActive={false}>
            {drawn.map(({ name, tone }) => (
              <Cell key={name} fill={`var(--chart-${tone})`} />
            ))}
          </Bar>
        </BarChart>
      </ResponsiveContainer>
    </Chart>
  )
}
export default Waterfall

const lengthOf = (run: Run): number => {
  const last = run.endedAt ?? run.calls.at(-1)?.settledAt ?? run.calls.at(-1)?.at ?? run.at
  return Math.max(0, Date.parse(last) - Date.parse(run.at))
}

/** A call as bars: ms since the run began. */
const barOf = (call: RunCall, run: Run) => {
  const since = (at: string | undefined): number | undefined =>
    at ? Math.max(0, Date.parse(at) - Date.parse(run.at)) : undefined
  const from = since(call.at) ?? 0
  const decided = since(call.decidedAt)
  const started = since(call.startedAt)
  const settled = since(call.settledAt)
  const waited: [number, number] = [from, call.requestedAt ? (decided ?? started ?? from) : from]
  const ran: [number, number] = [started ?? waited[1], settled ?? started ?? waited[1]]
  const tone = toneOf(call)
  return {
    name: `${call.seq || call.id} ${call.fn}`,
    from,
    to: Math.max(waited[1], ran[1]),
    waited,
    ran,
    tone: tone === 'stopped' || tone === 'quiet' ? 'waited' : tone,
  }
}
