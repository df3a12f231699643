import { memo, useMemo } from 'react'
import { linesOf } from './highlight'

interface Props {
  code: string
  language?: string
  /** The line to point at, from 1. */
  faultyLine?: number
  label?: string
}

/** Source text with line numbers and colours. */
export const Program = memo(({ code, language = 'javascript', faultyLine, label = 'Program' }: Props) => {
  const lines = useMemo(() => linesOf(code, language), [code, language])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <figure className="program" aria-label={label} tabIndex={0}>
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
  )
})
