import { engineName, figure, table } from './format.mjs'
import { LEGEND } from './plot.mjs'
import { Reading } from './result.mjs'
import { quantile, ratio, spread } from './statistics.mjs'
import { TARGETS } from './targets.mjs'

/** @typedef {import('./result.mjs').Result} Result */
/** @typedef {import('./targets.mjs').Verdict} Verdict */

/** @param {Result[]} results @returns {{ row: string, engine: string, verdict: Verdict }[]} */
export const verdictsOf = (results) =>
  results.flatMap((result) =>
    (TARGETS[result.row]?.(new Reading(result)) ?? []).map((verdict) => ({
      row: result.row,
      engine: result.engine,
      verdict,
    })),
  )

/**
 * The report.
 *
 * @param {{
 *   machine: Record<string, string>,
 *   results: Result[],
 *   before: { machine: Record<string, string>, results: Result[] } | undefined,
 *   findings: Map<string, string>,
 *   plots: Set<string>,
 * }} report before: an earlier run to compare with; findings: what was found out, by row; plots: rows that have a picture
 */
export function markdown({ machine, results: unordered, before, findings, plots }) {
  const results = inOrder(unordered)
  const verdicts = verdictsOf(results)
  const earlier = new Map(before ? verdictsOf(before.results).map((each) => [keyOf(each), each.verdict.value]) : [])
  const rows = [...new Set(results.map(({ row }) => row))]
  const known = verdicts.filter(({ verdict }) => verdict.value !== undefined)
  const met = known.filter(({ verdict }) => verdict.met).length
  return [
    '# Results',
    `Written by \`make bench\`; not edited by hand. What was found out about it stands in \`findings.md\` and is repeated here.`,
    table(['machine', ''], Object.entries(machine)),
    '## How it was measured',
    `All that stand in one table were measured in turn, one sample each, in the same page and the same minutes: compare within a table, not across. Floors are the same work with nothing around it. Each result was checked before and while it was timed; one that was wrong is a failure and no time. Times are medians; p95 is the 95th percentile. A ratio is one of medians, with the interval that 95 of 100 resamplings give.`,
    noise(results),
    `## Targets`,
    `${met} of ${known.length} targets that could be measured are met; ${verdicts.length - known.length} were not measured.`,
    plots.has('targets')
      ? `![every target](plots/targets.svg)\n\n${LEGEND.targets} Plots of single rows: ${LEGEND.row}`
      : '',
    table(
      before
        ? ['work', 'in', 'what', 'target', 'measured', 'before', '']
        : ['work', 'in', 'what', 'target', 'measured', ''],
      verdicts.map(({ row, engine, verdict }) => [
        row,
        engineName(engine),
        verdict.what,
        `${verdict.atLeast ? '≥' : '≤'} ${figure(verdict.limit)} ${verdict.unit}`.trim(),
        measured(verdict),
        ...(before ? [figure(earlier.get(keyOf({ row, engine, verdict })))] : []),
        sign(verdict),
      ]),
    ),
    before
      ? `*before* is the run of ${before.machine.date} at ${before.machine.commit}, on ${before.machine.processor}, load ${before.machine.load}.`
      : '',
    ahead(results),
    ...rows.flatMap((row) =>
      section(
        row,
        results.filter((result) => result.row === row),
        findings.get(row),
        plots.has(row),
      ),
    ),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n')
}

const ROWS = Object.keys(TARGETS)

/** @param {Result[]} results @returns {Result[]} in the order of the targets, whenever each was measured */
export const inOrder = (results) => {
  const place = (/** @type {Result} */ { row }) => (ROWS.includes(row) ? ROWS.indexOf(row) : ROWS.length)
  return [...results].sort((a, b) => place(a) - place(b))
}

/** @param {{ row: string, engine: string, verdict: Verdict }} each */
const keyOf = ({ row, engine, verdict }) => `${row} ${engine} ${verdict.what}`

/** @param {Verdict} verdict */
const sign = ({ met, value, limit, low, high }) => {
  if (value === undefined) return 'not measured'
  const doubtful = low !== undefined && high !== undefined && low < high && low <= limit && high > limit
  return `${met ? 'met' : '**missed**'}${doubtful ? ', within the noise' : ''}`
}

/** @param {Verdict} verdict */
const measured = ({ value, low, high, unit }) => {
  if (value === undefined) return '–'
  const interval = low !== undefined && high !== undefined && low !== high ? ` (${figure(low)}–${figure(high)})` : ''
  return `${figure(value)} ${unit}`.trim() + interval
}

/** @param {Result[]} results */
function noise(results) {
  const spreads = results
    .flatMap(({ series = [] }) => series.flatMap(({ samples }) => Object.values(samples)))
    .filter((samples) => samples.length >= 5)
    .map(spread)
    .filter(Number.isFinite)
  if (spreads.length === 0) return 'Too few samples to say how noisy this run was: times of a short run mean nothing.'
  const percent = (/** @type {number} */ share) => `${Math.round(100 * quantile(spreads, share))} %`
  return `Noise of this run: in half of the ${spreads.length} series the middle half of the samples lies within ${percent(0.5)} of the median, in nine of ten within ${percent(0.9)}. Smaller differences mean nothing.`
}

/** @param {Result[]} results @returns {string} where a peer's median is below ours */
function ahead(results) {
  const lines = []
  for (const result of results) {
    const r = new Reading(result)
    for (const { name, kind, samples } of result.series ?? []) {
      const [theirs, own] = [r.median(name), r.median('countersign')]
      if (kind === 'peer' && theirs !== undefined && own !== undefined && theirs < own)
        lines.push([
          result.row,
          engineName(result.engine),
          name,
          `${figure(theirs)}`,
          `${figure(own)}`,
          Object.keys(samples)[0] ?? '',
        ])
    }
  }
  if (lines.length === 0) return '## Where a peer is ahead\n\nNowhere.'
  return `## Where a peer is ahead\n\n${table(['work', 'in', 'peer', 'its median', 'ours', 'unit'], lines)}`
}

/** @param {string} row @param {Result[]} results @param {string | undefined} finding @param {boolean} plot */
function section(row, results, finding, plot) {
  return [
    `## ${row[0].toUpperCase()}${row.slice(1)}`,
    plot ? `![${row}](plots/${fileOf(row)}.svg)` : '',
    ...results.map((result) => {
      if (result.failure !== undefined)
        return `**${engineName(result.engine)}**: failed. ${result.failure.split('\n')[0]}`
      const series = result.series ?? []
      const floor = new Reading(result).best(series.filter(({ kind }) => kind === 'floor').map(({ name }) => name))
      const base = floor === undefined ? undefined : new Reading(result).samples(floor)
      const lines = series.flatMap(({ name, kind, samples, failure }) =>
        failure === undefined
          ? Object.entries(samples).map(([unit, values], at) => {
              const times = base && at === 0 ? ratio(values, base) : undefined
              return [
                at === 0 ? `${name}${kind === 'peer' ? ' (peer)' : ''}` : '',
                unit,
                figure(quantile(values, 0.5)),
                figure(quantile(values, 0.95)),
                times ? `${figure(times.value)} (${figure(times.low)}–${figure(times.high)})` : '',
                String(values.length),
              ]
            })
          : [[`${name} (${kind})`, '', 'failed', '', failure.slice(0, 120), '']],
      )
      const facts = Object.entries(result.facts ?? {}).map(
        ([name, value]) => `${name}: ${typeof value === 'number' ? figure(value) : value}`,
      )
      return [
        `**${engineName(result.engine)}**${result.took ? `, ${figure(result.took / 1000)} s` : ''}${facts.length > 0 ? `. ${facts.join('; ')}.` : ''}`,
        lines.length > 0 ? table(['', 'unit', 'median', 'p95', '× the best floor', 'samples'], lines) : '',
      ]
        .filter(Boolean)
        .join('\n\n')
    }),
    finding ?? '',
  ]
}

/** @param {string} row @returns {string} its name as a file name */
export const fileOf = (row) => row.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
