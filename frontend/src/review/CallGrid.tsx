import { useVirtualizer } from '@tanstack/react-virtual'
import { forwardRef, type KeyboardEvent, useEffect, useId, useImperativeHandle, useRef, useState } from 'react'
import { CallRow } from './CallRow'
import type { CallList, CallListState } from './callList'

/** px; a browser's boxes end at about 33 million. */
const rowHeight = 46
const mostRows = Math.floor(30_000_000 / rowHeight)

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
    const name = useId()
    const height = searching ? rowHeight + 22 : rowHeight
    const rows = Math.min(state.shown, mostRows)
    const virtual = useVirtualizer({
      count: rows,
      getScrollElement: () => lane.current,
      estimateSize: () => height,
      overscan: 8,
    })
    const items = virtual.getVirtualItems()
    const first = items[0]?.index ?? 0
    const last = (items.at(-1)?.index ?? 0) + 1
    useEffect(() => list.need(first, last), [list, first, last])
    // biome-ignore lint/correctness/useExhaustiveDependencies: another list begins at its top
    useEffect(() => {
      setAt(0)
      lane.current?.scrollTo({ top: 0 })
    }, [list])
    // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height are measured anew
    useEffect(() => virtual.measure(), [height])
    useImperativeHandle(handle, () => ({ focus: () => lane.current?.focus() }), [])

    const move = (to: number): void => {
      const next = Math.max(0, Math.min(rows - 1, to))
      setAt(next)
      virtual.scrollToIndex(next, { align: 'auto' })
      const row = list.at(next)
      if (row) onSelect(row.id)
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
        aria-activedescendant={list.at(at) ? `${name}-${at}` : undefined}
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
        <div className="review-space" role="rowgroup" style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => (
            <CallRow
              key={item.index}
              id={`${name}-${item.index}`}
              place={item.index}
              top={item.start}
              row={list.at(item.index)}
              current={item.index === at}
              selected={selected !== undefined && list.at(item.index)?.id === selected}
              onClick={() => {
                setAt(item.index)
                const row = list.at(item.index)
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
