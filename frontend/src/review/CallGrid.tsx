import { forwardRef, type KeyboardEvent, useEffect, useId, useImperativeHandle, useRef, useState } from 'react'
import { CallRow } from './CallRow'
import type { CallList, CallListState } from './callList'
import { useLane } from './useLane'

/** px */
const rowHeight = 46

export interface GridHandle {
  focus(): void
}

interface Props {
  list: CallList
  state: CallListState
  /** id of the call that is selected */
  selected: number | undefined
  searching: boolean
  onSelect: (id: number) => void
  onOpen: (id: number) => void
}

/** The calls in rows, of which only those in sight exist. Arrows move, Enter opens. */
export const CallGrid = forwardRef<GridHandle, Props>(
  ({ list, state, selected, searching, onSelect, onOpen }, handle) => {
    const lane = useRef<HTMLDivElement>(null)
    const [at, setAt] = useState(0)
    /** The place that keys went to and whose call is still read; it is selected when it comes. */
    const awaited = useRef<number>(undefined)
    const name = useId()
    const height = searching ? rowHeight + 22 : rowHeight
    const rows = state.shown
    const { first, last, space, topOf, show, toTop } = useLane(lane, rows, height)
    useEffect(() => list.need(first, last), [list, first, last])
    // biome-ignore lint/correctness/useExhaustiveDependencies: another list begins at its top
    useEffect(() => {
      setAt(0)
      awaited.current = undefined
      toTop()
    }, [list])
    useImperativeHandle(handle, () => ({ focus: () => lane.current?.focus() }), [])

    const select = (place: number): void => {
      const row = list.at(place)
      awaited.current = row ? undefined : place
      if (row) onSelect(row.id)
    }
    useEffect(() => {
      if (awaited.current !== undefined && list.at(awaited.current)) select(awaited.current)
    })
    const move = (to: number): void => {
      const next = Math.max(0, Math.min(rows - 1, to))
      setAt(next)
      show(next)
      select(next)
    }
    const onKeyDown = (event: KeyboardEvent): void => {
      if (rows === 0 || event.ctrlKey || event.metaKey || event.altKey) return
      const page = Math.max(1, Math.floor((lane.current?.clientHeight ?? 0) / height) - 1)
      const moves: Record<string, number> = {
        ArrowDown: at + 1,
        ArrowUp: at - 1,
        PageDown: at + page,
        PageUp: at - page,
        Home: 0,
        End: rows - 1,
      }
      const to = moves[event.key]
      if (to !== undefined) {
        event.preventDefault()
        move(to)
      }
      const row = list.at(at)
      if (event.key === 'Enter' && row) {
        event.preventDefault()
        onSelect(row.id)
        onOpen(row.id)
      }
    }
    return (
      // biome-ignore lint/a11y/useSemanticElements: a table cannot leave out the rows that nobody sees
      <div
        className="review-grid"
        role="grid"
        aria-label="Calls, the newest first"
        aria-rowcount={state.count ?? -1}
        aria-activedescendant={at >= first && at < last ? `${name}-${at}` : undefined}
        aria-busy={state.opening}
        tabIndex={0}
        ref={lane}
        onKeyDown={onKeyDown}
        onFocus={() => {
          const row = list.at(at)
          if (row && selected === undefined) onSelect(row.id)
        }}
      >
        {/* biome-ignore lint/a11y/useSemanticElements: see above */}
        <div className="review-space" role="rowgroup" style={{ height: space }}>
          {Array.from({ length: last - first }, (_, step) => first + step).map((place) => (
            <CallRow
              key={place}
              id={`${name}-${place}`}
              place={place}
              top={topOf(place)}
              row={list.at(place)}
              current={place === at}
              selected={selected !== undefined && list.at(place)?.id === selected}
              onClick={() => {
                setAt(place)
                awaited.current = undefined
                const row = list.at(place)
                if (!row) return
                onSelect(row.id)
                onOpen(row.id)
              }}
            />
          ))}
        </div>
      </div>
    )
  },
)
