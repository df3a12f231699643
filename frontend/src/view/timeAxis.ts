import type { RunView, Wait } from '../run/runView'

/** How much of the axis all waiting for the person takes at most: it is long, and says little. */
const mostForWaits = 0.3

/** Maps a time of a run, in ms since its start, to a place from 0 to 100. */
export type TimeAxis = (at: number) => number

/**
 * An axis on which work and waiting for people have scales of their own: a call
 * of 8 ms must be seen beside a decision of two minutes.
 */
export const timeAxisOf = ({ waits }: Pick<RunView, 'waits'>, until: number): TimeAxis => {
  const spans = waits.map(({ from, to }: Wait) => ({ from, to: Math.min(to ?? until, until) }))
  const waitedUntil = (at: number): number =>
    spans.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(at, to) - from), 0)
  const waited = waitedUntil(until)
  const worked = Math.max(until - waited, 1)
  const forWaits = waited === 0 ? 0 : Math.min(mostForWaits, waited / (waited + worked))
  return (at) => {
    const within = Math.min(Math.max(at, 0), until)
    const w = waitedUntil(within)
    const share = ((within - w) / worked) * (1 - forWaits) + (waited === 0 ? 0 : (w / waited) * forWaits)
    return Math.min(100, share * 100)
  }
}
