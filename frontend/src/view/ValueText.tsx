import { plainLines } from '../value/plain'

/** A value as text. It may scroll, so it can be reached by keyboard. */
export const ValueText = ({ text, label, boxed = false }: { text: string; label: string; boxed?: boolean }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
  // biome-ignore lint/a11y/useSemanticElements: preformatted text has no element with a name
  <pre className={boxed ? 'value value-boxed' : 'value'} tabIndex={0} role="group" aria-label={label}>
    {plainLines(text)}
  </pre>
)
