// describeFunctions: the declarations are TypeScript, and mean what the schemas say.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { z } from 'zod'
import { describeFunctions } from '../../src/adapters/prompt.js'
import type { JsonSchema } from '../../src/index.js'

const call = () => 1
const declared = (input: JsonSchema, output: JsonSchema = true) =>
  describeFunctions({ f: { call, input, output } }).declarations

// Each case: a schema, values that its type must take, values that it must not take.
const cases: [claim: string, schema: JsonSchema, takes: string[], refuses: string[]][] = [
  [
    'scalars',
    {
      type: 'object',
      properties: {
        a: { type: 'string' },
        b: { type: 'boolean' },
        c: { type: 'integer' },
        d: { type: 'number' },
        e: { type: 'null' },
      },
      required: ['a', 'b', 'c', 'd', 'e'],
    },
    ['{ a: "", b: true, c: 1, d: 1.5, e: null }'],
    ['{ a: 1, b: true, c: 1, d: 1.5, e: null }', '{ a: "", b: true, c: 1, d: 1.5 }'],
  ],
  [
    'optional members',
    { type: 'object', properties: { a: { type: 'string' } } },
    ['{}', '{ a: "" }'],
    ['{ a: null }', '{ b: 1 }'],
  ],
  [
    'unions',
    { anyOf: [{ type: 'string' }, { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }] },
    ['"a"', '{ n: 1 }'],
    ['1', '{}'],
  ],
  [
    'oneOf beside members',
    {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      oneOf: [
        { properties: { k: { const: 1 } }, required: ['k'] },
        { properties: { k: { const: 2 }, x: { type: 'string' } }, required: ['k', 'x'] },
      ],
    },
    ['{ a: "", k: 1 }', '{ a: "", k: 2, x: "" }'],
    ['{ k: 1 }', '{ a: "", k: 2 }'],
  ],
  [
    'allOf',
    {
      allOf: [
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        { type: 'object', properties: { b: { type: ['number', 'null'] } }, required: ['b'] },
      ],
    },
    ['{ a: "", b: null }'],
    ['{ a: "" }', '{ b: 1 }'],
  ],
  ['allOf of unions', { allOf: [{ enum: ['a', 'b'] }, { enum: ['b', 'c'] }] }, ['"b"'], ['"a"', '"c"']],
  [
    'enums of every kind',
    { enum: ['it\'s "x"\n', 1, -2.5, null, true, [1, 'a'], { 'k-k': 1 }] },
    ['"it\'s \\"x\\"\\n"', '1', '-2.5', 'null', 'true', '[1, "a"]', '{ "k-k": 1 }'],
    ['"x"', '2', 'false', '[1]'],
  ],
  ['const', { const: { a: ['x', {}] } }, ['{ a: ["x", {}] }'], ['{ a: ["y", {}] }']],
  [
    'nullable type lists',
    { type: ['null', 'array', 'string'], items: { type: 'integer' } },
    ['null', '[1]', '"a"'],
    ['1', '["a"]'],
  ],
  ['nullable of OpenAPI', { type: 'string', nullable: true }, ['null', '"a"'], ['1']],
  [
    'arrays of unions',
    { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
    ['["a", null]'],
    ['[1]', 'null'],
  ],
  [
    'closed tuples',
    { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
    ['["a", 1]'],
    ['["a"]', '["a", 1, 2]', '[1, "a"]'],
  ],
  [
    'tuples with optional end and rest',
    {
      type: 'array',
      prefixItems: [{ type: 'string' }, { type: ['number', 'null'] }],
      items: { type: 'boolean' },
      minItems: 1,
    },
    ['["a"]', '["a", null, true, false]'],
    ['[]', '["a", 1, 2]'],
  ],
  [
    'tuples of draft 7',
    { type: 'array', items: [{ type: 'string' }], additionalItems: false },
    ['["a"]'],
    ['["a", 1]'],
  ],
  [
    'arrays of one length',
    { type: 'array', items: { type: 'number' }, minItems: 3, maxItems: 3 },
    ['[1, 2, 3]'],
    ['[1, 2]'],
  ],
  ['arrays without items', { type: 'array' }, ['[1, "a"]'], ['"a"']],
  ['maps', { type: 'object', additionalProperties: { type: 'number' } }, ['{ "a b": 1 }'], ['{ a: "x" }']],
  [
    'maps beside members of another type',
    {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: { type: 'number' },
    },
    ['{ a: "x", b: 1 }'],
    ['{ a: 1 }', '{ b: 1 }'],
  ],
  [
    'pattern properties',
    { type: 'object', patternProperties: { '^x': { type: 'number' } }, additionalProperties: false },
    ['{ x1: 1 }'],
    ['{ x1: "a" }'],
  ],
  ['an object without members', { type: 'object', additionalProperties: false }, ['{}'], ['{ a: 1 }']],
  ['an object of anything', { type: 'object' }, ['{ a: 1 }'], ['1']],
  [
    'names that are no identifiers',
    {
      type: 'object',
      properties: {
        'a-b': { const: 1 },
        'it\'s "q"\\': { const: 2 },
        '': { const: 3 },
        delete: { const: 4 },
        ünï: { const: 5 },
        '1': { const: 6 },
        '*/': { const: 7 },
      },
      required: ['a-b', 'delete'],
    },
    ['{ "a-b": 1, delete: 4, "it\'s \\"q\\"\\\\": 2, "": 3, ünï: 5, 1: 6, "*/": 7 }'],
    ['{ "a-b": 1 }', '{ "a-b": 1, delete: 1 }'],
  ],
  [
    'references',
    {
      $ref: '#/$defs/Pair',
      $defs: {
        Pair: { type: 'array', prefixItems: [{ $ref: '#/$defs/Point' }, { $ref: '#/$defs/Point' }], items: false },
        Point: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] },
      },
    },
    ['[{ x: 1 }, { x: 2 }]'],
    ['[{ x: 1 }]', '[{ x: "a" }, { x: 1 }]'],
  ],
  [
    'a type that contains itself',
    {
      $ref: '#/definitions/tree node',
      definitions: {
        'tree node': {
          type: 'object',
          properties: { v: { type: 'number' }, kids: { type: 'array', items: { $ref: '#/definitions/tree%20node' } } },
          required: ['v'],
        },
      },
    },
    ['{ v: 1, kids: [{ v: 2, kids: [] }] }'],
    ['{ v: 1, kids: [{ v: "a" }] }'],
  ],
  [
    'a root that contains itself',
    {
      type: 'object',
      properties: { next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } },
      required: ['next'],
      additionalProperties: false,
    },
    ['{ next: { next: null } }'],
    ['{ next: {} }'],
  ],
  [
    'two types that contain each other',
    {
      $ref: '#/$defs/A',
      $defs: {
        A: { type: 'object', properties: { b: { $ref: '#/$defs/B' } } },
        B: { type: 'object', properties: { a: { $ref: '#/$defs/A' }, n: { type: 'number' } } },
      },
    },
    ['{ b: { a: { b: { n: 1 } } } }'],
    ['{ b: { n: "x" } }'],
  ],
  [
    'a reference that means only itself',
    {
      $ref: '#/$defs/A',
      $defs: { A: { $ref: '#/$defs/B' }, B: { anyOf: [{ $ref: '#/$defs/A' }, { type: 'string' }] } },
    },
    ['1', '"a"'],
    [],
  ],
  [
    'references by pointer and by anchor',
    {
      type: 'object',
      properties: { a: { type: 'string' }, b: { $ref: '#/properties/a' }, c: { $ref: '#there' } },
      $defs: { 'x/y~z': { $anchor: 'there', type: 'number' } },
    },
    ['{ a: "", b: "", c: 1 }'],
    ['{ b: 1 }', '{ c: "" }'],
  ],
  [
    'a reference that leads nowhere',
    { type: 'object', properties: { a: { $ref: 'https://example.com/x.json' }, b: { $ref: '#/nowhere' } } },
    ['{ a: 1, b: [] }'],
    [],
  ],
  [
    'true, {}, and what is not known',
    { type: 'object', properties: { a: true, b: {}, c: { type: 'surely' }, d: { type: 'string', format: 'no-such' } } },
    ['{ a: 1, b: "", c: null, d: "" }'],
    ['{ d: 1 }'],
  ],
  [
    'false and Go’s false',
    { type: 'object', properties: { a: false, b: { not: {} } } },
    ['{}'],
    ['{ a: 1 }', '{ b: 1 }'],
  ],
  [
    'members without a type',
    { properties: { a: { items: { type: 'number' } } }, required: ['a'] },
    ['{ a: [1] }'],
    ['{ a: 1 }', '{}'],
  ],
  [
    'a name that TypeScript has',
    {
      $ref: '#/$defs/Record',
      $defs: {
        Record: {
          type: 'object',
          properties: { m: { type: 'object', additionalProperties: { $ref: '#/$defs/Promise' } } },
        },
        Promise: { type: 'number' },
      },
    },
    ['{ m: { a: 1 } }'],
    ['{ m: { a: "x" } }'],
  ],
  [
    'comments that try to end early',
    {
      description: 'a */ ; declare const broken: */',
      type: 'object',
      properties: { a: { description: '*/ b: number /*\r\n */*/ */', type: 'string', default: '*/', pattern: '^*/$' } },
      required: ['a'],
    },
    ['{ a: "" }'],
    ['{ b: 1 }'],
  ],
]

