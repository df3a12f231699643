import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type Lane, type Stand, scrolled, settled, spaceOf, standAt, stuck } from './lane'

/** Rows above and below what is in sight that exist too. */
const more = 8
/** ms without a step after which a scroll is over: not every engine tells. */
const restMs = 150

export interface Rows {
  /** The first row that exists, and the one behind the last. */
  first: number
  last: number
  /** px: height of the box that is scrolled. */
  space: number
  /** px from the top of the box to a row. */
  topOf(row: number): number
  /** Brings a row into sight, by the shortest way. */
  show(row: number): void
  toTop(): void
}

/** The rows in sight of a list of any length (see lane.ts). Each is `height` px high. */
export const useLane = (box: RefObject<HTMLElement | null>, count: number, height: number): Rows => {
  const [sight, setSight] = useState(0)
  const [stand, setStand] = useState<Stand>({ at: 0, bar: 0 })
  const lane: Lane = { whole: count * height, sight }
  // What listeners see: steps come faster than pictures.
  const now = useRef({ lane, stand, height })
  now.current.lane = lane
  now.current.height = height
  const seen = useRef(false)

  const go = useCallback((to: Stand): void => {
    now.current.stand = to
    setStand(to)
  }, [])
  /** Puts rows and bar to a place in one picture. */
  const put = useCallback(
    (to: Stand): void => {
      const element = box.current
      if (!element) return
      element.scrollTop = to.bar
      go({ at: to.at, bar: element.scrollTop }) // what became of it: an engine rounds
    },
    [box, go],
  )

  /** Takes in a step that the box has made and that no event has told of yet; gives whether there was one. */
  const take = useCallback((): boolean => {
    const element = box.current
    const { lane: of, stand: before } = now.current
    if (!element || of.sight === 0 || element.scrollTop === before.bar) return false // hidden, or put there by us
    go(scrolled(of, before, element.scrollTop))
    return true
  }, [box, go])

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = (): void => setSight(element.clientHeight)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    let rest: ReturnType<typeof setTimeout> | undefined
    const settle = (): void => {
      const { lane: of, stand: is } = now.current
      const to = settled(of, is)
      if (to !== is) flushSync(() => put(to))
    }
    const onScroll = (): boolean => {
      const stepped = flushSync(take)
      if (!stepped) return false
      clearTimeout(rest)
      const { lane: of, stand: after } = now.current
      if (stuck(of, after)) settle()
      // The bar is not put over a step that was made a moment ago: with it the rest begins anew.
      else rest = setTimeout(() => onScroll() || settle(), restMs)
      return true
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      clearTimeout(rest)
      element.removeEventListener('scroll', onScroll)
    }
  }, [box, put, take])

  // Another number of rows, or of px in sight: the same rows stay, with the bar where it belongs now.
  // A box that was hidden has forgotten its bar.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the figures that say it
  useLayoutEffect(() => {
    if (seen.current) take()
    seen.current = sight > 0
    const { lane: of, stand: is } = now.current
    const to = settled(of, is)
    if (of.sight > 0 && (to !== is || box.current?.scrollTop !== is.bar)) put(to)
  }, [count, height, sight, put, take])

  const show = useCallback(
    (row: number): void => {
      take()
      const { lane: of, stand: is, height: each } = now.current
      const top = row * each
      if (top < is.at) put(standAt(of, top))
      else if (top + each > is.at + of.sight) put(standAt(of, top + each - of.sight))
    },
    [put, take],
  )
  return {
    first: Math.max(0, Math.floor(stand.at / height) - more),
    last: Math.min(count, Math.ceil((stand.at + sight) / height) + more),
    space: spaceOf(lane),
    topOf: (row) => row * height - stand.at + stand.bar,
    show,
    toTop: useCallback(() => put({ at: 0, bar: 0 }), [put]),
  }
}
