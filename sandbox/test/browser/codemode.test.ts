// The executor under the real @cloudflare/codemode 0.5.6.
import { createBrowserCodeTool, type Executor, type ResolvedProvider } from '@cloudflare/codemode/browser'
import { createCodeTool, tanstackTools } from '@cloudflare/codemode/tanstack-ai'
import type { createSandbox } from '@faustine-ai/browser-sandbox'
import { asExecutor, type ExecutorOptions } from '@faustine-ai/browser-sandbox/codemode'
import { toolDefinition } from '@tanstack/ai'
import { assert } from 'chai'
import { z } from 'zod'
import { makeSandbox, type Options, rejection, shared } from '../fixture/sandbox.js'
import { setup } from '../fixture/setup.js'

type Real = ReturnType<typeof createSandbox>
const executor = (options?: ExecutorOptions, sandbox = shared): Executor =>
  asExecutor(sandbox as unknown as Real, options)

const schema = { type: 'object' as const, properties: {} }
const tool = (execute: (input: Record<string, unknown>) => Promise<unknown>, more: Options = {}) => ({
  description: 'a tool',
  inputSchema: schema,
  execute,
  ...more,
})

/** Things that can be deleted, and what was. */
const things = () => {
  const ran: unknown[] = []
  const fns = {
    list: async () => [{ id: 1 }, { id: 2 }, { id: 3 }],
    deleteThing: async (input: unknown) => {
      ran.push(input)
      return { deleted: (input as { id: number }).id }
    },
  }
  return { ran, fns, providers: [{ name: 'codemode', fns }] satisfies ResolvedProvider[] }
}
const deletesAll =
  'async () => { for (const { id } of await codemode.list()) await codemode.deleteThing({ id }); return "done" }'
const deletesOne = 'async () => codemode.deleteThing({ id: 7 })'
const tells =
  'async () => { try { return await codemode.deleteThing({ id: 7 }) } catch (e) { return `${e.name}: ${e.message}` } }'

describe('codemode: createBrowserCodeTool', () => {
  it('runs a program that calls tools, and gives result and logs', async () => {
    const code = createBrowserCodeTool({
      tools: {
        'get-weather': tool(async ({ city }) => ({ city, degrees: 21 })),
        add: tool(async ({ a, b }) => (a as number) + (b as number)),
      },
      executor: executor(),
    })
    assert.include(code.description, 'get_weather')
    const output = await code.execute({
      code: 'async () => { const w = await codemode.get_weather({ city: "Lyon" }); console.log("sum", await codemode.add({ a: 1, b: 2 })); console.warn("careful", w); console.error("bad"); return w }',
    })
    assert.deepEqual(output, {
      result: { city: 'Lyon', degrees: 21 },
      logs: ['sum 3', '[warn] careful {city: "Lyon", degrees: 21}', '[error] bad'],
    })
  })

  for (const [how, code] of [
    ['a fence around it', '```js\nasync () => codemode.add({ n: 1 })\n```'],
    ['statements', 'const n = await codemode.add({ n: 1 })\nreturn n'],
    ['a last expression', 'const n = 1\nawait codemode.add({ n })'],
    ['export default', 'export default async () => codemode.add({ n: 1 })'],
    ['a named function', 'async function main() { return codemode.add({ n: 1 }) }'],
    ['an arrow function with a semicolon and comments', '// first\nasync () => codemode.add({ n: 1 }); // last'],
    ['an immediately invoked function', '(async () => codemode.add({ n: 1 }))()'],
    ['an arrow function in parentheses', '(async () => codemode.add({ n: 1 }))'],
  ]) {
    it(`a program written with ${how} runs`, async () => {
      const code_ = createBrowserCodeTool({
        tools: { add: tool(async ({ n }) => (n as number) + 1) },
        executor: executor(),
      })
      assert.deepEqual(await code_.execute({ code: code as string }), { result: 2 })
    })
  }

  it("a failing program is the tool's error, with name, line and logs", async () => {
    const code = createBrowserCodeTool({ tools: { add: tool(async () => 1) }, executor: executor() })
    const error = await rejection(
      code.execute({
        code: 'async () => {\n  console.log("so far")\n  await codemode.add({})\n  return codemode.nope({})\n}',
      }),
    )
    assert.match(
      error.message,
      /^Code execution failed: TypeError: .*\(line 4\).*functions that exist: codemode\.add\./s,
    )
    assert.match(error.message, /Console output:\nso far$/)
  })

  it('the package leaves out a tool that declares needsApproval: nobody can call it', async () => {
    let ran = false
    const code = createBrowserCodeTool({
      tools: { safe: tool(async () => 1), risky: tool(async () => (ran = true), { needsApproval: true }) },
      executor: executor(),
    })
    const error = await rejection(code.execute({ code: 'async () => codemode.risky({})' }))
    assert.match(error.message, /codemode\.risky is not a function|is not a function/)
    assert.isFalse(ran)
  })
})

