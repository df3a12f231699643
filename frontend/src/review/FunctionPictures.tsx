import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { Chart } from './Chart'
import { axis, grid, kinds, short, tooltip } from './drawing'
import type { Filter, Stats } from './shapes'
import { plural, tidy } from './words'

/** How many functions are drawn; the table has all of them. */
const most = 12

interface Props {
  stats: Stats
  filter: Filter
  onFilter: (filter: Filter) => void
}

/** The functions that are used most. */
export const UsedPicture = ({ stats, filter, onFilter }: Props) => {
  const used = countsOf(stats).sort((a, b) => b.calls - a.calls)
  const first = used[0]
  return (
    <Chart
      title="Functions used most"
      summary={`${plural(used.length, 'function', 'functions')}; most of all ${first?.fn ?? 'none'} with ${plural(first?.calls ?? 0, 'call', 'calls')}.`}
      legend={order.map((kind) => [kind, words[kind]])}
      head={['function', 'calls', 'no decision', 'approved', 'rejected', 'refused', 'failed']}
      rows={used.map((each) => [
        each.fn,
        each.calls,
        each.free,
        each.approved,
        each.rejected,
        each.refused,
        each.failed,
      ])}
    >
      <Bars data={used.slice(0, most)} kinds={order} onPick={(fn) => onFilter(ofFunction(filter, fn))} />
    </Chart>
  )
}

/** The functions that are rejected and refused most. */
export const RefusedPicture = ({ stats, filter, onFilter }: Props) => {
  const refused = countsOf(stats)
    .filter((each) => each.rejected + each.refused > 0)
    .sort((a, b) => b.rejected + b.refused - (a.rejected + a.refused))
  const first = refused[0]
  if (!first) return null
  return (
    <Chart
      title="Functions rejected and refused most"
      summary={`Most of all ${first.fn}: ${plural(first.rejected, 'call', 'calls')} rejected, and ${plural(first.refused, 'call', 'calls')} refused without anybody being asked.`}
      legend={[
        ['rejected', words.rejected],
        ['refused', words.refused],
      ]}
      head={['function', 'rejected', 'refused']}
      rows={refused.map((each) => [each.fn, each.rejected, each.refused])}
    >
      <Bars
        data={refused.slice(0, most)}
        kinds={['rejected', 'refused']}
        onPick={(fn) => onFilter(ofFunction(filter, fn))}
      />
    </Chart>
  )
}

const nameless = 'no function'

const countsOf = (stats: Stats) =>
  stats.functions.map(({ fn, calls, approved, rejected, outcomes }) => {
    const refused = outcomes.refused ?? 0
    const free = calls - approved - rejected - refused
    return { fn: fn === '' ? nameless : fn, calls, approved, rejected, refused, free, failed: outcomes.error ?? 0 }
  })

const ofFunction = (filter: Filter, fn: unknown): Filter =>
  typeof fn === 'string' && fn !== nameless ? tidy({ ...filter, fn }) : filter

const words = { free: 'no decision', approved: 'approved', rejected: 'rejected', refused: 'refused' } as const
const order: (keyof typeof words)[] = ['free', 'approved', 'rejected', 'refused']

const Bars = ({
  data,
  kinds: shown,
  onPick,
}: {
  data: object[]
  kinds: (keyof typeof words)[]
  onPick: (fn: unknown) => void
}) => (
  <ResponsiveContainer width="100%" height={40 + 26 * data.length}>
    <BarChart
      data={data}
      layout="vertical"
      accessibilityLayer={false}
      barCategoryGap="18%"
      onClick={({ activeLabel }) => onPick(activeLabel)}
    >
      <CartesianGrid horizontal={false} {...grid} />
      <XAxis type="number" tickFormatter={short} allowDecimals={false} {...axis} />
      <YAxis type="category" dataKey="fn" width={132} interval={0} {...axis} />
      <Tooltip {...tooltip} />
      {shown.map((kind) => (
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
)
