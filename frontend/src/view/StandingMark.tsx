import type { CallStanding, RunStanding } from '../run/runView'

const shapes: Partial<Record<CallStanding | RunStanding, string>> = {
  ok: 'M4.5 8.3l2.3 2.4 4.7-5',
  error: 'M5.2 5.2l5.6 5.6M10.8 5.2l-5.6 5.6',
  limit: 'M8 4.4v4.2M8 11.2v.2',
  rejected: 'M4.8 8h6.4',
  denied: 'M4.8 8h6.4',
  cancelled: 'M5.6 8h.1M8 8h.1M10.3 8h.1',
  aborted: 'M6 6h4v4H6z',
  waiting: 'M6.3 5.2v5.6M9.7 5.2v5.6',
}

/** A small round sign of how something stands. The words stand beside it. */
export const StandingMark = ({ standing }: { standing: CallStanding | RunStanding }) => (
  <svg className={`mark mark-${standing}`} viewBox="0 0 16 16" aria-hidden="true">
    <circle cx="8" cy="8" r="7" />
    {shapes[standing] !== undefined && <path d={shapes[standing]} />}
  </svg>
)