/** Type-checks files, and gives what is wrong. */
function check(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'declarations-'))
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, `${name}.ts`), text)
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          target: 'es2022',
          lib: ['es2024'],
          types: [],
          moduleDetection: 'force',
        },
        include: ['*.ts'],
      }),
    )
    const { stdout, error } = spawnSync('node_modules/.bin/tsc', ['-p', folder, '--pretty', 'false'], {
      encoding: 'utf8',
    })
    if (error) throw error
    return stdout.replaceAll(folder, '')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const uses = (declarations: string, takes: string[], refuses: string[]) =>
  `${declarations}${takes.map((value) => `sdk.f(${value})\n`).join('')}${refuses.map((value) => `// @ts-expect-error\nsdk.f(${value})\n`).join('')}`

test('the check of the types finds what is wrong', () => {
  assert.match(
    check({ wrong: uses('declare const sdk: { f(input: number): void }\n', ['"a"'], ['1']) }),
    /TS2345[\s\S]*TS2578/,
  )
})

test('the declarations take what the schemas allow and refuse what they do not', () => {
  const files = Object.fromEntries(
    cases.map(([, schema, takes, refuses], i) => [`case${i}`, uses(declared(schema), takes, refuses)]),
  )
  const wrong = check(files)
  assert.equal(
    wrong,
    '',
    wrong.replace(/case(\d+)\.ts/g, (_, i) => `${cases[i]?.[0]}\n${files[`case${i}`]}\n`),
  )
})

