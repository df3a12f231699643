import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { canonicalText } from './canonical'
import { decode } from './decode'
import { encode } from './encode'

interface Vectors {
  values: { name: string; js: string; text: string }[]
  refused: { name: string; text: string }[]
}
const vectors: Vectors = JSON.parse(readFileSync('../tests/vectors/values.json', 'utf8'))

/** The value that a vector's expression makes. */
const make = (js: string): unknown => new Function(`return (${js})`)()

describe('the tagged form agrees with Go', () => {
  it.each(vectors.values)('$name', async ({ js, text }) => {
    const tree = await encode(make(js))
    expect(canonicalText(tree)).toBe(text)
    // What travels is JSON, whose key order may differ.
    expect(JSON.parse(JSON.stringify(tree))).toEqual(tree)
  })

  it.each(vectors.values)('$name comes back as it was', async ({ text }) => {
    const back = decode(JSON.parse(text))
    expect(canonicalText(await encode(back))).toBe(text)
  })

  it.each(vectors.refused)('$name is never made', async ({ text }) => {
    let value: unknown
    try {
      value = decode(JSON.parse(text))
    } catch {
      return
    }
    await expect(encode(value).then(canonicalText, () => 'refused')).resolves.not.toBe(text)
  })
})

describe('values without a form are refused by path', () => {
  const cyclic: Record<string, unknown> = { list: [] }
  ;(cyclic.list as unknown[]).push(cyclic)
  const doubled = Array.from({ length: 40 }).reduce<unknown>((inner) => [inner, inner], ['x'])
  const deep = Array.from({ length: 501 }).reduce<unknown>((inner) => [inner], 1)
  const deepMaps = Array.from({ length: 200 }).reduce<unknown>((inner) => new Map([[1, inner]]), 1)
  class Order {}
  it.each<[string, unknown, string]>([
    ['a function', { a: [() => 1] }, 'input.a[0]: a function cannot be sent'],
    ['a symbol', { 'odd key': Symbol('x') }, 'input["odd key"]: a symbol cannot be sent'],
    ['a cycle', cyclic, 'input.list[0]: it contains itself'],
    ['a class instance', { order: new Order() }, 'input.order: a Order cannot be sent'],
    ['a promise', { order: Promise.resolve() }, 'input.order: a Promise cannot be sent'],
    ['an array with names', Object.assign([1], { total: 1 }), 'input.total: an array with named members'],
    ['what expands', doubled, 'takes more than 2097152 bytes'],
    ['a long text', 'x'.repeat(2 ** 21), 'takes more than 2097152 bytes'],
    ['many bytes', new Uint8Array(2 ** 21), 'takes more than 2097152 bytes'],
    ['a large file', new Blob(['x'.repeat(2 ** 21)]), 'takes more than 2097152 bytes'],
    ['deep nesting', deep, 'nests deeper than 500 levels'],
    ['deep maps', deepMaps, 'nests deeper than 500 levels'],
  ])('%s', async (_name, value, message) => {
    await expect(encode(value)).rejects.toThrow(message)
  })

  it('what the sandbox lets through as an input has a form', async () => {
    for (const input of [
      { bytes: new Uint8Array(2 ** 20) },
      { text: 'ö'.repeat(2 ** 19) },
      { text: 'x'.repeat(2 ** 20) },
    ])
      await expect(encode(input)).resolves.toBeDefined()
  })

  it('the same object twice is no cycle', async () => {
    const shared = { id: 1 }
    expect(canonicalText(await encode([shared, shared]))).toBe('[{"id":1},{"id":1}]')
  })

  it('boxed primitives go as their primitives', async () => {
    expect(canonicalText(await encode([new Number(1), new String('a'), new Boolean(false), Object(1n)]))).toBe(
      '[1,"a",false,{"$":"bigint","v":"1"}]',
    )
  })
})

describe('a tree that is no value is refused by path', () => {
  it.each<[unknown, string]>([
    [{ a: [{ $: 'nope' }] }, 'value.a[0]: there is no tag "nope"'],
    [{ $: 'bigint', v: '1e3' }, 'value: expected a decimal integer'],
    [{ $: 'map', v: [['a']] }, 'value: expected a pair'],
    [{ $: 'array', n: 2, v: [[2, 1]] }, 'value: expected a whole number up to 1'],
    [{ $: 'bytes', t: 'Uint16Array', v: 'AAEC' }, 'value: 3 bytes do not fill'],
    [{ $: 'bytes', t: 'Function', v: '' }, 'value: there is no kind of bytes "Function"'],
  ])('%j', (tree, message) => {
    expect(() => decode(tree)).toThrow(message)
  })

  it('a key __proto__ stays a member', () => {
    const value = decode(JSON.parse('{"__proto__":{"admin":true}}')) as object
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.keys(value)).toEqual(['__proto__'])
  })
})
