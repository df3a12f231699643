// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { useWritten } from './useWritten'

afterEach(cleanup)

const field = (inForce: string) => {
  const { result, rerender } = renderHook(useWritten, { initialProps: inForce })
  return {
    text: () => result.current.text,
    writes: (text: string) => act(() => result.current.write(text)),
    sends: (text: string) => act(() => result.current.sent(text)),
    comes: rerender,
  }
}

it('what comes from elsewhere is shown', () => {
  const { text, writes, comes } = field('old')
  expect(text()).toBe('old')
  writes('half')
  comes('new')
  expect(text()).toBe('new')
})

it('what was written on since it was sent stays when that comes back, and once more', () => {
  const { text, writes, sends, comes } = field('')
  for (const [sent, later] of [
    ['one', 'one two'],
    ['one two', 'one two three'],
  ] as const) {
    writes(sent)
    sends(sent)
    writes(later)
    comes(sent)
    expect(text()).toBe(later)
  }
})

it('what comes back in other words is shown in those', () => {
  const { text, writes, sends, comes } = field('')
  writes('http://a/')
  sends('http://a/')
  comes('http://a')
  expect(text()).toBe('http://a')
})
