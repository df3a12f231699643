import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'

/** How many messages are drawn at first, and how many more each time. */
const step = 40

/**
 * Of a long conversation only the latest messages are drawn. Gives the number of
 * the first that is, and a function that shows earlier ones without moving what
 * the person looks at.
 */
export const useLatest = (count: number, lane: RefObject<HTMLElement | null>): [number, () => void] => {
  const [first, setFirst] = useState(() => Math.max(0, count - step))
  const heightBefore = useRef<number>(undefined)

  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the first one
  useLayoutEffect(() => {
    const element = lane.current
    if (element && heightBefore.current !== undefined) {
      element.scrollTop += element.scrollHeight - heightBefore.current
      heightBefore.current = undefined
    }
  }, [first, lane])

  const showEarlier = useCallback(() => {
    heightBefore.current = lane.current?.scrollHeight
    setFirst((now) => Math.max(0, now - step))
  }, [lane])
  // Messages can become fewer, when an earlier request is asked anew.
  return [Math.min(first, Math.max(0, count - 1)), showEarlier]
}
