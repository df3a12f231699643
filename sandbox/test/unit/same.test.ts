// Structured equality, by which a replayed call is recognised (SPEC §5).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { same } from '../../src/page/same.js'

const anything = fc.anything({
  withBigInt: true,
  withMap: true,
  withSet: true,
  withDate: true,
  withTypedArray: true,
  withSparseArray: true,
  withNullPrototype: true,
  withBoxedValues: true,
})

test('a clone is the same as what it was cloned from', () => {
  fc.assert(
    fc.property(anything, (value) => {
      let copy: unknown
      try {
        copy = structuredClone(value)
      } catch {
        return
      }
      assert.ok(same(copy, structuredClone(value)))
    }),
    { numRuns: 20_000 },
  )
})

test('equality is symmetric', () => {
  fc.assert(
    fc.property(anything, anything, (a, b) => same(a, b) === same(b, a)),
    { numRuns: 20_000 },
  )
})

for (const [claim, a, b] of [
  ['0 and -0', 0, -0],
  ['absent and undefined', {}, { u: undefined }],
  ['null and undefined', null, undefined],
  ['1 and 1n', 1, 1n],
  ['1 and a boxed 1', 1, Object(1)],
  ['an array and an object with its keys', ['x'], { 0: 'x', length: 1 }],
  ['a hole and undefined', [, 1], [undefined, 1]],
  ['arrays of another length', [1, ,], [1]],
  ['dates', new Date(1), new Date(2)],
  ['regular expressions with other flags', /a/g, /a/i],
  [
    'maps in another order',
    new Map([
      [1, 1],
      [2, 2],
    ]),
    new Map([
      [2, 2],
      [1, 1],
    ]),
  ],
  ['a map and a set', new Map(), new Set()],
  ['Uint8Array and Int8Array', new Uint8Array([1]), new Int8Array([1])],
  ['bytes', new Uint8Array([1]).buffer, new Uint8Array([2]).buffer],
  ['errors', new Error('a'), new Error('b')],
  ['errors by their cause', new Error('a', { cause: 1 }), new Error('a', { cause: 2 })],
  ['an error with a cause and one without', new Error('a', { cause: { b: 1 } }), new Error('a')],
  ['an error and another kind', new Error('a'), new TypeError('a')],
  ['a lone surrogate and the replacement character', '\ud800', '\ufffd'],
  [
    'a shared reference and two equal objects in a cycle',
    (() => {
      const o: Record<string, unknown> = {}
      o.o = o
      return o
    })(),
    { o: { o: {} } },
  ],
  ['strings', 'a', 'b'],
] as [string, unknown, unknown][]) {
  test(`${claim} differ`, () => {
    assert.equal(same(a, b), false)
    assert.equal(same(b, a), false)
  })
}

test('NaN equals NaN, cycles equal cycles', () => {
  const cycle = () => {
    const o: Record<string, unknown> = { n: NaN }
    o.me = o
    o.list = [o, new Map([[o, o]])]
    return o
  }
  assert.ok(same(cycle(), cycle()))
})
