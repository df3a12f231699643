import { keptRow, type Row, span } from '../row.js'
import { direct } from '../runners/bare.js'
import { warm } from '../runners/ours.js'
import { peers } from '../runners/peers.js'

const runners = [warm, direct, ...peers]

/** A row of plain work; `code` leaves its result in `result`, and `expected` does the same here. */
const work = (name: string, code: (scale: number) => string, expected: (scale: number) => unknown): Row =>
  keptRow(name, runners, async (opened, scale) => ({
    ms: await span(opened, `await host('start')\n${code(scale)}\nawait host('end')\nreturn result`, expected(scale)),
  }))

const steps = 5_000_000

/** A loop of five million steps on small integers. */
export const cpuLoop: Row = work(
  'CPU loop',
  (scale) => `let result = 0
   for (let i = 0; i < ${steps * scale}; i++) result = (Math.imul(result, 31) + i) | 0`,
  (scale) => {
    let result = 0
    for (let i = 0; i < steps * scale; i++) result = (Math.imul(result, 31) + i) | 0
    return result
  },
)

const numbers = 100_000

/** A hundred thousand numbers sorted with a comparison of the program's own. */
export const sorting: Row = work(
  'sort',
  (scale) => `const numbers = []
   for (let i = 0, x = 1; i < ${numbers * scale}; i++) { x = (Math.imul(x, 1103515245) + 12345) & 0x7fffffff; numbers.push(x) }
   numbers.sort((a, b) => a - b)
   const result = numbers.every((each, i) => i === 0 || numbers[i - 1] <= each) && numbers.length`,
  (scale) => numbers * scale,
)

const objects = 10_000

/** Ten thousand objects to JSON and back, three times. */
export const json: Row = work(
  'JSON',
  (scale) => `const rows = []
   for (let i = 0; i < ${objects * scale}; i++) rows.push({ id: i, name: 'order ' + i, total: i * 1.25, open: i % 3 === 0, tags: ['a', 'b'] })
   let text = JSON.stringify(rows)
   for (let i = 0; i < 3; i++) text = JSON.stringify(JSON.parse(text))
   const result = text.length`,
  (scale) => {
    const rows = []
    for (let i = 0; i < objects * scale; i++)
      rows.push({ id: i, name: `order ${i}`, total: i * 1.25, open: i % 3 === 0, tags: ['a', 'b'] })
    return JSON.stringify(rows).length
  },
)
