// SPEC §6: sizes count what is really sent, also of what an object holds beside its properties; SPEC §8: an Error
// brings no stack of the page.
import { assert } from 'chai'
import { makeHost } from '../fixture/host.js'
import { explain, run } from '../fixture/sandbox.js'

const big = '"x".repeat(6e6)'
const kinds: [string, string][] = [
  ['regular expressions', 'Array.from({ length: 60 }, (_, i) => new RegExp("x".repeat(1e5) + i))'],
  ['the name of a File', `new File([], ${big})`],
  // One engine takes no type that is longer.
  ['the types of Blobs', 'Array.from({ length: 100 }, () => new Blob([], { type: "t/" + "x".repeat(6e4) }))'],
  ['a String object', `new String(${big})`],
  ['BigInt objects', 'Array.from({ length: 60 }, () => Object(1n << 1_000_000n))'],
  ['the name of an Error', `Object.assign(new Error("m"), { name: ${big} })`],
  ['the message of a DOMException', `new DOMException(${big}, "AbortError")`],
  ['a key of an array', `Object.assign([1], { [${big}]: 1 })`],
]

describe('what an object holds beside its properties', () => {
  for (const [what, code] of kinds) {
    it(`counts as sent, in an input and in the returned value: ${what} (SPEC §6)`, async () => {
      const sent = await run(`await sdk.echo(${code}); return 1`)
      assert.equal(sent.result.status, 'limit', explain(sent.result))
      assert.equal(sent.result.error?.limit, 'inputBytes')
      const given = await run(`return ${code}`)
      assert.equal(given.result.status, 'limit', explain(given.result))
      assert.equal(given.result.error?.limit, 'outputBytes')
    })
  }

  it('is printed as what it is, and no longer than there is room', async () => {
    const { result } = await run(
      `console.log(new String("ab"), [new Number(5), Object(7n), new Boolean(false)]); console.log(new String(${big})); return 1`,
    )
    assert.equal(result.status, 'ok', explain(result))
    assert.equal(result.logs[0]?.text, '[string: "ab"] [[number: 5], [bigint: 7n], [boolean: false]]')
    assert.match(result.logs[1]?.text ?? '', /^\[string: "xxx/)
    assert.isBelow(result.logs[1]?.text.length ?? 0, 10_100)
  })

  it('an Error in the input of a run brings no stack of the page, however deep (SPEC §8)', async () => {
    const error = () => new Error('from the page')
    const input = [error(), { a: new Map([[error(), new Set([error()])]]) }, new Error('outer', { cause: error() })]
    const { result } = await run(
      `const found = []
      const look = (value) => {
        if (value instanceof Error) { found.push(value.message, value.stack ?? ''); if (value.cause instanceof Error) look(value.cause) }
        else if (value instanceof Map) for (const [key, item] of value) { look(key); look(item) }
        else if (value instanceof Set) for (const item of value) look(item)
        else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) look(item)
      }
      look(input)
      return found`,
      { input, host: makeHost() },
    )
    assert.equal(result.status, 'ok', explain(result))
    assert.include(result.value as string[], 'from the page')
    assert.notInclude((result.value as string[]).join('\n'), location.origin)
  })
})