describe('codemode: createCodeTool for TanStack AI, which loads in a browser', () => {
  it('runs tools of several namespaces, by the names that the package gives them', async () => {
    const add = toolDefinition({
      name: 'add-up',
      description: 'adds',
      inputSchema: z.object({ a: z.number() }),
    }).server(async ({ a }) => a + 1)
    const code = createCodeTool({ tools: [tanstackTools([add]), tanstackTools([add], 'other')], executor: executor() })
    const output = await code.execute?.({
      code: 'async () => [await codemode.add_up({ a: 1 }), await other.add_up({ a: 2 })]',
    })
    assert.deepEqual(output as unknown, { result: [2, 3] })
  })
})

describe('codemode: providers', () => {
  const none: ResolvedProvider[] = []

  it('each provider is a global namespace with functions of any number of arguments', async () => {
    const seen: unknown[][] = []
    const note = async (...args: unknown[]) => {
      seen.push(args)
      return args.length
    }
    const output = await executor().execute(
      'async () => [await github.note(), await github.note(1, [2], "3"), await shell.note([1, 2]), await shell.note(undefined)]',
      [
        { name: 'github', fns: { note } },
        { name: 'shell', fns: { note } },
      ],
    )
    assert.deepEqual(output, { result: [0, 3, 1, 1], logs: [] })
    assert.deepEqual(seen, [[], [1, [2], '3'], [[1, 2]], [undefined]])
  })

  it('raw functions are the namespace codemode', async () => {
    const output = await executor().execute('async () => codemode.add(1, 2)', {
      add: async (a, b) => (a as number) + (b as number),
    })
    assert.deepEqual(output, { result: 3, logs: [] })
  })

  it('a provider without functions is an empty namespace, and no provider at all is no error', async () => {
    assert.deepEqual(await executor().execute('async () => Object.keys(empty)', [{ name: 'empty', fns: {} }]), {
      result: [],
      logs: [],
    })
    assert.deepEqual(await executor().execute('async () => 1', none), { result: 1, logs: [] })
  })

  it('only the namespaces exist: no sdk, no input', async () => {
    const output = await executor().execute(
      'async () => [typeof sdk, typeof input, typeof codemode]',
      things().providers,
    )
    assert.deepEqual(output.result, ['undefined', 'undefined', 'object'])
  })

  it("a program may use a namespace's name for itself", async () => {
    const output = await executor().execute('async () => { const codemode = 5; return codemode }', things().providers)
    assert.deepEqual(output.result, 5)
  })

  it('awaiting, printing and comparing a namespace makes no call; what it inherits is nothing', async () => {
    const output = await executor().execute(
      'async () => { const c = await codemode; console.log(c); return [c === codemode, typeof codemode.constructor, typeof codemode.then] }',
      things().providers,
    )
    assert.deepEqual(output.result, [true, 'undefined', 'undefined'])
  })

  it('names are made identifiers as the package does it', async () => {
    const fn = async () => 1
    const output = await executor().execute('async () => Object.keys(codemode).sort()', [
      {
        name: 'codemode',
        fns: { 'get-weather': fn, 'mail.send': fn, 'a b': fn, '2nd': fn, delete: fn, native: fn, ü: fn, $x: fn },
      },
    ])
    assert.deepEqual(output.result, ['$x', '_', '_2nd', 'a_b', 'delete_', 'get_weather', 'mail_send', 'native_'])
  })

  for (const [what, providers, text] of [
    [
      'two tools of one name',
      [{ name: 'codemode', fns: { 'a-b': 1, a_b: 1 } }],
      'Tool names "a-b" and "a_b" both sanitize to "a_b" in provider "codemode"',
    ],
    [
      'two providers of one name',
      [
        { name: 'a', fns: {} },
        { name: 'a', fns: {} },
      ],
      'Duplicate provider name "a"',
    ],
    [
      'a name that is no identifier',
      [{ name: 'my-tools', fns: {} }],
      'Provider name "my-tools" is not a valid JavaScript identifier',
    ],
    ['an empty name', [{ name: '', fns: {} }], 'is not a valid JavaScript identifier'],
    ['a name that would be code', [{ name: 'x=1;evil', fns: {} }], 'is not a valid JavaScript identifier'],
    ['a name the package keeps', [{ name: '__dispatchers', fns: {} }], 'Provider name "__dispatchers" is reserved'],
    ['a keyword', [{ name: 'class', fns: {} }], 'Provider name "class" is reserved'],
    ['a tool called then', [{ name: 'codemode', fns: JSON.parse('{"then":1}') }], '“then” cannot be part of a name'],
    [
      'a tool called constructor',
      [{ name: 'codemode', fns: { constructor: 1 } }],
      '“constructor” cannot be part of a name',
    ],
    [
      'a tool called __proto__',
      [{ name: 'codemode', fns: JSON.parse('{"__proto__":1}') }],
      '“__proto__” cannot be part of a name',
    ],
    [
      'a tool that is none',
      [{ name: 'codemode', fns: { x: { execute: 1 } } }],
      'Tool "x" in provider "codemode" is not a function',
    ],
    ['a provider that is none', [null], ''],
    ['nothing', undefined, ''],
  ] as [string, unknown, string][]) {
    it(`${what}: the result's error says so, and nothing runs`, async () => {
      let ran = false
      const fn = async () => {
        ran = true
      }
      if (Array.isArray(providers))
        for (const provider of providers)
          for (const name of Object.keys(provider?.fns ?? {}))
            if (provider.fns[name] === 1) Object.defineProperty(provider.fns, name, { value: fn, enumerable: true })
      const output = await executor().execute(
        'async () => { for (const fn of Object.values(codemode)) await fn() }',
        providers as never,
      )
      assert.isString(output.error)
      assert.include(output.error as string, text)
      assert.isUndefined(output.result)
      assert.isFalse(ran)
    })
  }

  it("connectors, which are for Cloudflare's own runtime, are not there", async () => {
    const output = await executor().execute('async () => typeof mail', none, {
      connectors: [{ name: 'mail', binding: { callTool: async () => 1 } }],
    })
    assert.equal(output.result, 'undefined')
  })

  it('a prelude runs in the sandbox after the namespaces exist, and its functions take closures', async () => {
    const output = await executor().execute(
      'async () => {\n  const n = await codemode.step("one", async () => 41)\n  return [n, await codemode.plain()]\n}',
      [
        {
          name: 'codemode',
          fns: { __begin: async (name) => `${name}!`, plain: async () => 'host' },
          prelude:
            '\n    const own = 1;\n    codemode.step = async (name, fn) => { await codemode.__begin(name); return (await fn()) + own };\n    // a comment at the end',
        },
      ],
    )
    assert.deepEqual(output, { result: [42, 'host'], logs: [] })
  })

  it('a prelude that fails is named, and the program does not run', async () => {
    for (const prelude of ['throw new Error("no")', 'const = 1', 'await Promise.reject(new Error("later"))']) {
      const output = await executor().execute('async () => { console.log("ran") }', [
        { name: 'codemode', fns: {}, prelude },
      ])
      assert.match(output.error ?? '', /The prelude of provider "codemode" failed: /)
      assert.deepEqual(output.logs, [])
    }
  })

  it('values cross as they are: Date, Map, bytes, File, BigInt, undefined', async () => {
    const file = new File(['abc'], 'a.txt', { type: 'text/plain' })
    let got: unknown[] = []
    const output = await executor().execute(
      'async () => codemode.echo(new Map([[1, new Date(0)]]), new Uint8Array([1, 2]), 5n, undefined, await codemode.file())',
      [{ name: 'codemode', fns: { file: async () => file, echo: async (...args) => (got = args) } }],
    )
    const [map, bytes, big, nothing, back] = output.result as [Map<number, Date>, Uint8Array, bigint, undefined, File]
    assert.instanceOf(map, Map)
    assert.equal(map.get(1)?.getTime(), 0)
    assert.deepEqual([...bytes], [1, 2])
    assert.equal(big, 5n)
    assert.isUndefined(nothing)
    assert.equal(back.name, 'a.txt')
    assert.equal(await back.text(), 'abc')
    assert.lengthOf(got, 5)
  })
})

