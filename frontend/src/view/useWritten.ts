import { useCallback, useLayoutEffect, useRef, useState } from 'react'

export interface Written {
  text: string
  write(text: string): void
  /** To be called with what is sent from the field, before it is. */
  sent(text: string): void
}

/**
 * What a person writes in a field whose text is in force elsewhere, too. The field follows what comes
 * from elsewhere. What comes back of what was sent from here leaves it as it is: the person may have
 * written on by then.
 */
export const useWritten = (inForce: string): Written => {
  const [text, write] = useState(inForce)
  const expected = useRef(inForce)
  useLayoutEffect(() => {
    if (inForce !== expected.current) write(inForce)
    expected.current = inForce
  }, [inForce])
  const sent = useCallback((next: string): void => {
    expected.current = next
  }, [])
  return { text, write, sent }
}
