// stripTypes: what goes in as TypeScript comes out as JavaScript on the same lines.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripTypes } from '../../src/adapters/typescript.js'

const AsyncFunction = (async () => {}).constructor as new (
  ...text: string[]
) => (...values: unknown[]) => Promise<unknown>
const lines = (text: string) => text.split('\n').length

const runs: [claim: string, code: string, value: unknown][] = [
  [
    'annotations',
    'const x: number = 1\nconst f = (a: string, b?: number): string => a + (b ?? 0)\nreturn f("a", x)',
    'a1',
  ],
  [
    'interfaces and type aliases',
    'interface Order {\n  id: number\n}\ntype Orders = Order[]\nconst orders: Orders = [{ id: 7 }]\nreturn orders[0]!.id',
    7,
  ],
  [
    'as, satisfies and non-null',
    'const a = { n: 1 } satisfies Record<string, number>\nreturn (a as any)!.n as number',
    1,
  ],
  ['a generic function and its call', 'const same = <T,>(x: T): T => x\nreturn same<number>(4)', 4],
  ['a generic call as the only type', 'const same = (x) => x\nreturn same<number>(4)', 4],
  ['generic classes', 'const m = new Map<string, number[]>([["a", [1]]])\nreturn m.get("a")![0]', 1],
  [
    'an enum over several lines',
    'enum Size {\n  Small,\n  Large = 10,\n}\nreturn [Size.Small, Size.Large, Size[10]]',
    [0, 10, 'Large'],
  ],
  ['a const enum of strings', "const enum Status {\n  Open = 'open',\n}\nreturn Status.Open", 'open'],
  [
    'parameter properties and modifiers',
    'class A {\n  private readonly y: number = 2\n  constructor(public z: string) {}\n  sum() { return this.z + this.y }\n}\nreturn new A("a").sum()',
    'a2',
  ],
  ['only a parameter property', 'class A { constructor(public z) {} }\nreturn new A(3).z', 3],
  ['a this parameter', 'function f(this: { a: number }) { return this.a }\nreturn f.call({ a: 5 })', 5],
  ['overloads', 'function f(a: string): string\nfunction f(a: any) { return a }\nreturn f("x")', 'x'],
  ['declare and import type', 'declare const y: string\nimport type { A } from "a"\nreturn typeof y', 'undefined'],
  [
    'await, for await and a typed catch',
    'const out: number[] = []\nfor await (const x of [1, 2] as number[]) out.push(x)\ntry { await Promise.reject(new Error("e")) } catch (e: unknown) { out.push(3) }\nreturn out',
    [1, 2, 3],
  ],
  ['a directive before types', '"use strict"\nlet a: number = 1\nreturn a', 1],
]
for (const [claim, code, value] of runs) {
  test(`${claim}: the same value on the same lines`, async () => {
    const out = stripTypes(code)
    assert.equal(lines(out), lines(code))
    assert.deepEqual(await new AsyncFunction(out)(), value)
  })
}

test('what throws keeps its line', async () => {
  const code =
    'interface A {\n  a: string\n}\nenum B {\n  C,\n}\nconst x: A | null = null as A | null\n\nthrow new Error(String(x))'
  const error = await new AsyncFunction(stripTypes(code))().then(
    () => assert.fail('it should throw'),
    (e: Error) => e,
  )
  // Two lines stand before the body of a function made from text.
  assert.match(error.stack ?? '', /<anonymous>:11:/)
})

const functions: [claim: string, code: string, text: string][] = [
  ['an arrow function', 'async (x: number) => {\n  return x\n}', 'async (x) => {\n  return x\n}'],
  ['an anonymous function', 'async function (x: number) {\n  return x\n}', 'async function (x) {\n  return x\n}'],
  [
    'export default of an arrow',
    'export default async (): Promise<number> => {\n  return 1\n}',
    'export default async () => {\n  return 1\n}',
  ],
  [
    'export default of a function',
    'export default async function main(x?: string) { return x }',
    'export default async function main(x) { return x }',
  ],
  ['a Markdown fence', '```ts\nconst a: number = 1\nreturn a\n```\n', '```ts\nconst a = 1\nreturn a\n```\n'],
  ['an import that is refused later', 'import fs from "fs"\nreturn 1 as number', 'import fs from "fs"\nreturn 1 '],
]
for (const [claim, code, text] of functions) {
  test(`${claim} stays usable by the core`, () => assert.equal(stripTypes(code), text))
}

const javascript = [
  'return 1',
  'const rows = await sdk.orders.list()\nfor (let i=0;i<rows.length;i++) { if (rows[i].n > 3) console.log(`${rows[i].id}`) }',
  'return [a < b, c > (d)]',
  'return f(a < b, c > (d))',
  'if (a < b > (c)) return 1',
  'a ? (b) : c => d',
  'return x ? (y) : z',
  'class B { a; #p = 1; static { this.x = 1 } get y() { return this.#p } }\nreturn 1_000n ?? a?.b ** 2',
  'const type = 1, as = 2, satisfies = 3, declare = 4, of = 5, namespace = 6\nreturn type + as',
  'type\nfoo\nlabel: for (;;) break label',
  '/(?<n>a)\\/[/]/v.exec(x); return `a ${`b ${c}`}`',
  'function () { return 1 }',
  'async function* () { yield* x }',
  'export default function () { return 1 }',
  '#!/usr/bin/env node\nreturn 1',
  '```js\nreturn 1\n```',
  'import x from "y"\nexport { x }',
  'return 1 // namespace N {\n/* enum A { } */',
  'return "namespace N { }" + `\nnamespace N {`',
  '',
  '\n\n  ',
  'return\u2028 1',
  'const { a, b: { c = 1 } = {}, ...rest } = await x\nreturn import.meta',
]
for (const code of javascript)
  test(`plain JavaScript is left as it was: ${JSON.stringify(code.slice(0, 50))}`, () =>
    assert.equal(stripTypes(code), code))

const broken: [claim: string, code: string, line: number][] = [
  ['a missing type', 'a\n\nconst x: = 1', 3],
  ['a bracket', 'const a: number = 1\nreturn (]', 2],
  ['in a fence', '```ts\nconst a: number = 1\nreturn (]\n```', 3],
  ['in an anonymous function', 'async function (a: number) {\n  return 1\n  const b: = 2\n}', 3],
  ['an end that is missing', 'if (a as any) {\n  return 1\n', 3],
  ['JSX', 'const a = 1\n\n\nreturn <div/>', 4],
  ['a namespace with code', 'const a: number = 1\nnamespace N {\n  export const b = 1\n}\nreturn N.b', 2],
]
for (const [claim, code, line] of broken) {
  test(`broken TypeScript is a SyntaxError with its line: ${claim}`, () => {
    assert.throws(
      () => stripTypes(code),
      (error: SyntaxError & { line: number; column: number }) => {
        assert.ok(error instanceof SyntaxError)
        assert.equal(error.line, line)
        assert.ok(error.column >= 1)
        assert.ok(error.message.endsWith(`(line ${line})`), error.message)
        return true
      },
    )
  })
}
