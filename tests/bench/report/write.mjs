import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fileOf, inOrder, markdown, verdictsOf } from './markdown.mjs'
import { plotRow, plotTargets } from './plot.mjs'

const bench = join(dirname(fileURLToPath(import.meta.url)), '..')

/** @typedef {import('./result.mjs').Result} Result */

/**
 * Writes RESULTS.md, results.json and the plots into a folder.
 *
 * @param {string} folder @param {Record<string, string>} machine @param {Result[]} results
 */
export function writeReport(folder, machine, results) {
  const plots = new Set()
  const drawn = join(folder, 'plots')
  rmSync(drawn, { recursive: true, force: true })
  mkdirSync(drawn, { recursive: true })
  /** @param {string} name @param {string} file @param {string | undefined} svg */
  const draw = (name, file, svg) => {
    if (svg === undefined) return
    writeFileSync(join(drawn, `${file}.svg`), svg)
    plots.add(name)
  }
  draw('targets', 'targets', plotTargets(verdictsOf(inOrder(results))))
  for (const row of new Set(results.map(({ row }) => row)))
    draw(
      row,
      fileOf(row),
      plotRow(
        row,
        results.filter((result) => result.row === row),
      ),
    )
  writeFileSync(
    join(folder, 'results.json'),
    `${JSON.stringify({ machine, results: results.map(rounded) }, null, 1)}\n`,
  )
  writeFileSync(
    join(folder, 'RESULTS.md'),
    markdown({ machine, results, before: before(), findings: findings(), plots }),
  )
}

/** @returns {{ machine: Record<string, string>, results: Result[] } | undefined} the run that later ones are compared with */
function before() {
  const file = join(bench, 'before.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/** @returns {Map<string, string>} what was found out by hand, by the row that it is about */
function findings() {
  const sections = readFileSync(join(bench, 'findings.md'), 'utf8').split(/^## /m).slice(1)
  return new Map(
    sections.map((text) => [text.slice(0, text.indexOf('\n')).trim(), text.slice(text.indexOf('\n')).trim()]),
  )
}

/** @param {Result} result @returns {Result} with samples to four digits: more is noise, and long */
function rounded(result) {
  const { series } = result
  if (!series) return result
  const short = (/** @type {number} */ value) => Number(value.toPrecision(4))
  return {
    ...result,
    series: series.map((each) => ({
      ...each,
      samples: Object.fromEntries(Object.entries(each.samples).map(([name, values]) => [name, values.map(short)])),
    })),
  }
}
