import { describe, expect, it } from 'vitest'
import { type Lane, mostSpace, type Stand, scrolled, settled, spaceOf, standAt, stuck } from './lane'

const row = 46
const long: Lane = { whole: 5_000_000 * row, sight: 690 }
const short: Lane = { whole: 1_000 * row, sight: 690 }
/** The last place there is, of the rows and of the bar. */
const end = { at: long.whole - long.sight, bar: mostSpace - long.sight }

const steps = (lane: Lane, from: Stand, step: number, times: number): Stand => {
  let stand = from
  for (let n = 0; n < times; n++) {
    const bar = Math.max(0, Math.min(stand.bar + step, spaceOf(lane) - lane.sight))
    stand = scrolled(lane, stand, bar)
    if (stuck(lane, stand)) stand = settled(lane, stand)
  }
  return stand
}

describe('where a long list stands', () => {
  it('is where the bar is when the list fits', () => {
    for (const bar of [0, 7, 9_000, short.whole - short.sight]) {
      expect(scrolled(short, { at: 0, bar: 0 }, bar)).toEqual({ at: bar, bar })
      expect(standAt(short, bar)).toEqual({ at: bar, bar })
    }
    expect(spaceOf(short)).toBe(short.whole)
  })

  it('never needs a taller box than an engine has', () => {
    expect(spaceOf(long)).toBe(mostSpace)
    expect(standAt(long, Number.MAX_SAFE_INTEGER)).toEqual(end)
  })

  it('goes through every row by small steps, from one end to the other', () => {
    // No row is jumped over: a step of the wheel moves the rows by just that much.
    let stand = standAt(long, 0)
    for (let n = 1; n <= 500; n++) {
      stand = steps(long, stand, 120, 1)
      expect(stand.at).toBe(n * 120)
    }
    const near: Lane = { whole: mostSpace + 40_000, sight: 690 }
    const down = steps(near, standAt(near, 0), 600, Math.ceil(near.whole / 600))
    expect(down.at).toBe(near.whole - near.sight)
    expect(steps(near, down, -600, Math.ceil(near.whole / 600)).at).toBe(0)
  })

  it('goes to the place that the bar shows when the bar is dragged', () => {
    for (const part of [0, 0.1, 0.5, 0.9, 1]) {
      const from = standAt(long, part > 0.4 ? 0 : long.whole)
      const { at } = scrolled(long, from, part * end.bar)
      expect(Math.abs(at - part * end.at)).toBeLessThan(0.005 * end.at)
      expect(Math.abs(standAt(long, at).bar - part * end.bar)).toBeLessThanOrEqual(1)
    }
  })

  it('takes one px of a dragged bar for dragging, whatever is in sight', () => {
    for (const sight of [200, 690, 1_400, 2_800]) {
      const lane = { ...long, sight }
      const from = standAt(lane, lane.whole / 2)
      const bar = from.bar + mostSpace / sight
      expect(Math.abs(standAt(lane, scrolled(lane, from, bar).at).bar - bar)).toBeLessThanOrEqual(1)
    }
  })

  it('puts the bar back where the rows are, and only the bar', () => {
    const before = steps(long, standAt(long, 100_000_000), 120, 40)
    const after = settled(long, before)
    expect(after.at).toBe(before.at)
    expect(after).toEqual(standAt(long, after.at))
    expect(Math.abs(after.bar - before.bar)).toBeGreaterThan(4_000)
    expect(settled(long, after)).toBe(after)
  })

  it('is not stuck at an end of the bar while there are rows beyond', () => {
    // Dragged to near the end, and wheeled on at once: the bar comes to its end before the rows do.
    for (const [place, step, last] of [
      [900_000, -120, 0],
      [end.at - 900_000, 120, end.at],
    ] as const) {
      const atEnd = { ...standAt(long, place), bar: step < 0 ? 60 : end.bar - 60 }
      const on = steps(long, atEnd, step, 1)
      expect(Math.abs(on.at - place)).toBe(60) // as far as the bar let it
      expect(on.bar).toBeGreaterThan(50_000)
      expect(on.bar).toBeLessThan(end.bar - 50_000)
      const there = steps(long, on, step, 900_000 / 120 + 20)
      expect(there.at).toBe(last)
      expect(stuck(long, there)).toBe(false)
    }
  })

  it('keeps its place when rows are added, and ends with the list when they are taken', () => {
    const stand = standAt(short, 20_000)
    expect(settled(long, stand).at).toBe(20_000)
    expect(settled(short, standAt(long, end.at))).toEqual(standAt(short, short.whole))
  })
})