test('all cases in one map share one set of names, and still type-check', () => {
  const map = Object.fromEntries(
    cases.map(([, schema], i) => [`group${i % 3}.case${i}`, { call, input: schema, output: schema }]),
  )
  const { declarations } = describeFunctions(map)
  const calls = cases.flatMap(([, , takes], i) => takes.map((value) => `sdk.group${i % 3}.case${i}(${value})\n`))
  assert.equal(check({ all: declarations + calls.join('') }), '')
})

interface Shape {
  name: string
  input: JsonSchema
  output: JsonSchema
}

test('the schemas that Go infers from types of every kind become the types Go means', () => {
  const shapes: Shape[] = JSON.parse(readFileSync('../tests/schemas/schemas.json', 'utf8'))
  const { declarations } = describeFunctions(
    Object.fromEntries(shapes.map(({ name, input, output }) => [name, { call, input, output }])),
  )
  const program = `${declarations}
const inner = { a: '', b: null }
async function main() {
  const basics = await sdk.basics({ text: '', yes: true, int: 1, int8: 1, int16: 1, int32: 1, int64: 1, uint: 1, uint8: 1, uint16: 1, uint32: 1, uint64: 1, float32: 0.5, float64: 0.5, named: 'x', any: [1], 'odd-name': '', delete: '', pointer: null, struct: { a: '' }, twice: null })
  basics.maybe satisfies string | undefined
  basics.pointer satisfies number | null
  basics.struct?.b satisfies boolean | null | undefined
  // @ts-expect-error a required member is missing
  await sdk.basics({ text: '' })
  // @ts-expect-error what Go leaves out is not there
  basics.Omitted
  // @ts-expect-error a Go pointer may be null
  basics.pointer + 1
  const lists = await sdk.lists({ strings: ['a'], nested: [[1]], structs: [inner], three: [1, 2, 3], sixteen: [inner], none: [], map: { a: 1 }, maps: { a: [inner] }, keys: { a: null }, anys: [1, 'a'], nulls: ['a', null], open: { a: {} } })
  lists.three satisfies [number, number, number]
  lists.strings satisfies string[] | null
  lists.maps satisfies Record<string, { a: string; b?: boolean | null }[] | null>
  // @ts-expect-error an array of three
  await sdk.lists({ strings: [], nested: [], structs: [], three: [1, 2], sixteen: [], none: [], map: {}, maps: {}, keys: {}, anys: [], nulls: [], open: {} })
  const known = await sdk.known({ time: '2026-01-01T00:00:00Z', maybe: null, level: 'INFO', int: '1', rat: null, bytes: 'AA==', raw: {}, value: 1 })
  known.time satisfies string
  const embedded = await sdk.embedded({ a: '', own: '' })
  embedded.own satisfies string
  await sdk.nothing()
  await sdk.nothing({})
  // @ts-expect-error nothing is nothing
  await sdk.nothing({ a: 1 })
  ;(await sdk.anything(new Map())) satisfies unknown
  for (const each of await sdk.list()) each.a satisfies string
  ;(await sdk.number()) satisfies number
  ;(await sdk.names()) satisfies Record<string, string>
  ;(await sdk.perhaps())?.a satisfies string | undefined
}
main()
`
  assert.equal(check({ go: program }), '')
})

