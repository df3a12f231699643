import { Ban, Check, CircleHelp, CircleSlash, Clock, Minus, X } from 'lucide-react'
import type { Row } from './shapes'
import { toneOf } from './words'

const icons: Record<string, typeof Check> = {
  ok: Check,
  error: X,
  rejected: CircleSlash,
  refused: Ban,
  unknown: CircleHelp,
  waiting: Clock,
}

/** How far a call came: a sign, and Go's words for it. */
export const OutcomeMark = ({ row }: { row: Pick<Row, 'outcome' | 'outcomeWords' | 'runOpen' | 'noted'> }) => {
  const Icon = icons[row.outcome] ?? Minus
  return (
    <span className={`review-mark review-mark-${toneOf(row)}`} title={row.outcomeWords}>
      <Icon aria-hidden />
      <span>{row.outcomeWords}</span>
    </span>
  )
}
