import { describe, expect, it } from 'vitest'
import { timeAxisOf } from './timeAxis'

describe('the axis of a run', () => {
  it('is plain time where nobody was asked', () => {
    const axis = timeAxisOf({ waits: [] }, 200)
    expect([0, 50, 200].map(axis)).toEqual([0, 25, 100])
  })

  it('gives a long decision little room, so that the work can be seen', () => {
    const axis = timeAxisOf({ waits: [{ from: 10, to: 120_010 }] }, 120_020)
    expect(axis(10)).toBeCloseTo(35)
    expect(axis(120_010)).toBeCloseTo(65)
    expect(axis(120_020)).toBe(100)
  })

  it('gives a short decision no more than its share', () => {
    const axis = timeAxisOf({ waits: [{ from: 50, to: 60 }] }, 100)
    expect(axis(60) - axis(50)).toBeCloseTo(10)
  })

  it('has room for a wait that lasts', () => {
    const axis = timeAxisOf({ waits: [{ from: 10 }] }, 60_000)
    expect(axis(60_000)).toBe(100)
    expect(axis(10)).toBeCloseTo(70)
  })

  it.each([0, 1])('has a place for everything in a run of %i ms', (until) => {
    const axis = timeAxisOf({ waits: [{ from: 0, to: 0 }] }, until)
    for (const at of [-1, 0, 1, 5]) expect(axis(at)).toSatisfy((place: number) => place >= 0 && place <= 100)
  })
})