test('what Zod writes becomes the types Zod infers', () => {
  const schema = z.object({
    text: z.string().min(1),
    int: z.number().int().optional(),
    choice: z.enum(['x', 'y']),
    list: z.array(z.string()).nullable(),
    pair: z.tuple([z.string(), z.number()]),
    rest: z.tuple([z.string()]).rest(z.number()),
    map: z.record(z.string(), z.number()),
    either: z.discriminatedUnion('t', [
      z.object({ t: z.literal('a'), v: z.string() }),
      z.object({ t: z.literal('b') }),
    ]),
    perhaps: z.string().nullish(),
    words: z.literal([1, 'two']),
    when: z.iso.datetime(),
    both: z.intersection(z.object({ p: z.string() }), z.object({ q: z.number() })),
    any: z.any(),
    loose: z.object({ x: z.number() }).loose(),
    get self() {
      return z.array(schema).optional()
    },
  })
  const { declarations } = describeFunctions({ f: { call, output: z.toJSONSchema(schema) as JsonSchema } })
  assert.doesNotMatch(declarations, /9007199254740991|matches/)
  const program = `${declarations}
type Expected = {
  text: string; int?: number; choice: 'x' | 'y'; list: string[] | null; pair: [string, number]; rest: [string, ...number[]]
  map: Record<string, number>; either: { t: 'a'; v: string } | { t: 'b' }; perhaps?: string | null; words: 1 | 'two'; when: string
  both: { p: string; q: number }; any: unknown; loose: { x: number } & Record<string, unknown>; self?: Expected[]
}
type Given = Awaited<ReturnType<typeof sdk.f>>
declare const given: Given
declare const expected: Expected
given satisfies Expected
expected satisfies Given
`
  assert.equal(check({ zod: program }), '')
})

