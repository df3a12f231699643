import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toToolOutput } from '../../src/page/output.js'
import type { Result } from '../../src/page/result.js'

const result = (value: unknown, logs: string[] = [], calls = 0): Result =>
  ({
    status: 'ok',
    runId: 'r',
    value,
    logs: logs.map((text) => ({ level: 'log', text, at: 0 })),
    calls: Array.from({ length: calls }, (_, i) => ({
      callId: `${i}`,
      seq: i + 1,
      fn: 'f',
      input: 1,
      state: 'ok',
      ms: 1,
      value: 1,
    })),
    timings: { boot: 0, run: 0, waiting: 0, host: 0, total: 0 },
  }) as unknown as Result

test('a maxChars that is no positive number is a TypeError', () => {
  for (const maxChars of [Number.NaN, 'x', 0, -1, null, {}])
    assert.throws(() => toToolOutput(result(1), { maxChars: maxChars as number }), TypeError)
})

test('what fits is whole, to the character', () => {
  const whole = { status: 'ok', value: { a: [1, 2, 'text'] }, logs: ['one'], calls: ['1 f: ok in 1 ms'] }
  const length = JSON.stringify(whole).length
  assert.deepEqual(toToolOutput(result({ a: [1, 2, 'text'] }, ['one'], 1), { maxChars: length }), whole)
  assert.notDeepEqual(toToolOutput(result({ a: [1, 2, 'text'] }, ['one'], 1), { maxChars: length - 1 }), whole)
})

test('the value comes before logs and calls, and what is missing is said', () => {
  const output = toToolOutput(result(1, ['x'.repeat(500)], 40), { maxChars: 100 })
  assert.equal(output.value, 1)
  assert.match(output.cut ?? '', /log/)
  assert.match(output.cut ?? '', /calls/)
})

test('the newest log lines are kept', () => {
  const lines = Array.from({ length: 100 }, (_, i) => `line ${i}`)
  const { logs, cut } = toToolOutput(result(1, lines), { maxChars: 300 })
  assert.equal(logs?.at(-1), 'line 99')
  assert.match(cut ?? '', /earlier log lines/)
})

test('whatever the result, the output is JSON within its bound, its status is there, and a cut is said', () => {
  fc.assert(
    fc.property(
      fc.anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withSet: true,
        withTypedArray: true,
        withSparseArray: true,
      }),
      fc.array(fc.string({ unit: 'binary' })),
      fc.nat(60),
      fc.integer({ min: 20, max: 3000 }),
      (value, logs, calls, maxChars) => {
        const output = toToolOutput(result(value, logs, calls), { maxChars })
        const text = JSON.stringify(output)
        assert.ok(text.length <= maxChars, `${text.length} > ${maxChars}`)
        assert.equal(output.status, 'ok')
        assert.deepEqual(JSON.parse(text), output)
        const missing =
          !('value' in output) ||
          (logs.length > 0 && output.logs?.length !== logs.length) ||
          (calls > 0 && output.calls?.length !== calls)
        if (missing && maxChars > 60) assert.ok(output.cut, text)
      },
    ),
    { numRuns: 3_000 },
  )
})
