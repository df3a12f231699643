import { expect, it } from 'vitest'
import { inline, pretty } from './print'

const cyclic: unknown[] = []
cyclic.push(cyclic)

it.each<[unknown, string]>([
  [{ id: 1041, reason: 'Open order' }, "{ id: 1041, reason: 'Open order' }"],
  [{}, '{}'],
  [[], '[]'],
  [[1, -0, 2n, null, undefined, Number.NaN], '[1, -0, 2n, null, undefined, NaN]'],
  [{ 'odd key': "it's" }, `{ 'odd key': "it's" }`],
  ['say "hi"\n', `'say "hi"\\n'`],
  [new Map([['a', new Set([1])]]), "Map { 'a' => Set { 1 } }"],
  [new Date(0), '1970-01-01T00:00:00.000Z'],
  [new Date(Number.NaN), 'Invalid Date'],
  [new TypeError('no'), 'TypeError: no'],
  [/a/g, '/a/g'],
  [new Uint8Array([1, 2]), 'Uint8Array(2 bytes, base64 AQI=)'],
  [new File(['hi'], 'a.txt'), "File('a.txt', 2 bytes)"],
  [cyclic, '[[circular]]'],
])('%# is written as JavaScript would: $1', (value, text) => {
  expect(inline(value, 200)).toBe(text)
})

it('a line is cut before anything large is built', () => {
  const doubled = Array.from({ length: 40 }).reduce<unknown>((inner) => [inner, inner], ['x'])
  expect(inline(doubled, 60).length).toBeLessThanOrEqual(60)
  expect(inline({ text: 'x'.repeat(1e6) }, 60)).toHaveLength(60)
  expect(inline(new Array(4294967295), 60).length).toBeLessThanOrEqual(60)
})

it('short lists stay on one line, long ones get a line each', () => {
  expect(pretty({ cancelled: [1041, 1047, 1052], refused: [] })).toBe('{ cancelled: [1041, 1047, 1052], refused: [] }')
  const orders = [1, 2].map((id) => ({ id, customer: 'Mira Patel', item: 'Oak bookcase', total: 284.5 }))
  expect(pretty({ orders })).toBe(`{
  orders: [
    { id: 1, customer: 'Mira Patel', item: 'Oak bookcase', total: 284.5 },
    { id: 2, customer: 'Mira Patel', item: 'Oak bookcase', total: 284.5 }
  ]
}`)
})

it('a text on many lines is bounded and says so', () => {
  const doubled = Array.from({ length: 40 }).reduce<unknown>((inner) => [inner, inner], ['x'.repeat(80)])
  const text = pretty(doubled, 2_000)
  expect(text.length).toBeLessThan(2_100)
  expect(text).toMatch(/… \(cut\)$/)
})

it('writes what cannot be seen as JavaScript would, so that no text turns round', () => {
  expect(inline('three\u202ehidden', 90)).toBe("'three\\u{202E}hidden'")
  expect(pretty({ 'a\u200b': new Error('no\u202e') })).toBe("{ 'a\\u{200B}': Error: no\\u{202E} }")
})
