// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react'
import { useRef } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useStickToEnd } from './useStickToEnd'

const Lane = ({ now, give }: { now: () => number; give: (toEnd: () => void) => void }) => {
  const place = useRef<HTMLDivElement>(null)
  give(useStickToEnd(place, now))
  return (
    <div ref={place} data-testid="lane">
      <p />
    </div>
  )
}

/** A lane of 500 px whose content has the height that the test says, as a browser lays it out. */
const lane = () => {
  let time = 0
  let toEnd = (): void => {}
  const give = (given: () => void): void => {
    toEnd = given
  }
  const element = render(<Lane now={() => time} give={give} />).getByTestId('lane')
  let height = 500
  let top = 0
  const clamp = (to: number): number => Math.max(0, Math.min(to, height - 500))
  Object.defineProperties(element, {
    clientHeight: { get: () => 500 },
    scrollHeight: { get: () => height },
    scrollTop: {
      get: () => top,
      set: (to: number) => {
        top = clamp(to)
      },
    },
  })
  const scrolled = (): void => void element.dispatchEvent(new Event('scroll'))
  return {
    /** Heights within one frame: the browser tells of the last only. */
    becomes: (...heights: number[]) => {
      for (const each of heights) {
        height = each
        top = clamp(top)
      }
      scrolled()
      resized()
      scrolled()
    },
    scrolls: (to: number, by?: string) => {
      if (by) element.dispatchEvent(new Event(by))
      top = clamp(to)
      scrolled()
    },
    passes: (ms: number) => {
      time += ms
    },
    toEnd: () => toEnd(),
    fromEnd: () => height - 500 - top,
  }
}

/** One that was sent to its end. */
const following = () => {
  const view = lane()
  view.toEnd()
  return view
}

let resized: () => void = () => {}
beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(tell: () => void) {
        resized = tell
      }
      observe(): void {}
      disconnect(): void {}
    },
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('the view of the conversation', () => {
  it('begins at the top, where what waits is', () => {
    const view = lane()
    view.becomes(2000)
    expect(view.fromEnd()).toBe(1500)
  })

  it('follows what grows', () => {
    const view = following()
    for (const height of [700, 1500, 1600, 4000]) view.becomes(height)
    expect(view.fromEnd()).toBe(0)
  })

  it('goes on following when content shrinks and grows within a frame', () => {
    const view = following()
    view.becomes(1500)
    view.becomes(1200, 1900)
    view.becomes(2300)
    expect(view.fromEnd()).toBe(0)
  })

  it.each(['wheel', 'touchmove', 'pointerdown', 'keydown'])('stays where the person went by %s', (hand) => {
    const view = following()
    view.becomes(2000)
    view.scrolls(900, hand)
    view.becomes(2600)
    expect(view.fromEnd()).toBe(1200)
  })

  it('stays where a screen reader went, without a hand', () => {
    const view = following()
    view.becomes(2000)
    view.scrolls(900)
    view.becomes(2600)
    expect(view.fromEnd()).toBe(1200)
  })

  it('follows again when the person comes back to the end, or asks', () => {
    const view = following()
    view.becomes(2000)
    view.scrolls(900, 'wheel')
    view.scrolls(1480, 'wheel')
    view.becomes(2600)
    expect(view.fromEnd()).toBe(0)
    view.scrolls(900, 'wheel')
    view.toEnd()
    view.becomes(3000)
    expect(view.fromEnd()).toBe(0)
  })

  it('takes no old touch for a way up', () => {
    const view = following()
    view.becomes(1500)
    view.scrolls(1000, 'wheel')
    view.passes(1500)
    view.becomes(1200, 1900)
    expect(view.fromEnd()).toBe(0)
  })
})
