/**
 * Where a list stands that is taller than a browser's box can be.
 *
 * A box ends at some 33 million px (17 million in Firefox), fewer when the page is
 * magnified; rows beyond that could not be scrolled to. So the box that is scrolled
 * is never taller than `mostSpace`, and what is in sight is said by two figures:
 *
 * - `at`: px of all the rows that lie above what is in sight;
 * - `bar`: the box's scrollTop.
 *
 * In a list that fits they are the same. In one that does not, a small step (wheel,
 * swipe, arrow of the scrollbar) goes that many px through the rows, and a large one
 * (the bar is dragged) goes to the place that the bar shows. Small steps let the two
 * drift apart; `settled` puts the bar back to where the rows are. Near both ends bar
 * and rows go px by px, so that a wheel gets there: a step ends where the bar does.
 */
export interface Stand {
  at: number
  bar: number
}

/** px; a page that is magnified four times still has its box. */
export const mostSpace = 8_000_000

/** px from an end within which bar and rows go px by px. */
const near = 50_000

export interface Lane {
  /** px that all rows take. */
  whole: number
  /** px in sight. */
  sight: number
}

/** How tall the box is that is scrolled, in px. */
export const spaceOf = ({ whole }: Lane): number => Math.min(whole, mostSpace)

const most = (length: number, { sight }: Lane): number => Math.max(0, length - sight)
const within = (to: number, end: number): number => Math.max(0, Math.min(to, end))

/** How many px the rows, and the bar, can be scrolled. */
const ends = (lane: Lane): [rows: number, bar: number] => [most(lane.whole, lane), most(spaceOf(lane), lane)]

/** The place of a way of length `to` that belongs to a place of one of length `from`. */
const across = (place: number, from: number, to: number): number => {
  if (place <= near || from === to) return place
  if (place >= from - near) return to - (from - place)
  return near + ((place - near) / (from - 2 * near)) * (to - 2 * near)
}

/** Stands at a place of the rows, with the bar where it belongs. */
export const standAt = (lane: Lane, to: number): Stand => {
  const [rows, bar] = ends(lane)
  const at = within(to, rows)
  return { at, bar: Math.round(across(at, rows, bar)) }
}

/** Where the list stands after its box was scrolled to `bar`. */
export const scrolled = (lane: Lane, before: Stand, bar: number): Stand => {
  const [rows, bars] = ends(lane)
  if (rows === bars) return { at: bar, bar }
  const step = bar - before.bar
  // A px of the bar's own length is space / sight px of the box: who drags it makes no smaller step.
  const dragged = Math.abs(step) > Math.max(lane.sight, mostSpace / lane.sight / 3)
  return { at: within(dragged ? Math.round(across(bar, bars, rows)) : before.at + step, rows), bar }
}

/** The same place with the bar where it belongs; `stand` itself where it stands so. */
export const settled = (lane: Lane, stand: Stand): Stand => {
  const there = standAt(lane, stand.at)
  return there.at === stand.at && Math.abs(there.bar - stand.bar) < 1 ? stand : there
}

/** Whether the bar is at an end that the rows have not reached, or the other way round: it cannot wait. */
export const stuck = (lane: Lane, { at, bar }: Stand): boolean => {
  const [rows, bars] = ends(lane)
  return endOf(at, rows) !== endOf(bar, bars)
}

/** -1 at the beginning, 1 at the end, 0 in between; a browser's scrollTop misses its end by less than a px. */
const endOf = (at: number, length: number): number => (at < 1 ? -1 : at > length - 1 ? 1 : 0)
