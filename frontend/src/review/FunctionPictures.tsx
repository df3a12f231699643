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

/** The functions that are used most, and those that are refused and rejected most. */
export const FunctionPictures = ({ stats, filter, onFilter }: Props) => {
  const all = stats.functions.map((each) => ({
    fn: each.fn === '' ? 'no function' : each.fn,
    calls: each.calls,
    approved: each.approved,
    rejected: each.rejected,
    refused: each.outcomes.refused ?? 0,
    free: each.calls - each.approved - each.rejected - (each.outcomes.refused ?? 0),
    failed: each.outcomes.error ?? 0,
  }))
  const used = [...all].sort((a, b) => b.calls - a.calls)
  const refused = all
    .filter((each) => each.rejected + each.refused > 0)
    .sort((a, b) => b.rejected + b.refused - (a.rejected + a.refused))
  const pick = (fn: unknown): void => {
    if (typeof fn === 'string' && fn !== 'no function') onFilter(tidy({ ...filter, fn }))
  }
  return (
    <>
      <Chart
        title="Functions used most"
        summary={`${plural(all.length, 'function', 'functions')}; most of all ${used[0]?.fn ?? 'none'} with ${plural(used[0]?.calls ?? 0, 'call', 'calls')}.`}
        legend={[
          ['free', 'no decision'],
          ['approved', 'approved'],
          ['rejected', 'rejected'],
          ['refused', 'refused'],
        ]}
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
        <Bars data={used.slice(0, most)} kinds={['free', 'approved', 'rejected', 'refused']} onPick={pick} />
      </Chart>
      {refused.length > 0 && (
        <Chart
          title="Functions rejected and refused most"
          summary={`Most of all ${refused[0]?.fn}: people or rules rejected ${plural(refused[0]?.rejected ?? 0, 'call', 'calls')}, and ${plural(refused[0]?.refused ?? 0, 'was', 'were')} refused without being asked.`}
          legend={[
            ['rejected', 'rejected'],
            ['refused', 'refused'],
          ]}
          head={['function', 'rejected', 'refused']}
          rows={refused.map((each) => [each.fn, each.rejected, each.refused])}
        >
          <Bars data={refused.slice(0, most)} kinds={['rejected', 'refused']} onPick={pick} />
        </Chart>
      )}
    </>
  )
}

const words = { free: 'no decision', approved: 'approved', rejected: 'rejected', refused: 'refused' } as const

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
