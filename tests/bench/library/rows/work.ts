import { keptRow, type Row, span } from '../row.js'
import { direct } from '../runners/bare.js'
import { warm } from '../runners/ours.js'
import { peers } from '../runners/peers.js'

const runners = [warm, direct, ...peers]

const work = (name: string, code: string, expected: unknown): Row =>
  keptRow(name, runners, async (opened) => ({
    ms: await span(opened, `await host('start')\n${code}\nawait host('end')\nreturn result`, expected),
  }))

const steps = 5_000_000

/** A loop of five million steps on small integers. */
export const cpuLoop: Row = work(
  'CPU loop',
  `let result = 0
   for (let i = 0; i < ${steps}; i++) result = (Math.imul(result, 31) + i) | 0`,
  (() => {
    let result = 0
    for (let i = 0; i < steps; i++) result = (Math.imul(result, 31) + i) | 0
    return result
  })(),
)

const numbers = 100_000
const some = `const numbers = []
   for (let i = 0, x = 1; i < ${numbers}; i++) { x = (Math.imul(x, 1103515245) + 12345) & 0x7fffffff; numbers.push(x) }`

/** A hundred thousand numbers sorted with a comparison of the program's own. */
export const sorting: Row = work(
  'sort',
  `${some}
   numbers.sort((a, b) => a - b)
   const result = numbers.every((each, i) => i === 0 || numbers[i - 1] <= each) && numbers.length`,
  numbers,
)

/** Ten thousand objects to JSON and back, three times. */
export const json: Row = work(
  'JSON',
  `const rows = []
   for (let i = 0; i < 10_000; i++) rows.push({ id: i, name: 'order ' + i, total: i * 1.25, open: i % 3 === 0, tags: ['a', 'b'] })
   let text = JSON.stringify(rows)
   for (let i = 0; i < 3; i++) text = JSON.stringify(JSON.parse(text))
   const result = text.length`,
  (() => {
    const rows = []
    for (let i = 0; i < 10_000; i++)
      rows.push({ id: i, name: `order ${i}`, total: i * 1.25, open: i % 3 === 0, tags: ['a', 'b'] })
    return JSON.stringify(rows).length
  })(),
)