describe('codemode: program text', () => {
  for (const [what, code, result] of [
    ['statements are the body of a function', 'const n = await codemode.one()\nreturn n + 1', 2],
    ['an expression alone is a body, and returns nothing', '1 + (await codemode.one())', undefined],
    ['an async arrow function after comments', '// one\n/* two ** */ /* three */ async () => codemode.one() // end', 1],
    ['an arrow function with a default that has parentheses', '(a = (1), b = Math.max(2, (3))) => a + b', 4],
    ['an arrow function of one name', 'first => typeof first', 'undefined'],
    ['a function expression', 'async function named() { return named.name }', 'named'],
    ['a named function and a call of it', 'async function main() { return codemode.one() }\nreturn main()', 1],
    ['a value that is no function', '({ a: 1 })', { a: 1 }],
    ['nothing', '', undefined],
  ] as [string, string, unknown][]) {
    it(what, async () => {
      const output = await executor().execute(code, { one: async () => 1 })
      assert.isUndefined(output.error)
      assert.deepEqual(output.result, result)
    })
  }

  it('hostile text costs the page no time', async () => {
    for (const code of [
      '/**/ '.repeat(40_000),
      '// /* //\n'.repeat(20_000),
      `/*${' /*'.repeat(60_000)}`,
      '('.repeat(200_000),
      `a${' '.repeat(200_000)}`,
      ';'.repeat(200_000),
      '`'.repeat(200_000),
    ]) {
      const began = performance.now()
      const run = executor().execute(code, {})
      assert.isBelow(performance.now() - began, 200)
      await run
    }
  })
})

