/**
 * What came of a suite.
 *
 * @typedef {object} Counts
 * @property {number} passed tests that passed
 * @property {number} failed tests that failed, were skipped or could not run
 * @property {string[]} failures each failed test: its name, and how what it said began
 */

/** The text on one line, cut where it gets long. @param {string} text */
export function oneLine(text) {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 400 ? `${line.slice(0, 399)}…` : line
}
