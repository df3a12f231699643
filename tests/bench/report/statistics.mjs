import { quantileSorted } from 'd3-array'

/** @param {number[]} samples @param {number} share 0.5 is the median @returns {number} */
export const quantile = (samples, share) =>
  quantileSorted(
    [...samples].sort((a, b) => a - b),
    share,
  ) ?? Number.NaN

/** @param {number[]} samples @returns {number} */
export const median = (samples) => quantile(samples, 0.5)

/** @param {number[]} samples @returns {number} the middle half's width as a share of the median */
export const spread = (samples) => (quantile(samples, 0.75) - quantile(samples, 0.25)) / median(samples)

/**
 * The ratio of two medians, and the interval in which it lies in 95 of 100
 * resamplings of the same samples (a bootstrap): how far this run knows it.
 *
 * @param {number[]} of @param {number[]} to
 * @returns {{ value: number, low: number, high: number }}
 */
export function ratio(of, to) {
  const value = median(of) / median(to)
  if (of.length < 3 || to.length < 3) return { value, low: value, high: value }
  const random = generator(of.length * 7919 + to.length)
  const drawn = []
  for (let i = 0; i < 400; i++) drawn.push(median(resample(of, random)) / median(resample(to, random)))
  return { value, low: quantile(drawn, 0.025), high: quantile(drawn, 0.975) }
}

/** @param {number[]} samples @param {() => number} random */
const resample = (samples, random) => samples.map(() => samples[Math.floor(random() * samples.length)])

// Seeded, so that the same samples always give the same report (mulberry32).
/** @param {number} seed @returns {() => number} */
function generator(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