describe('codemode: errors are in the result', () => {
  const error = async (code: string, options: Options = {}) =>
    (await executor({}, options.sandbox).execute(code, things().providers)).error ?? ''

  for (const [what, code, text] of [
    ['null', 'async () => { throw null }', /null/],
    ['an empty string', 'async () => { throw "" }', /./],
    ['an object', 'async () => { throw { a: 1 } }', /a: 1/],
    ['text that does not parse', 'async () => { const a: number = 1 }', /SyntaxError.*TypeScript/],
    ['text that is no program', 'this is not JavaScript', /SyntaxError/],
    ['an unknown name', 'async () => require("fs")', /ReferenceError.*There is no require/s],
    ['text that closes what is around it', 'async () => 1)); codemode.deleteThing(((', /SyntaxError/],
  ] as [string, string, RegExp][]) {
    it(`${what}`, async () => assert.match(await error(code), text))
  }

  it('what a tool throws arrives in the program with name and message', async () => {
    const output = await executor().execute(
      'async () => { try { await codemode.fail() } catch (e) { return [e instanceof TypeError, e.message] } }',
      {
        fail: async () => {
          throw new TypeError('the host says no')
        },
      },
    )
    assert.deepEqual(output.result, [true, 'the host says no'])
  })

  for (const [what, code, line] of [
    ['the first line', 'async () => { null.x }', 1],
    ['a later line', 'async () => {\n\n  null.x\n}', 3],
    ['after a call', 'async () => {\n  await codemode.list()\n  null.x\n}', 3],
    ['in a callback', 'async () => {\n  return [1].map((n) =>\n    n.a.b)\n}', 3],
  ] as [string, string, number][]) {
    it(`the line is the program's: ${what}`, async () =>
      assert.match(await error(code), new RegExp(`\\(line ${line}\\)`)))
  }

  it("the line of a call that fails is the call's, where the engine tells it", async () => {
    const output = await executor().execute('async () => {\n\n  await codemode.fail()\n}', {
      fail: async () => {
        throw new Error('no')
      },
    })
    assert.match(output.error ?? '', setup.engine === 'webkit' ? /^Error: no$/ : /^Error: no \(line 3\)$/)
  })

  it('a program that never ends is stopped, and keeps its logs', async () => {
    const sandbox = makeSandbox({ limits: { busyMs: 300 } })
    const output = await executor({}, sandbox).execute('async () => { console.log("here"); while (true) {} }', [])
    assert.match(output.error ?? '', /300 ms/)
    assert.deepEqual(output.logs, ['here'])
    sandbox.dispose()
  })

  it('a frame that cannot start, and a sandbox that was disposed', async () => {
    const broken = makeSandbox({ frame: { url: '/sandbox-empty.html' }, bootTimeoutMs: 300 })
    assert.match(await error('async () => 1', { sandbox: broken }), /SandboxUnavailable/)
    broken.dispose()
    assert.match(await error('async () => 1', { sandbox: broken }), /disposed/)
  })

  it("a mistake in the host's options", async () => {
    for (const approval of [{ mode: 'pause' }, { mode: 'colect' }] as never[]) {
      const { ran, providers } = things()
      assert.match(
        (await executor({ approval, marks: ['deleteThing'] }).execute(deletesOne, providers)).error ?? '',
        /approval\.mode/,
      )
      assert.deepEqual(ran, [])
    }
  })
})

