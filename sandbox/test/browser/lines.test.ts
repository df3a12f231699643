// A wrong line is worse than none (SPEC §2): where engines mislead.
import { assert } from 'chai'
import { explain, run } from '../fixture/sandbox.js'

const errorOf = async (code: string) => {
  const { result } = await run(code)
  assert.equal(result.status, 'error', explain(result))
  return result.error as NonNullable<typeof result.error>
}

describe('lines that engines get wrong', () => {
  for (const code of [
    'return 1 /* note',
    'return (1',
    'if (true) {',
    'return `abc ',
    'function a(){return 1}()',
    'const x = [1,\n2',
  ]) {
    it(`the end of the source is no line behind it: ${JSON.stringify(code)}`, async () => {
      const { line, name } = await errorOf(code)
      assert.equal(name, 'SyntaxError')
      assert.isAtMost(line ?? 0, code.split('\n').length)
    })
  }

  it('a stack that the program made up names no line that is not there', async () => {
    const { line } = await errorOf(
      'const e = new Error("x");\ne.stack = "Error: x\\n    at eval (eval at <anonymous> (blob:null/1), <anonymous>:50:1)\\nf@blob:x line 3 > AsyncFunction:60:1"; throw e',
    )
    assert.oneOf(line, [1, 2, undefined])
  })

  for (const code of ['export default async () => { null.x }', 'async () => { null.x }', '(function () { null.x });']) {
    it(`the stack of a lone function is its own: ${code}`, async () => {
      const { stack, line } = await errorOf(code)
      assert.equal(line, 1)
      assert.notInclude(stack ?? '', 'at line 2')
      assert.isAtMost((stack ?? '').split('\n').length, 1)
    })
  }

  for (const [code, right] of [
    ['null.x\n"\u2028"', 1],
    ['const a = "\u2028"\nnull.x', undefined],
    ['const a = "\u2029"\n\nnull.x', undefined],
    ['const a = 1\u2028null.x', undefined],
    ['"\u2028"\nreturn (', undefined],
  ] as [string, number | undefined][]) {
    it(`behind a U+2028 or U+2029 no line is told, since engines count them differently: ${JSON.stringify(code)}`, async () => {
      assert.equal((await errorOf(code)).line, right)
    })
  }

  for (const [what, code, right] of [
    ['an assignment to a constant', '\n\n\nfunction f() {\n  const q = 1\n\n  q = 2\n}\nf()', 7],
    ['a variable before its declaration', '\n\n\nfunction f() {\n\n\n  return x\n  let x\n}\nf()', 7],
    ['destructuring null', '\n\nfunction f() {\n\n  const { a } = null\n}\nf()', 5],
    ['spreading what is no list', '\n\nfunction f() {\n\n  return [...5]\n}\nf()', 5],
    ['an error class of the program', '\n\n\nclass E extends Error {}\n\n\nthrow new E("m")', 7],
    [
      'an error class with a constructor',
      'class E extends Error {\n  constructor(m) {\n    super(m)\n  }\n}\n\nthrow new E("m")',
      7,
    ],
  ] as [string, string, number][]) {
    it(`${what} is in its line or in none`, async () => {
      const { line } = await errorOf(code)
      assert.oneOf(line, [right, undefined])
    })
  }
})

describe('texts that are not quite JavaScript', () => {
  for (const [code, word] of [
    ['let a = <any>b; return a', /TypeScript/],
    ['abstract class A {}\nreturn 1', /TypeScript/],
    ['return import.meta.url', /modules/],
  ] as [string, RegExp][]) {
    it(`${code.split('\n')[0]} says what to write instead (SPEC §3)`, async () => {
      assert.match((await errorOf(code)).message, word)
    })
  }

  for (const fence of ['~~~', '````', '~~~~']) {
    it(`a fence of ${fence} is taken off, line numbers stay (SPEC §3)`, async () => {
      const { result } = await run(`${fence}js\nreturn 7\n${fence}\n`)
      assert.equal(result.value, 7, explain(result))
      assert.equal((await errorOf(`${fence}\nnull.x\n${fence}`)).line, 2)
    })
  }
})
