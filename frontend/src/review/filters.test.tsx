// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Filters } from './Filters'
import type { Log } from './operations'
import type { Filter } from './shapes'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

/** The filters of a log; what is chosen comes back when the test says so. */
const filters = () => {
  const log = { source: 'own', names: () => new Promise(() => {}) } as unknown as Log
  const chosen: Filter[] = []
  const of = (filter: Filter) => (
    <Filters log={log} filter={filter} onFilter={(next) => chosen.push(next)} onLeave={() => {}} />
  )
  const { rerender } = render(of({}))
  const box = screen.getByRole<HTMLInputElement>('searchbox')
  return {
    box,
    chosen,
    types: (text: string) => fireEvent.change(box, { target: { value: text } }),
    pauses: () => act(() => vi.runOnlyPendingTimers()),
    comes: (filter: Filter) => rerender(of(filter)),
  }
}

it('what is typed on while a choice comes back stays, and is looked for too', () => {
  const { box, chosen, types, pauses, comes } = filters()
  types('order')
  pauses()
  expect(chosen).toEqual([{ text: 'order' }])
  types('order 7')
  comes({ text: 'order' })
  expect(box.value).toBe('order 7')
  pauses()
  expect(chosen.at(-1)).toEqual({ text: 'order 7' })
  comes({ text: 'order 7' })
  expect(box.value).toBe('order 7')
})

it('a text that is chosen elsewhere, or cleared, is what the box shows', () => {
  const { box, types, pauses, comes } = filters()
  types('order')
  pauses()
  comes({ text: 'order' })
  comes({ text: 'mail' })
  expect(box.value).toBe('mail')
  comes({})
  expect(box.value).toBe('')
})
