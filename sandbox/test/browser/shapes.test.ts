// Group D of the cases: the shapes in which models write programs.
import { assert } from 'chai'
import { errorOf, explain, makeSandbox, returned, run, shared } from '../fixture/sandbox.js'

const FENCE = '```'

describe('program text', () => {
  const values: [claim: string, code: string, value: unknown][] = [
    ['a last line that is a comment (D01)', 'return 5 // all done', 5],
    ['a comment before the return (D01)', '// first\nreturn 5', 5],
    ['an HTML-like open comment (D05)', '<!-- hi\nreturn 2', 2],
    ['an HTML-like close comment (D05)', '--> hi\nreturn 3', 3],
    ['U+2028 in a string', 'return "a\u2028b".length', 3],
    ['U+2028 as a line end', 'return 1 +\u20282', 3],
    ['a closing script tag in a string', 'return "</script><script>".length', 17],
    ['a template with ${ } and backticks', 'return `a${`b${1}`}`', 'ab1'],
    ['CRLF line ends', 'const a = 1\r\nreturn a + 1\r\n', 2],
    ['a byte order mark', '\uFEFFreturn 4', 4],
    ['a leading "use strict" (D14)', "'use strict'; return typeof this", 'undefined'],
    ['its own `sdk` and `console` (SPEC §3)', 'const sdk = 1, console = 2; return sdk + console', 3],
    ['its own `input` (SPEC §3)', 'const input = 8; return input', 8],
    ['an own function named like a global', 'function fetch() { return 6 } return fetch()', 6],
    ['top-level await', 'return await Promise.resolve(7)', 7],
    ['a fence (D08)', `${FENCE}js\nreturn 7\n${FENCE}`, 7],
    ['a fence with ts (D08)', `${FENCE}ts\nreturn 7\n${FENCE}`, 7],
    ['a fence with javascript (D08)', `${FENCE}javascript\nreturn 7\n${FENCE}`, 7],
    ['a fence without a tag (D08)', `${FENCE}\nreturn 7\n${FENCE}`, 7],
    ['a fence with trailing spaces (D08)', `${FENCE}js  \nreturn 7\n${FENCE}  \n\n`, 7],
    ['a fence with blank lines before (D08)', `\n\n${FENCE}js\nreturn 7\n${FENCE}\n`, 7],
    ['a fence with CRLF (D08)', `${FENCE}js\r\nreturn 7\r\n${FENCE}\r\n`, 7],
    ['a fence inside a string stays', `return ${JSON.stringify(`${FENCE}js\nx\n${FENCE}`)}.length`, 11],
    ['an async arrow (D11)', 'async () => { return 1 }', 1],
    ['an arrow with an expression body (D11)', '() => 11', 11],
    ['an arrow function with a condition', 'x => x ? 1 : 2', 2],
    ['an arrow function with commas in its parameters', '(a = (1, 2), b = [3, 4]) => a + b[1]', 6],
    ['two arrow functions with a comma are no function (SPEC §3)', '() => 1, () => 2', undefined],
    ['an arrow function and a value', '() => 1, 2', undefined],
    ['an async function (D11)', 'async function main() { return 1 }', 1],
    ['a function with a comment before and a semicolon after (D11)', '// do it\nasync () => { return 2 };', 2],
    ['a parenthesised function (D11)', '(async function () { return 3 })', 3],
    ['export default of a function (SPEC §3)', 'export default async function () { return 4 }', 4],
    ['export default of an arrow (SPEC §3)', 'export default async () => 5', 5],
    ['a fenced arrow', `${FENCE}js\nasync () => 6\n${FENCE}`, 6],
    ['an immediately invoked function whose value is returned (D11)', 'return await (async () => { return 1 })()', 1],
    [
      'an immediately invoked function as a statement is compiled as it is (D11)',
      '(async () => { return 1 })()',
      undefined,
    ],
    ['nothing (D18)', '', undefined],
    ['blanks (D18)', '   \n\t', undefined],
    ['only a comment (D18)', '// only a comment', undefined],
    ['only a semicolon (D18)', ';', undefined],
    ['an empty comment (D18)', '/* */', undefined],
    ['for await', 'let s = 0; for await (const x of [1, Promise.resolve(2)]) s += x; return s', 3],
    [
      'a class with a private field',
      'class A { #x = 1; get x() { return this.#x } static { this.y = 2 } } return new A().x + A.y',
      3,
    ],
    [
      'destructuring and optional chaining',
      'const { a: { b = 2 } = {}, ...rest } = { c: 1 }; return b + rest.c + (rest.d?.e ?? 4)',
      7,
    ],
    [
      'a labelled loop',
      'outer: for (const i of [1, 2]) for (const j of [1, 2]) { if (j === 2) continue outer; if (i === 2) break outer } return 1',
      1,
    ],
    ['a generator', 'function* g() { yield 1; yield* [2, 3] } return [...g()].join()', '1,2,3'],
    ['try, finally and return', 'try { return 1 } finally { await null }', 1],
    [
      'new.target and arguments',
      'function F() { return [new.target === F, arguments.length] } return Reflect.construct(F, [1, 2])[1]',
      2,
    ],
    ['a regular expression with named groups', 'return /(?<y>\\d{4})/u.exec("in 2026").groups.y', '2026'],
    ['tagged templates', 'const t = (s, ...v) => s.raw.join("|") + v.join(); return t`a${1}\\n`', 'a|\\n1'],
    ['with, in sloppy code', 'with ({ q: 4 }) { return q }', 4],
    [
      'a variable named `await` in a nested sloppy function',
      'function f() { var await = 3; return await } return f()',
      3,
    ],
  ]
  for (const [claim, code, expected] of values) {
    it(`${claim} gives what plain JavaScript gives`, async () => {
      assert.deepEqual(await returned(code), expected)
    })
  }

  for (const code of [
    'return 1 /* note',
    'return `abc ',
    'return (1',
    'if (true) {',
    'return "abc',
    'return 1 }',
    'await',
    'let let = 1',
    'return 08n',
    'var a; let a',
  ]) {
    it(`\`${code}\` is a SyntaxError at once (D02)`, async () => {
      const began = performance.now()
      const error = await errorOf(code)
      assert.equal(error.name, 'SyntaxError')
      assert.isBelow(performance.now() - began, 4_000)
    })
  }

  for (const code of [
    '}); globalThis.outside = true; (async () => {',
    '} finally { sdk.notes.remove({ id: 1 }) } {',
    '}) ; sdk.echo(1); (function () {',
    '} ; sdk.echo(1) ; {',
    '})(); sdk.echo(1); (() => {',
    '*/ sdk.echo(1) /*',
    '\n}\n, sdk.echo(1), () => {\n',
  ]) {
    it(`closing the wrapper runs nothing: \`${code.trim()}\` (D03)`, async () => {
      const { result, host } = await run(code)
      assert.equal(result.status, 'error', explain(result))
      assert.equal(result.error?.name, 'SyntaxError')
      assert.deepEqual(host.ran(), [])
      assert.deepEqual(result.calls, [])
    })
  }

  it('a hashbang line is stripped or a SyntaxError that does not blame another line (D07)', async () => {
    const { result } = await run('#!/usr/bin/env node\nreturn 1')
    if (result.status === 'ok') assert.equal(result.value, 1)
    else {
      assert.equal(result.error?.name, 'SyntaxError')
      assert.oneOf(result.error?.line, [1, undefined])
    }
  })

  for (const [code, what] of [
    ['const n: number = 1; return n as number', 'an annotation'],
    ['interface A { x: string }\nreturn 1', 'an interface'],
    ['type A = string\nreturn 1', 'a type alias'],
    ['enum C { R = "r" }\nreturn 1', 'an enum'],
    ['function f(a: string): number { return 1 }\nreturn f("")', 'a typed function'],
    ['return sdk.notes.list()!', 'a non-null assertion'],
  ]) {
    it(`${what} is refused with a message that says to write JavaScript (D10)`, async () => {
      const error = await errorOf(code as string)
      assert.match(error.message, /TypeScript/)
      assert.match(error.message, /JavaScript/)
    })
  }

  it('`f<string>(x)`, which parses as comparisons, runs no call (D10)', async () => {
    const { host } = await run(`return await sdk.echo<string>('a')`)
    assert.deepEqual(host.ran(), [])
  })

  for (const [code, word] of [
    ['import fs from "fs"\nreturn 1', /import/],
    ['import { a } from "./x.js"', /import/],
    ['return require("fs").readFileSync("/etc/passwd")', /require/],
    ['const x = await import("lodash"); return x', /import/],
  ] as [string, RegExp][]) {
    it(`\`${code.split('\n')[0]}\` fails with a message that says what to write instead (SPEC §3)`, async () => {
      const error = await errorOf(code)
      assert.match(error.message, word)
      assert.match(error.message, /sdk|function/)
    })
  }

  it('a main that is declared and not called is not an unexplained success (D11)', async () => {
    const { result, host } = await run('async function main() { return await sdk.echo(1) }\nconst other = 1')
    assert.equal(result.status, 'ok', explain(result))
    assert.isUndefined(result.value)
    assert.deepEqual(host.ran(), [])
  })

  it('finding out whether a program is a function runs its text once (SPEC §3)', async () => {
    for (const code of [
      '(globalThis.n = (globalThis.n ?? 0) + 1, async () => globalThis.n)',
      'globalThis.n = (globalThis.n ?? 0) + 1; return globalThis.n',
      'globalThis.n = (globalThis.n ?? 0) + 1, async () => globalThis.n',
      '(() => { sdk.echo("ran"); return async () => 1 })()',
      'async () => { await sdk.echo("ran"); return 1 }',
    ]) {
      const { result, host } = await run(code)
      assert.isAtMost(host.ran().length, 1, code)
      assert.notInclude([2, 3], result.value as number, code)
    }
  })

  it('a lone function is called without arguments', async () => {
    assert.deepEqual(await returned('(...a) => a.length'), 0)
    assert.deepEqual(await returned('async function main(x = "default") { return x }'), 'default')
  })

  it('a program is passed as data: its text reaches no markup (SPEC §3)', async () => {
    const text = '</script><img src=x onerror="parent.postMessage(1)"><!--'
    assert.equal(await returned(`return ${JSON.stringify(text)}`), text)
    assert.equal(await returned(`/* ${text} */ return 1`), 1)
  })

  it('`transform` is applied once, before compiling, and may be async (SPEC §2)', async () => {
    let count = 0
    const sandbox = makeSandbox({
      transform: async (code: string) => {
        count++
        return code.replace('ONE', '1')
      },
    })
    assert.equal(await returned('return ONE', { sandbox }), 1)
    assert.equal(count, 1)
    sandbox.dispose()
  })

  it('a `transform` that throws ends the run as an error with its message', async () => {
    const sandbox = makeSandbox({
      transform: () => {
        throw new SyntaxError('cannot strip this')
      },
    })
    const error = await errorOf('return 1', { sandbox })
    assert.match(error.message, /cannot strip this/)
    sandbox.dispose()
  })

  it('`input` is there when given and absent otherwise (SPEC §2)', async () => {
    assert.deepEqual(await returned('return [input.a, typeof input]', { input: { a: 1 } }), [1, 'object'])
    assert.equal(await returned('return typeof input'), 'undefined')
    assert.equal(await returned('return "input" in globalThis'), false)
    assert.equal(await returned('return input', { input: null }), null)
  })

  it('`input` is a copy: the program cannot change the host’s', async () => {
    const input = { list: [1] }
    await returned('input.list.push(2); return 1', { input })
    assert.deepEqual(input, { list: [1] })
  })

  it('one run leaves nothing behind for the next (SPEC §2: never a reused worker)', async () => {
    await returned('globalThis.left = 1; Array.prototype.left = 2; Object.prototype.left = 3; return 1')
    assert.deepEqual(await returned('return [typeof left, [].left === undefined, ({}).left === undefined]'), [
      'undefined',
      true,
      true,
    ])
  })
})

after(() => shared.dispose())
