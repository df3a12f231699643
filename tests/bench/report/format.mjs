/** @param {number | undefined} value @returns {string} with the digits that a reader can use */
export function figure(value) {
  if (value === undefined || Number.isNaN(value)) return '–'
  const size = Math.abs(value)
  if (size >= 1000) return Math.round(value).toLocaleString('en-US')
  if (size >= 100 || Number.isInteger(value)) return String(Math.round(value))
  return value.toFixed(size >= 10 ? 1 : 2)
}

/** @param {string[]} head @param {string[][]} rows @returns {string} a table in Markdown */
export const table = (head, rows) =>
  [head, head.map((_, at) => (at === 0 ? '---' : '--:')), ...rows]
    .map((cells) => `| ${cells.map(cell).join(' | ')} |`)
    .join('\n')

/** @param {string} text */
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** @type {Record<string, string>} */
const ENGINES = { chromium: 'Chromium', firefox: 'Firefox', webkit: 'WebKitGTK', app: 'the app', build: 'build' }

/** @param {string} engine @returns {string} */
export const engineName = (engine) => ENGINES[engine] ?? engine
