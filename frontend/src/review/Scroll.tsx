import type { ReactNode } from 'react'

/** Something that may be larger than its place, and can be scrolled by keyboard too. */
export const Scroll = ({ label, className, children }: { label: string; className: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
  <section className={className} aria-label={label} tabIndex={0}>
    {children}
  </section>
)