describe('codemode: approval', () => {
  for (const [how, marks] of [
    ['by its full name', ['codemode.deleteThing']],
    ['by its bare name', ['deleteThing']],
    ['in a set', new Set(['deleteThing'])],
    ['as a tool that declares it', [{ name: 'deleteThing', needsApproval: true }]],
    ['by a predicate', (fn: string) => fn === 'codemode.deleteThing'],
  ] as [string, ExecutorOptions['marks']][]) {
    it(`a function marked ${how} is denied without an approval option`, async () => {
      const { ran, providers } = things()
      const output = await executor({ marks }).execute(tells, providers)
      assert.match(String(output.result), /^ApprovalRejected: /)
      assert.deepEqual(ran, [])
      assert.deepEqual(
        (await executor({ marks }).execute('async () => (await codemode.list()).length', providers)).result,
        3,
      )
    })
  }

  it("a mark may be the tool's own name, before it was made an identifier", async () => {
    for (const mark of ['delete-thing', 'codemode.delete-thing', 'delete_thing']) {
      let ran = false
      const output = await executor({ marks: [mark] }).execute('async () => codemode.delete_thing()', {
        'delete-thing': async () => (ran = true),
      })
      assert.match(output.error ?? '', /ApprovalRejected/)
      assert.isFalse(ran)
    }
  })

  it('a mark that names no function is an error, since its calls would run unasked', async () => {
    const { ran, providers } = things()
    const output = await executor({ marks: ['deleteThng'] }).execute(deletesOne, providers)
    assert.match(output.error ?? '', /“deleteThng”.*codemode\.list, codemode\.deleteThing/)
    assert.deepEqual(ran, [])
  })

  it('without marks a function that declares needsApproval is refused; with marks it is asked for', async () => {
    let ran = 0
    const fn = Object.assign(async () => ++ran, { needsApproval: true })
    const approval: ExecutorOptions['approval'] = { mode: 'pause', onApproval: () => 'approve' }
    const output = await executor({ approval }).execute('async () => codemode.fn()', { fn })
    assert.match(output.error ?? '', /codemode\.fn needs a person's approval, and was not run/)
    assert.equal(ran, 0)
    assert.equal((await executor({ approval, marks: [] }).execute('async () => codemode.fn()', { fn })).result, 1)
  })

  it('pause: the card is asked, with the list of arguments, and the program waits', async () => {
    const { ran, providers } = things()
    const asked: unknown[] = []
    const output = await executor({
      marks: ['deleteThing'],
      approval: {
        mode: 'pause',
        onApproval: ({ fn, input, line }) => {
          asked.push({ fn, input, line: line ?? 2 })
          return (input as [{ id: number }])[0].id === 2 ? { decision: 'reject', reason: 'keep it' } : 'approve'
        },
      },
    }).execute(
      'async () => {\n  const out = []; for (const { id } of await codemode.list()) { try {\n    out.push((await codemode.deleteThing({ id })).deleted) } catch (e) { out.push(e.message) } }\n  return out }',
      providers,
    )
    assert.deepEqual(output.result, [1, 'sdk.codemode.deleteThing was not approved: keep it', 3])
    assert.deepEqual(ran, [{ id: 1 }, { id: 3 }])
    assert.deepEqual(
      asked,
      [1, 2, 3].map((id) => ({ fn: 'codemode.deleteThing', input: [{ id }], line: setup.engine === 'webkit' ? 2 : 3 })),
    )
  })

  it('collect: one card with every row; what is approved runs once, what is rejected does not', async () => {
    const { ran, providers } = things()
    const cards: unknown[] = []
    const output = await executor({
      marks: ['deleteThing'],
      approval: {
        mode: 'collect',
        onApproval: (pending, { result }) => {
          assert.equal(result.status, 'pending')
          cards.push(pending.map(({ input }) => input))
          const [first, ...rest] = pending.map(({ callId }) => callId)
          return { approve: [first as string], reject: rest }
        },
      },
    }).execute(
      'async () => { const out = []; for (const { id } of await codemode.list()) { try { await codemode.deleteThing({ id }); out.push(id) } catch (e) { out.push(e.name) } } return out }',
      providers,
    )
    assert.deepEqual(cards, [[[{ id: 1 }], [{ id: 2 }], [{ id: 3 }]]])
    assert.deepEqual(output.result, [1, 'ApprovalRejected', 'ApprovalRejected'])
    assert.deepEqual(ran, [{ id: 1 }])
  })

  it('collect: a program that looks at what a call gave goes on in further rounds', async () => {
    const { ran, providers } = things()
    let rounds = 0
    const output = await executor({
      marks: ['deleteThing'],
      approval: { mode: 'collect', onApproval: async () => (rounds++, { all: 'approve' }) },
    }).execute(
      'async () => { const a = await codemode.deleteThing({ id: 1 }); return codemode.deleteThing({ id: a.deleted + 1 }) }',
      providers,
    )
    assert.deepEqual(output.result, { deleted: 2 })
    assert.equal(rounds, 2)
    assert.deepEqual(ran, [{ id: 1 }, { id: 2 }])
  })

  it('collect without a card: the model reads what waits, and nothing has run', async () => {
    const { ran, fns } = things()
    const code = createBrowserCodeTool({
      tools: { list: tool(fns.list), deleteThing: tool(fns.deleteThing) },
      executor: executor({ marks: ['deleteThing'], approval: { mode: 'collect' } }),
    })
    const output = await code.execute({ code: deletesAll })
    const waits = 'for a person to approve; it has not run'
    assert.deepEqual(
      (output.result as { pending: unknown }).pending,
      [1, 2, 3].map((id) => ({ fn: 'codemode.deleteThing', input: [{ id }], waits })),
    )
    assert.equal((output.result as { status: string }).status, 'pending')
    assert.deepEqual(JSON.parse(JSON.stringify(output)), output)
    assert.deepEqual(ran, [])
  })

  it('collect: a card that answers nothing leaves the calls waiting, and can be answered later', async () => {
    const { ran, providers } = things()
    let later: ((decisions: { all: 'approve' }) => Promise<{ status: string }>) | undefined
    const output = await executor({
      marks: ['deleteThing'],
      approval: {
        mode: 'collect',
        onApproval: (_, { result }) => {
          later = result.resume
          return undefined
        },
      },
    }).execute(deletesAll, providers)
    assert.equal((output.result as { status: string }).status, 'pending')
    assert.deepEqual(ran, [])
    assert.equal((await later?.({ all: 'approve' }))?.status, 'ok')
    assert.lengthOf(ran, 3)
  })

  it('collect: a card that throws rejects; decisions that leave a call out run nothing', async () => {
    const { ran, providers } = things()
    const thrown = await executor({
      marks: ['deleteThing'],
      approval: {
        mode: 'collect',
        onApproval: () => {
          throw new Error('no window')
        },
      },
    }).execute(tells, providers)
    assert.match(String(thrown.result), /^ApprovalRejected: .*no window/)
    const partly = await executor({
      marks: ['deleteThing'],
      approval: { mode: 'collect', onApproval: () => ({ approve: [] }) },
    }).execute(tells, providers)
    assert.match(partly.error ?? '', /left undecided/)
    assert.deepEqual(ran, [])
  })

  it('clock and random values repeat on resume, so that what was shown is what runs', async () => {
    const { ran, providers } = things()
    const shown: unknown[] = []
    const output = await executor({
      marks: ['deleteThing'],
      approval: {
        mode: 'collect',
        onApproval: (pending) => {
          shown.push(...pending.map(({ input }) => (input as unknown[])[0]))
          return { all: 'approve' }
        },
      },
    }).execute(
      'async () => { await codemode.deleteThing({ id: Math.random() }); await codemode.deleteThing({ id: Date.now() }) }',
      providers,
    )
    assert.isUndefined(output.error)
    assert.lengthOf(ran, 2)
    assert.deepEqual(ran, shown)
  })
})