test('the example in docs/prompt.md is what comes out', () => {
  const example = /```ts\n(type Order[\s\S]*?)```/.exec(readFileSync('docs/prompt.md', 'utf8'))?.[1]
  const source =
    /```ts\nimport[\s\S]*?defineFunctions\((\{[\s\S]*?\n\})\)\n/.exec(readFileSync('docs/prompt.md', 'utf8'))?.[1] ?? ''
  const functions = new Function(`return ${source.replace('({ id }: { id: number })', '({ id })')}`)()
  assert.equal(describeFunctions(functions).declarations, example)
})

test('names with dots become a tree, reserved words included', () => {
  const { declarations } = describeFunctions({
    'notes.delete': call,
    'notes.in.class': { call, approval: true },
    echo: call,
    $x: call,
    'ünï.ö': call,
  })
  assert.equal(
    check({
      tree: `${declarations}sdk.notes.delete(1); sdk.notes.in.class(); sdk.echo().then(String); sdk.$x(); sdk.ünï.ö()\n`,
    }),
    '',
  )
})

test('an input may be left out where none is needed, and only there', () => {
  assert.match(declared({ type: 'object', properties: { a: { type: 'string' } } }), /f\(input\?: /)
  assert.match(declared({ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }), /f\(input: /)
  assert.match(declared({ type: 'string' }), /f\(input: string\)/)
  assert.match(describeFunctions({ f: call }).declarations, /f\(input\?: unknown\): Promise<unknown>/)
})

test('a type that two functions share is declared once; two of one name are told apart', () => {
  const order = {
    type: 'object',
    properties: { id: { type: 'integer', description: 'its number' } },
    description: 'One order.',
  }
  const { declarations } = describeFunctions({
    a: { call, output: { $ref: '#/$defs/order', $defs: { order } } },
    b: { call, output: { type: 'array', items: { $ref: '#/definitions/order' }, definitions: { order } } },
    c: { call, output: { $ref: '#/$defs/order', $defs: { order: { type: 'string' } } } },
  })
  assert.equal(
    declarations,
    `/** One order. */
type Order = {
  /**
   * its number
   * integer
   */
  id?: number
}
type Order2 = string
declare const sdk: {
  a(input?: unknown): Promise<Order>
  b(input?: unknown): Promise<Order[]>
  c(input?: unknown): Promise<Order2>
}
`,
  )
})

test('the instructions say what waits for approval, and how to batch only when something does', () => {
  const { instructions, declarations } = describeFunctions({
    'orders.list': call,
    'orders.cancel': { call, approval: true, title: 'Cancel an order', description: 'For good.' },
    'db.run': { call, approval: (input) => input },
  })
  assert.match(instructions, /approval: sdk\.orders\.cancel, sdk\.db\.run \(depending on the input\)\./)
  assert.match(instructions, /plain loop/)
  assert.match(instructions, /ApprovalRejected/)
  assert.ok(instructions.length < 1_800, `${instructions.length} characters`)
  assert.match(declarations, / \* Cancel an order\n {5}\* For good\.\n {5}\* Waits for approval\.\n/)
  assert.match(declarations, /May wait for approval/)
  const plain = describeFunctions({ a: call }).instructions
  assert.doesNotMatch(plain, /approval/)
  assert.match(plain, /body of an async JavaScript function/)
})

test('an empty map is declared too, and a wrong one is refused', () => {
  assert.equal(describeFunctions({}).declarations, 'declare const sdk: {}\n')
  assert.throws(() => describeFunctions({ 'a.then': call }), TypeError)
})
