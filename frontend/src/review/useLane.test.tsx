// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render } from '@testing-library/react'
import { useRef } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { mostSpace } from './lane'
import { type Rows, useLane } from './useLane'

/** px */
const rowHeight = 46
const sight = 460

let rows: Rows
const List = ({ count }: { count: number }) => {
  const box = useRef<HTMLDivElement>(null)
  rows = useLane(box, count, rowHeight)
  return <div ref={box} data-testid="box" />
}

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(sight)
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

/** A list of three million rows that stands in its middle; `told` says whether the browser has told of a step yet. */
const inTheMiddle = () => {
  const { getByTestId, rerender } = render(<List count={3_000_000} />)
  const box = getByTestId('box')
  const to = (top: number, told = true): void => {
    box.scrollTop = top
    if (told) fireEvent.scroll(box)
  }
  to((mostSpace - sight) / 2)
  return { box, to, rest: () => act(() => vi.runAllTimers()), of: (count: number) => rerender(<List count={count} />) }
}

describe('a list that is taller than a box can be', () => {
  it('goes row by row, and its bar is put back to where the rows are once it rests', () => {
    const { box, to, rest } = inTheMiddle()
    const { first } = rows
    for (let step = 1; step <= 5; step++) {
      to(box.scrollTop + rowHeight)
      expect(rows.first).toBe(first + step)
    }
    const bar = box.scrollTop
    rest()
    expect(box.scrollTop).toBeLessThan(bar)
    expect(rows.first).toBe(first + 5)
  })

  it('loses no step that is made when the bar is about to be put back', () => {
    const { box, to, rest } = inTheMiddle()
    const { first } = rows
    to(box.scrollTop + rowHeight)
    to(box.scrollTop + rowHeight, false)
    rest()
    expect(rows.first).toBe(first + 2)
    fireEvent.scroll(box) // the browser tells of it now
    rest()
    expect(rows.first).toBe(first + 2)
  })

  it('loses no step that is made when there come to be more rows, or a row is brought into sight', () => {
    const { box, to, of } = inTheMiddle()
    const { first, last } = rows
    to(box.scrollTop + rowHeight, false)
    of(3_000_001)
    expect(rows.first).toBe(first + 1)
    to(box.scrollTop + rowHeight, false)
    act(() => rows.show(last - 9)) // it was the first below what is in sight, and is in it now
    expect(rows.first).toBe(first + 2)
  })
})
