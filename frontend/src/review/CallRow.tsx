import { duration } from '../view/words'
import { OutcomeMark } from './OutcomeMark'
import { Pieces } from './Pieces'
import type { Row } from './shapes'
import { localTime, toneOf } from './words'

interface Props {
  id: string
  place: number
  /** px */
  top: number
  /** undefined while it is read */
  row: Row | undefined
  current: boolean
  selected: boolean
  onClick: () => void
}

/** One call in a row of the list: when, what, who decided, how it ended. */
export const CallRow = ({ id, place, top, row, current, selected, onClick }: Props) => {
  const names = ['review-row', current && 'review-row-current', row && `review-row-${toneOf(row)}`]
  const hit = row?.hits?.find(({ part }) => part !== 'function' && part !== 'request') ?? row?.hits?.[0]
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows of a table cannot be placed one by one
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid takes the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus
    <div
      id={id}
      role="row"
      aria-rowindex={place + 1}
      aria-selected={selected}
      className={names.filter(Boolean).join(' ')}
      style={{ transform: `translateY(${top}px)` }}
      onClick={onClick}
    >
      {row ? (
        <>
          <Cell name="time">
            <time dateTime={row.at} title={`${row.at} UTC`}>
              {localTime(row.at).slice(0, 10)}
              <span>{localTime(row.at).slice(11)}</span>
            </time>
          </Cell>
          <Cell name="what">
            <span className="review-fn">
              {row.fn === '' ? <em>no function</em> : row.fn} <code>{row.input}</code>
            </span>
            <span className="review-request">{row.request === '' ? row.runId || 'no run' : row.request}</span>
            {hit && (
              <span className="review-hit">
                <em>{hit.part}</em> <Pieces pieces={hit.pieces} />
              </span>
            )}
          </Cell>
          <Cell name="decision">
            {row.decisionWords}
            {row.reason && <span title={row.reason}>{row.reason}</span>}
            {!row.reason && row.waitedMs !== undefined && <span>after {duration(row.waitedMs)}</span>}
          </Cell>
          <Cell name="outcome">
            <OutcomeMark row={row} />
            {row.ms !== undefined && <span>{duration(row.ms)}</span>}
            {row.noted && <span>noted</span>}
          </Cell>
        </>
      ) : (
        <Cell name="what">
          <span className="review-unread">…</span>
        </Cell>
      )}
    </div>
  )
}

const Cell = ({ name, children }: { name: string; children: React.ReactNode }) => (
  // biome-ignore lint/a11y/useSemanticElements: see the row
  // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus
  <div role="gridcell" className={`review-cell review-${name}`}>
    {children}
  </div>
)
