import { type RefObject, useEffect, useRef } from 'react'

/** Brings an element back to where it was scrolled when it is shown again: what is hidden forgets it. */
export const useKeptScroll = (lane: RefObject<HTMLElement | null>): void => {
  const top = useRef<number>(undefined)
  useEffect(() => {
    const element = lane.current
    if (!element) return
    if (top.current !== undefined) element.scrollTop = top.current
    const keep = (): void => {
      top.current = element.scrollTop
    }
    element.addEventListener('scroll', keep, { passive: true })
    return () => element.removeEventListener('scroll', keep)
  }, [lane])
}
