import { median, ratio } from './statistics.mjs'

/**
 * One row in one engine, as it was measured.
 *
 * @typedef {{ name: string, kind: 'ours' | 'floor' | 'peer', samples: Record<string, number[]>, failure?: string }} Series
 * @typedef {{ row: string, engine: string, took?: number, series?: Series[], facts?: Record<string, number | string>, failure?: string }} Result
 */

/** Reads one result by the names in it; undefined where something was not measured. */
export class Reading {
  /** @param {Result} result */
  constructor(result) {
    this.result = result
    this.engine = result.engine
  }

  /** @param {string} name @param {string} [figure] the first when left out @returns {number[] | undefined} */
  samples(name, figure) {
    const series = this.result.series?.find((each) => each.name === name && each.failure === undefined)
    const samples = series && (figure ? series.samples[figure] : Object.values(series.samples)[0])
    return samples?.length ? samples : undefined
  }

  /** @param {string} name @param {string} [figure] @returns {number | undefined} */
  median(name, figure) {
    const samples = this.samples(name, figure)
    return samples && median(samples)
  }

  /** @param {string[]} names @returns {string | undefined} the one with the least median */
  best(names) {
    return names.filter((name) => this.samples(name)).sort((a, b) => (this.median(a) ?? 0) - (this.median(b) ?? 0))[0]
  }

  /**
   * @param {string} of @param {string | undefined} to @param {string} [figure]
   * @returns {{ value: number, low: number, high: number } | undefined}
   */
  ratio(of, to, figure) {
    const [a, b] = [this.samples(of, figure), to ? this.samples(to, figure) : undefined]
    return a && b && ratio(a, b)
  }

  /** @param {string} name @returns {number | undefined} */
  fact(name) {
    const value = this.result.facts?.[name]
    return typeof value === 'number' ? value : undefined
  }
}
