import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { plainLines } from '../value/plain'
import { linesOf } from './highlight'

interface Props {
  code: string
  language?: string
  /** The line to point at, from 1. */
  faultyLine?: number
  label?: string
  /** Keep the end in view while the text grows. */
  growing?: boolean
}

/** Source text with line numbers and colours. A long one says so, and can be opened. */
export const Program = memo(
  ({ code, language = 'javascript', faultyLine, label = 'Program', growing = false }: Props) => {
    const lines = useMemo(() => linesOf(plainLines(code), language), [code, language])
    const pane = useRef<HTMLElement>(null)
    const [whole, setWhole] = useState(false)
    const [overflows, setOverflows] = useState(false)

    useLayoutEffect(() => {
      if (growing && lines.length > 0 && pane.current) pane.current.scrollTop = pane.current.scrollHeight
    }, [growing, lines])
    // The line in question may lie below what fits.
    useLayoutEffect(() => {
      const line = faultyLine === undefined ? undefined : pane.current?.querySelector<HTMLElement>('.faulty')
      if (line && pane.current) pane.current.scrollTop = line.offsetTop - pane.current.clientHeight / 2
    }, [faultyLine])
    useEffect(() => {
      const element = pane.current
      if (!element || whole) return
      const measure = new ResizeObserver(() => setOverflows(element.scrollHeight > element.clientHeight + 1))
      measure.observe(element)
      return () => measure.disconnect()
    }, [whole])

    return (
      <div className="program-place">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <figure className={whole ? 'program program-whole' : 'program'} ref={pane} aria-label={label} tabIndex={0}>
          <ol>
            {lines.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number
              <li key={at} className={at + 1 === faultyLine ? 'faulty' : undefined}>
                <code>
                  {line.map(({ text, className }, place) =>
                    className ? (
                      // biome-ignore lint/suspicious/noArrayIndexKey: stretches have no other identity
                      <span key={place} className={className}>
                        {text}
                      </span>
                    ) : (
                      text
                    ),
                  )}
                </code>
              </li>
            ))}
          </ol>
        </figure>
        {overflows && !growing && (
          <button type="button" className="program-more" aria-expanded={whole} onClick={() => setWhole(!whole)}>
            {whole ? 'Show less' : `Show all ${lines.length} lines`}
          </button>
        )}
      </div>
    )
  },
)
