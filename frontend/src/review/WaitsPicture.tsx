import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { duration } from '../view/words'
import { Chart } from './Chart'
import { axis, grid, kinds, short, tooltip } from './drawing'
import type { Stats } from './shapes'
import { plural } from './words'

/** How long people took to decide. */
export const WaitsPicture = ({ stats: { waits } }: { stats: Stats }) => {
  if (waits.decisions === 0) return null
  return (
    <Chart
      title="Time people took to decide"
      summary={`${plural(waits.decisions, 'decision', 'decisions')} by a person; half of them within ${duration(waits.medianMs)}, the longest after ${duration(waits.longestMs)}.`}
      legend={[
        ['approved', 'approved'],
        ['rejected', 'rejected'],
      ]}
      head={['time', 'approved', 'rejected']}
      rows={waits.bars.map((bar) => [bar.label, bar.approved, bar.rejected])}
    >
      <ResponsiveContainer width="100%" height={220}>
        <BarChart data={waits.bars} accessibilityLayer={false} barCategoryGap="14%">
          <CartesianGrid vertical={false} {...grid} />
          <XAxis dataKey="label" interval={0} {...axis} />
          <YAxis tickFormatter={short} width={48} allowDecimals={false} {...axis} />
          <Tooltip {...tooltip} />
          <Bar dataKey="approved" name="approved" stackId="all" fill={kinds.approved} isAnimationActive={false} />
          <Bar dataKey="rejected" name="rejected" stackId="all" fill={kinds.rejected} isAnimationActive={false} />
        </BarChart>
      </ResponsiveContainer>
    </Chart>
  )
}
