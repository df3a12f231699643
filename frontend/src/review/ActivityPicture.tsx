import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { Chart } from './Chart'
import { axis, grid, kinds, short, tooltip } from './drawing'
import type { Filter, Stats } from './shapes'
import { plural, tidy } from './words'

const words = { free: 'no decision', approved: 'approved', rejected: 'rejected', refused: 'refused' } as const
type Kind = keyof typeof words
const order: Kind[] = ['free', 'approved', 'rejected', 'refused']

/** How much happened when, by decision. A click on a time lists its calls. */
export const ActivityPicture = ({
  stats,
  filter,
  onFilter,
}: {
  stats: Stats
  filter: Filter
  onFilter: (filter: Filter) => void
}) => {
  const { unit, spans } = stats.activity
  const sums = order.map((kind) => spans.reduce((sum, span) => sum + span[kind], 0))
  const most = spans.reduce(
    (a, b) => (total(b) > total(a) ? b : a),
    spans[0] ?? { at: '', free: 0, approved: 0, rejected: 0, refused: 0 },
  )
  const summary = `${order.map((kind, at) => `${plural(sums[at] ?? 0, 'call', 'calls')} ${kind === 'free' ? 'without a decision' : words[kind]}`).join(', ')}. The busiest ${unit} is ${labelOf(most.at)} with ${plural(total(most), 'call', 'calls')}. Times are UTC.`
  return (
    <Chart
      title={`Activity by ${unit}`}
      summary={summary}
      legend={order.map((kind) => [kind, words[kind]])}
      head={[unit, ...order.map((kind) => words[kind])]}
      rows={spans.map((span) => [labelOf(span.at), ...order.map((kind) => span[kind])])}
    >
      <ResponsiveContainer width="100%" height={240}>
        <BarChart
          data={spans}
          accessibilityLayer={false}
          barCategoryGap={spans.length > 60 ? 0 : '12%'}
          onClick={({ activeLabel }) =>
            activeLabel !== undefined && onFilter(within(filter, String(activeLabel), unit))
          }
        >
          <CartesianGrid vertical={false} {...grid} />
          <XAxis dataKey="at" tickFormatter={labelOf} minTickGap={24} {...axis} />
          <YAxis tickFormatter={short} width={48} allowDecimals={false} {...axis} />
          <Tooltip labelFormatter={(at) => labelOf(String(at))} {...tooltip} />
          {order.map((kind) => (
            <Bar
              key={kind}
              dataKey={kind}
              name={words[kind]}
              stackId="calls"
              fill={kinds[kind]}
              isAnimationActive={false}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </Chart>
  )
}

const total = (span: Record<Kind, number>): number => span.free + span.approved + span.rejected + span.refused

const labelOf = (at: string): string => at.replace('T', ' ') + (at.length === 13 ? ':00' : '')

/** The filter within one span of time. */
const within = (filter: Filter, at: string, unit: Stats['activity']['unit']): Filter => {
  const from = new Date(`${at}${{ month: '-01T00:00', day: 'T00:00', hour: ':00', minute: '' }[unit]}:00Z`)
  const to = new Date(from)
  if (unit === 'month') to.setUTCMonth(to.getUTCMonth() + 1)
  else to.setTime(from.getTime() + { day: 86_400_000, hour: 3_600_000, minute: 60_000 }[unit])
  return tidy({ ...filter, since: from.toISOString(), until: to.toISOString() })
}
