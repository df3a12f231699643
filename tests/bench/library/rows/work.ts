import { measure } from '../measure.js'
import { kept, type Row, span } from '../row.js'
import type { Runner } from '../runner.js'
import { direct } from '../runners/bare.js'
import { warm } from '../runners/ours.js'
import { peers, quickjs, ses, tanstack } from '../runners/peers.js'

/** How many units they do who take many times as long; their time is that of the whole, by proportion. */
const slowUnits = 2

interface Work {
  name: string
  /** Of how many units the whole is: so many that the start, and what else starts meanwhile, is no part of the figure. */
  units: number
  /** Does so many units, and leaves what came of them in `result`. */
  code(units: number): string
  /** What `result` then is. */
  expected(units: number): unknown
  /** Those who do a few units only. */
  slow: Runner[]
}

/** A row of plain work. */
const work = ({ name, units, code, expected, slow }: Work): Row => {
  const results = new Map<number, unknown>()
  const resultOf = (times: number): unknown => {
    if (!results.has(times)) results.set(times, expected(times))
    return results.get(times)
  }
  const contestant = (runner: Runner) =>
    kept(runner, async (opened, scale) => {
      const whole = units * scale
      const times = slow.includes(runner) ? Math.min(whole, slowUnits) : whole
      const program = `await host('start')\n${code(times)}\nawait host('end')\nreturn result`
      return { ms: ((await span(opened, program, resultOf(times))) * whole) / times }
    })
  return {
    name,
    run: async (plan) => ({
      series: await measure(await Promise.all([warm, direct, ...peers].map(contestant)), plan),
      facts: { units, ...Object.fromEntries(slow.map(({ name }) => [`units done by ${name}`, slowUnits])) },
    }),
  }
}

const steps = 1_000_000

/** A loop on small integers, of a million steps a unit. */
export const cpuLoop: Row = work({
  name: 'CPU loop',
  units: 80,
  code: (units) => `let result = 0
   for (let i = 0; i < ${units * steps}; i++) result = (Math.imul(result, 31) + i) | 0`,
  expected: (units) => {
    let result = 0
    for (let i = 0; i < units * steps; i++) result = (Math.imul(result, 31) + i) | 0
    return result
  },
  slow: [quickjs, tanstack, ses],
})

const numbers = 20_000

/** Twenty thousand numbers a unit, sorted with a comparison of the program's own. */
export const sorting: Row = work({
  name: 'sort',
  units: 70,
  code: (units) => `let result = 0
   for (let unit = 0, x = 1; unit < ${units}; unit++) {
     const numbers = []
     for (let i = 0; i < ${numbers}; i++) { x = (Math.imul(x, 1103515245) + 12345) & 0x7fffffff; numbers.push(x) }
     numbers.sort((a, b) => a - b)
     if (numbers.every((each, i) => i === 0 || numbers[i - 1] <= each)) result += numbers.length
   }`,
  expected: (units) => units * numbers,
  slow: [quickjs, tanstack],
})

const objects = 2_000

/** Two thousand objects a unit, to JSON and back three times. */
export const json: Row = work({
  name: 'JSON',
  units: 60,
  code: (units) => `let result = 0
   for (let unit = 0; unit < ${units}; unit++) {
     const rows = []
     for (let i = 0; i < ${objects}; i++) rows.push({ id: i, name: 'order ' + i, total: i * 1.25, open: i % 3 === 0, tags: ['a', 'b'] })
     let text = JSON.stringify(rows)
     for (let i = 0; i < 3; i++) text = JSON.stringify(JSON.parse(text))
     result += text.length
   }`,
  expected: (units) => {
    const rows = []
    for (let i = 0; i < objects; i++)
      rows.push({ id: i, name: `order ${i}`, total: i * 1.25, open: i % 3 === 0, tags: ['a', 'b'] })
    return units * JSON.stringify(rows).length
  },
  slow: [quickjs, tanstack],
})
