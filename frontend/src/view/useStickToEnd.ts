import { type RefObject, useEffect } from 'react'

/** How far from the end still counts as being there, in px. */
const near = 80

/**
 * Keeps an element scrolled to its end while it grows, unless the person has
 * scrolled away.
 */
export const useStickToEnd = (lane: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    const element = lane.current
    const content = element?.firstElementChild
    if (!element || !content) return
    let sticks = true
    let last = element.scrollTop
    const look = (): void => {
      const isNear = element.scrollHeight - element.scrollTop - element.clientHeight < near
      // The event of our own scrolling may come when the content has grown again: only a way
      // up is the person's.
      if (isNear) sticks = true
      else if (element.scrollTop < last) sticks = false
      last = element.scrollTop
    }
    const follow = new ResizeObserver(() => {
      if (sticks) element.scrollTop = element.scrollHeight
    })
    element.addEventListener('scroll', look, { passive: true })
    follow.observe(content)
    follow.observe(element)
    return () => {
      element.removeEventListener('scroll', look)
      follow.disconnect()
    }
  }, [lane])
}
