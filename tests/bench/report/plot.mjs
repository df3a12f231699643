import * as Plot from '@observablehq/plot'
import { parseHTML } from 'linkedom'
import { engineName } from './format.mjs'
import { median, quantile } from './statistics.mjs'

/** @typedef {import('./result.mjs').Result} Result */
/** @typedef {import('./targets.mjs').Verdict} Verdict */

const COLOURS = { ours: '#2563eb', floor: '#6b7280', peer: '#d97706' }
/** What stands for which engine; the caption in RESULTS.md says it too. */
const SYMBOLS = { webkit: 'circle', chromium: 'triangle', firefox: 'square', app: 'diamond2', build: 'times' }

/** Said below the plots. */
export const LEGEND = {
  targets:
    'Circle: WebKitGTK; triangle: Chromium; square: Firefox; diamond: the app; cross: build. Blue: met; red: missed.',
  row: 'Blue: countersign; grey: floors; amber: peers. Dot: median; bar: from the 5th to the 95th percentile.',
}

const { document } = parseHTML('<!doctype html><html><body></body></html>')

/**
 * One row in all its engines: each sample's median, and the range from the 5th
 * to the 95th percentile, on a scale by powers of ten.
 *
 * @param {string} title @param {Result[]} results of one row
 * @returns {string | undefined} SVG; undefined when there is nothing to draw
 */
export function plotRow(title, results) {
  const points = results.flatMap(({ engine, series = [] }) =>
    series.flatMap(({ name, kind, samples, failure }) =>
      failure === undefined
        ? Object.entries(samples).map(([figure, values]) => ({
            engine: engineName(engine),
            name,
            kind,
            figure,
            median: median(values),
            low: quantile(values, 0.05),
            high: quantile(values, 0.95),
          }))
        : [],
    ),
  )
  // Times before other figures, whichever was written first.
  const figure = points.find(({ figure }) => figure === 'ms')?.figure ?? points[0]?.figure
  const drawn = points.filter((point) => point.figure === figure && point.median > 0)
  if (drawn.length < 2) return undefined
  const least = Math.min(...drawn.map(({ low, median }) => (low > 0 ? low : median)))
  const bounded = drawn.map((point) => ({ ...point, low: Math.max(point.low, least) }))
  const engines = new Set(bounded.map(({ engine }) => engine))
  const rows = new Set(bounded.map(({ name }) => name))
  return svgOf(
    Plot.plot({
      document,
      width: 820,
      height: 66 + engines.size * (rows.size * 20 + 22),
      marginLeft: 230,
      marginRight: 90,
      marginBottom: 46,
      x: { type: 'log', labelOffset: 42, label: `${title}: ${figure} →`, grid: true, tickFormat: '~g' },
      y: { label: null, domain: [...rows] },
      fy: { label: null, domain: [...engines] },
      color: { domain: Object.keys(COLOURS), range: Object.values(COLOURS) },
      marks: [
        Plot.ruleY(bounded, {
          x1: 'low',
          x2: 'high',
          y: 'name',
          fy: 'engine',
          stroke: 'kind',
          strokeWidth: 3,
          strokeOpacity: 0.35,
        }),
        Plot.dot(bounded, { x: 'median', y: 'name', fy: 'engine', fill: 'kind', r: 4 }),
      ],
    }),
    `${title}: medians and the range from the 5th to the 95th percentile`,
  )
}

/**
 * Every target on one scale: what was measured, as a share of what is allowed.
 *
 * @param {{ row: string, engine: string, verdict: Verdict }[]} verdicts
 * @returns {string | undefined} SVG
 */
export function plotTargets(verdicts) {
  const points = verdicts.flatMap(({ row, engine, verdict: { what, value, limit, met, atLeast } }) => {
    if (value === undefined || limit <= 0 || value <= 0) return []
    return [
      { name: `${row}: ${what}`, engine: engineName(engine), share: atLeast ? limit / value : value / limit, met },
    ]
  })
  if (points.length === 0) return undefined
  const names = [...new Set(points.map(({ name }) => name))]
  return svgOf(
    Plot.plot({
      document,
      width: 900,
      height: 90 + names.length * 19,
      marginLeft: 380,
      marginRight: 40,
      marginBottom: 46,
      x: {
        type: 'log',
        labelOffset: 42,
        label: 'measured, as a share of what is allowed (left of the line: met) →',
        grid: true,
        tickFormat: '~g',
      },
      y: { label: null, domain: names },
      symbol: { domain: Object.keys(SYMBOLS).map(engineName), range: Object.values(SYMBOLS) },
      marks: [
        Plot.ruleX([1], { stroke: '#dc2626', strokeWidth: 1.5 }),
        Plot.dot(points, {
          x: 'share',
          y: 'name',
          symbol: 'engine',
          stroke: (/** @type {{ met: boolean }} */ d) => (d.met ? COLOURS.ours : '#dc2626'),
          strokeWidth: 2,
          r: 4,
        }),
      ],
    }),
    'Every target: what was measured as a share of what is allowed',
  )
}

/** @param {any} element @param {string} title @returns {string} a file that reads in light and dark */
function svgOf(element, title) {
  const svg = element.tagName?.toLowerCase() === 'svg' ? element : element.querySelector('svg')
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  svg.setAttribute('role', 'img')
  svg.setAttribute('aria-label', title)
  const style = document.createElement('style')
  style.textContent = `svg { color: #1f2937; background: #ffffff; font-family: system-ui, sans-serif; font-size: 12px; }
@media (prefers-color-scheme: dark) { svg { color: #e5e7eb; background: #111827; } }`
  svg.append(style)
  return `${svg.outerHTML}\n`
}
