import { type RefObject, useCallback, useEffect, useRef } from 'react'

/** How far from the end still counts as being there, in px. */
const near = 80

/** How long after a hand was on it a way up may still be the hand's: wheels and fingers coast. */
const coasting = 1000

const hands = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/**
 * Gives a function that goes to an element's end. From then on the element stays
 * there while it grows, until the person scrolls away, and again once they are
 * back at the end.
 */
export const useStickToEnd = (lane: RefObject<HTMLElement | null>, now = () => performance.now()): (() => void) => {
  const sticks = useRef(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the clock does not change
  useEffect(() => {
    const element = lane.current
    const content = element?.firstElementChild
    if (!element || !content) return
    let last = { top: element.scrollTop, room: room(element) }
    let touched = Number.NEGATIVE_INFINITY
    const touch = (): void => {
      touched = now()
    }
    const look = (): void => {
      const at = { top: element.scrollTop, room: room(element) }
      // Content that shrinks for a moment, as where a program that is being written gives way to
      // its run, takes the element up with it, and has grown again when we hear of that. Only a
      // way up by hand, or in content that stays as it is, is the person's.
      const byPerson = at.room === last.room || now() - touched < coasting
      if (at.room - at.top < near) sticks.current = true
      else if (at.top < last.top && byPerson) sticks.current = false
      last = at
    }
    const follow = new ResizeObserver(() => {
      // Who writes in it must not see the text move away.
      if (sticks.current && !writesIn(element)) element.scrollTop = element.scrollHeight
    })
    element.addEventListener('scroll', look, { passive: true })
    for (const hand of hands) element.addEventListener(hand, touch, { passive: true })
    follow.observe(content)
    follow.observe(element)
    return () => {
      element.removeEventListener('scroll', look)
      for (const hand of hands) element.removeEventListener(hand, touch)
      follow.disconnect()
    }
  }, [lane])

  return useCallback(() => {
    sticks.current = true
    if (lane.current) lane.current.scrollTop = lane.current.scrollHeight
  }, [lane])
}

const writesIn = (element: HTMLElement): boolean =>
  document.activeElement instanceof HTMLTextAreaElement && element.contains(document.activeElement)

/** How far it can be scrolled, in px. */
const room = ({ scrollHeight, clientHeight }: HTMLElement): number => scrollHeight - clientHeight
