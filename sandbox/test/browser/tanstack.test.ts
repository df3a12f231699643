// The isolate driver under the real @tanstack/ai-code-mode 0.3.4.
import type { createSandbox } from '@faustine-ai/browser-sandbox'
import { asIsolateDriver, type DriverOptions } from '@faustine-ai/browser-sandbox/tanstack'
import { toolDefinition } from '@tanstack/ai'
import { type CodeModeTool, createCodeMode, type IsolateConfig, type IsolateDriver } from '@tanstack/ai-code-mode'
import { assert } from 'chai'
import { z } from 'zod'
import { makeSandbox, shared } from '../fixture/sandbox.js'
import { setup } from '../fixture/setup.js'

type Real = ReturnType<typeof createSandbox>
const driver = (options?: DriverOptions, sandbox = shared): IsolateDriver =>
  asIsolateDriver(sandbox as unknown as Real, options)

interface Output {
  success: boolean
  result?: unknown
  logs?: string[]
  error?: { message: string; name?: string }
}

const list = toolDefinition({ name: 'list', description: 'lists things', inputSchema: z.object({}) }).server(
  async () => [{ id: 1 }, { id: 2 }, { id: 3 }],
)

/** A tool that deletes, as it declares itself, and what was deleted. */
const deletes = (needsApproval?: boolean) => {
  const ran: unknown[] = []
  const definition = {
    name: 'deleteThing',
    description: 'deletes a thing',
    inputSchema: z.object({ id: z.number() }),
    ...(needsApproval === undefined ? {} : { needsApproval }),
  } as const
  const tool = toolDefinition(definition).server(async (input) => {
    ran.push(input)
    return { deleted: input.id }
  })
  return { ran, tool, tools: [list, tool] as CodeModeTool[] }
}

interface Emitted {
  name: string
  value: Record<string, unknown>
}
const play = async (
  typescriptCode: string,
  tools: CodeModeTool[],
  options?: DriverOptions,
  more: { timeout?: number; sandbox?: typeof shared } = {},
) => {
  const emitted: Emitted[] = []
  const { sandbox, ...config } = more
  const { tool } = createCodeMode({ driver: driver(options, sandbox), tools, ...config })
  const context = { emitCustomEvent: (name: string, value: Record<string, unknown>) => emitted.push({ name, value }) }
  const output = (await tool.execute?.({ typescriptCode } as never, context as never)) as Output
  return { output, emitted }
}

const bindings = (fns: Record<string, (input: unknown) => unknown>, more: object = {}): IsolateConfig['bindings'] =>
  Object.fromEntries(
    Object.entries(fns).map(([name, fn]) => [
      name,
      {
        name,
        description: name,
        inputSchema: { type: 'object' },
        execute: async (input: unknown) => fn(input),
        ...more,
      },
    ]),
  )
const contextOf = (
  fns: Record<string, (input: unknown) => unknown> = {},
  options?: DriverOptions,
  config: Partial<IsolateConfig> = {},
) => driver(options).createContext({ bindings: bindings(fns), ...config })

const deletesAll =
  'const out: unknown[] = []; for (const { id } of await external_list({})) { try { await external_deleteThing({ id }); out.push(id) } catch (e: any) { out.push(e.name) } } return out'
const deletesOne = 'return await external_deleteThing({ id: 7 })'

describe('tanstack: createCodeMode', () => {
  it('runs TypeScript that calls tools, with logs by level and events around calls', async () => {
    const weather = toolDefinition({
      name: 'weather',
      description: 'tells the weather',
      inputSchema: z.object({ city: z.string() }),
    }).server(async ({ city }) => ({ city, degrees: 21 }))
    const { output, emitted } = await play(
      `interface Weather { degrees: number }
      const all: Weather[] = await Promise.all(['Lyon', 'Nice'].map((city: string) => external_weather({ city })))
      console.log('plain', all.length); console.info('i'); console.warn('w'); console.error('e')
      return all.map((each) => each.degrees)`,
      [weather],
    )
    assert.deepEqual(output, { success: true, result: [21, 21], logs: ['plain 2', 'INFO: i', 'WARN: w', 'ERROR: e'] })
    const told = emitted
      .filter(({ name }) => name === 'code_mode:console')
      .map(({ value }) => [value.level, value.message])
    assert.deepEqual(told, [
      ['log', 'plain 2'],
      ['info', 'i'],
      ['warn', 'w'],
      ['error', 'e'],
    ])
    assert.lengthOf(
      emitted.filter(({ name }) => name === 'code_mode:external_call'),
      2,
    )
    assert.lengthOf(
      emitted.filter(({ name }) => name === 'code_mode:external_result'),
      2,
    )
  })

  it('a failing program: name, message and line', async () => {
    const { output } = await play('const a = 1\nconst b = null as any\nreturn b.c.d', [list])
    assert.isFalse(output.success)
    assert.equal(output.error?.name, 'TypeError')
    assert.match(output.error?.message ?? '', /^(?!TypeError).*\(line 3\)/)
  })

  it("an input that the tool's schema refuses fails at the call, and the tool does not run", async () => {
    const { ran, tools } = deletes()
    const { output } = await play(
      'try { await external_deleteThing({ id: "x" }) } catch (e: any) { return e.message }',
      tools,
    )
    assert.match(String(output.result), /Input validation failed for tool deleteThing/)
    assert.deepEqual(ran, [])
  })

  it('a program that never ends is a TimeoutError, after its timeout', async () => {
    const started = performance.now()
    const { output } = await play('console.log("here"); while (true) {}', [list], {}, { timeout: 300 })
    assert.equal(output.error?.name, 'TimeoutError')
    assert.match(output.error?.message ?? '', /300 ms/)
    assert.deepEqual(output.logs, ['here'])
    assert.isBelow(performance.now() - started, 5_000)
  })

  it('the tool works again after a timeout', async () => {
    const { output } = await play('return 1', [list])
    assert.deepEqual(output, { success: true, result: 1, logs: [] })
  })
})

describe('tanstack: a context', () => {
  it('exposes one flat global per binding, which takes one argument', async () => {
    const context = await contextOf({ external_add: (input) => (input as { n: number }).n + 1, skill_two: () => 2 })
    assert.deepEqual(
      await context.execute('return [await external_add({ n: 1 }), await skill_two(), typeof external_add]'),
      { success: true, value: [2, 2, 'function'], logs: [] },
    )
    const two = await context.execute('return external_add({ n: 1 }, 2)')
    assert.match(two.error?.message ?? '', /external_add takes one input value/)
  })

  it('takes a function body: top-level await and return, names of its own, a trailing comment', async () => {
    const context = await contextOf({ external_x: () => 1 })
    assert.equal((await context.execute('const external_x = 5\nreturn external_x // five')).value, 5)
    assert.isUndefined((await context.execute('1 + 1')).value)
    assert.isTrue((await context.execute('await null')).success)
  })

  it('tool names that are no identifiers are globals by their own names', async () => {
    const context = await contextOf({
      'external_get-weather': () => 'sun',
      external_get_weather: () => 'rain',
      '1st': () => 1,
    })
    assert.deepEqual(
      (
        await context.execute(
          'return [await globalThis["external_get-weather"](), await external_get_weather(), await globalThis["1st"]()]',
        )
      ).value,
      ['sun', 'rain', 1],
    )
  })

  it('a name that cannot be a global is refused when the context is made', async () => {
    for (const name of ['then', '__proto__', 'constructor', '']) {
      const given = Object.defineProperty({}, name, { value: bindings({ x: () => 1 }).x, enumerable: true })
      const made = await driver()
        .createContext({ bindings: given as never })
        .then(
          () => 'made',
          (error) => error.name,
        )
      assert.equal(made, 'TypeError', name)
    }
  })

  it('File, Blob, Map, Set, Date, bytes and BigInt cross both ways as they are', async () => {
    let got: unknown
    const context = await contextOf({
      echo: (input) => (got = input),
      file: () => new File(['abc'], 'a.txt', { type: 'text/plain' }),
    })
    const { value } = await context.execute(
      'return echo({ file: await file({}), blob: new Blob(["xy"]), map: new Map([["d", new Date(5)]]), set: new Set([1]), bytes: new Uint8Array([1, 2]), big: 7n })',
    )
    for (const each of [got, value] as Record<string, unknown>[]) {
      assert.instanceOf(each.file, File)
      assert.equal(await (each.file as File).text(), 'abc')
      assert.equal((each.file as File).name, 'a.txt')
      assert.equal(await (each.blob as Blob).text(), 'xy')
      assert.equal((each.map as Map<string, Date>).get('d')?.getTime(), 5)
      assert.isTrue((each.set as Set<number>).has(1))
      assert.deepEqual([...(each.bytes as Uint8Array)], [1, 2])
      assert.equal(each.big, 7n)
    }
  })

  it('executes one program at a time, in the order given', async () => {
    const order: string[] = []
    const context = await contextOf({ mark: (input) => order.push(String(input)) })
    const program = (name: string) =>
      `await mark("${name} begins"); await new Promise((done) => setTimeout(done, 30)); await mark("${name} ends")`
    await Promise.all(['a', 'b', 'c'].map((name) => context.execute(program(name))))
    assert.deepEqual(order, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  })

  it('two contexts do not wait for each other, and share nothing', async () => {
    const [one, two] = await Promise.all([contextOf({ hang: () => new Promise(() => {}) }), contextOf()])
    const hanging = one.execute('globalThis.left = 1; await hang()')
    assert.equal((await two.execute('return typeof left')).value, 'undefined')
    await one.dispose()
    assert.equal((await hanging).error?.name, 'DisposedError')
  })

  it('dispose may be called twice; what runs, waits or comes later is a DisposedError', async () => {
    let started = () => {}
    const running = new Promise<void>((resolve) => {
      started = resolve
    })
    const context = await contextOf({ hang: () => (started(), new Promise(() => {})) })
    const first = context.execute('console.log("so far"); await hang()')
    const second = context.execute('return 2')
    await running
    await context.dispose()
    await context.dispose()
    const third = context.execute('return 3')
    for (const each of await Promise.all([first, second, third])) {
      assert.isFalse(each.success)
      assert.equal(each.error?.name, 'DisposedError')
    }
    assert.deepEqual((await first).logs, ['so far'])
  })

  it('disposed while a card is open: the card is told, and nothing runs whatever it answers', async () => {
    const ran: unknown[] = []
    let answer: (decisions: { all: 'approve' }) => void = () => {}
    let opened = (_: AbortSignal) => {}
    const open = new Promise<AbortSignal>((resolve) => {
      opened = resolve
    })
    const context = await contextOf(
      { deleteThing: (input) => ran.push(input) },
      {
        marks: ['deleteThing'],
        approval: {
          mode: 'collect',
          onApproval: (_, { signal }) => {
            opened(signal)
            return new Promise((resolve) => {
              answer = resolve
            })
          },
        },
      },
    )
    const run = context.execute('await deleteThing({ id: 1 })')
    const signal = await open
    await context.dispose()
    assert.isTrue(signal.aborted)
    answer({ all: 'approve' })
    assert.equal((await run).error?.name, 'DisposedError')
    assert.deepEqual(ran, [])
  })

  for (const [what, code, name, message] of [
    ['an error', 'throw new RangeError("far")', 'RangeError', /^far/],
    ['an error with an empty message', 'throw new Error("")', 'Error', /./],
    ['null', 'throw null', 'Error', /null/],
    ['a string', 'throw "plain"', 'Error', /plain/],
    ['text that does not parse', 'return (]', 'SyntaxError', /./],
    ['an unknown name', 'return fetch("/")', 'ReferenceError', /no network/],
    [
      'recursion without end',
      'const f = () => f() + 1; return f()',
      setup.engine === 'firefox' ? 'InternalError' : 'RangeError',
      /./,
    ],
    ['a result that cannot cross', 'return () => 1', 'DataCloneError', /function/],
    ['too many calls', 'for (;;) await x()', 'LimitExceeded', /limit calls: 256/],
  ] as [string, string, string, RegExp][]) {
    it(`the error of ${what} has the name ${name}`, async () => {
      const context = await contextOf({ x: () => 1 })
      const { success, error } = await context.execute(code)
      assert.isFalse(success)
      assert.equal(error?.name, name)
      assert.match(error?.message ?? '', message)
      assert.isFalse(error?.message.startsWith(`${name}: `))
    })
  }

  it("a limit tells which it is; the stack has the program's lines and columns", async () => {
    const context = await contextOf({ x: () => 1 })
    assert.equal((await context.execute('for (;;) await x()')).error?.code, 'calls')
    const { error } = await context.execute('    null.x')
    if (setup.engine === 'chromium') assert.match(error?.stack ?? '', /^at line 1:10/)
    else assert.match(error?.stack ?? '', /^at line 1(:\d{1,2})?\b/)
  })

  it('a sandbox that was disposed is a result too, and so is a wrong timeout', async () => {
    const sandbox = makeSandbox()
    const context = await driver({}, sandbox).createContext({ bindings: {} })
    sandbox.dispose()
    assert.match((await context.execute('return 1')).error?.message ?? '', /disposed/)
    const odd = await driver().createContext({ bindings: {}, timeout: -1 })
    assert.equal((await odd.execute('return 1')).error?.name, 'TypeError')
  })

  it('memoryLimit is taken and has no effect', async () => {
    const context = await contextOf({}, {}, { memoryLimit: 1 })
    assert.equal((await context.execute('return new Uint8Array(4e6).length')).value, 4e6)
  })
})

describe('tanstack: approval', () => {
  for (const [how, marks] of [
    ["by the tool's name", ['deleteThing']],
    ["by the global's name", ['external_deleteThing']],
    ['by a predicate', (fn: string) => fn.endsWith('deleteThing')],
  ] as [string, DriverOptions['marks']][]) {
    it(`a tool marked ${how} is denied without an approval option`, async () => {
      const { ran, tools } = deletes()
      const { output } = await play(deletesAll, tools, { marks })
      assert.deepEqual(output.result, ['ApprovalRejected', 'ApprovalRejected', 'ApprovalRejected'])
      assert.deepEqual(ran, [])
    })
  }

  it('the tools themselves as marks: the one that declares needsApproval never runs unasked', async () => {
    for (const needsApproval of [true, false, undefined]) {
      const { ran, tools } = deletes(needsApproval)
      const { output } = await play(deletesOne, tools, { marks: tools })
      if (needsApproval) assert.equal(output.error?.name, 'ApprovalRejected')
      assert.lengthOf(ran, needsApproval ? 0 : 1)
    }
  })

  it('a binding that declares needsApproval is refused without marks, and asked for with them', async () => {
    const ran: unknown[] = []
    const given = bindings({ external_risky: (input) => ran.push(input) }, { needsApproval: true })
    const approval: DriverOptions['approval'] = { mode: 'pause', onApproval: () => 'approve' }
    const refused = await (await driver({ approval }).createContext({ bindings: given })).execute(
      'await external_risky({})',
    )
    assert.match(refused.error?.message ?? '', /external_risky needs a person's approval, and was not run/)
    assert.deepEqual(ran, [])
    assert.isTrue(
      (
        await (
          await driver({ approval, marks: [] }).createContext({ bindings: given })
        ).execute('await external_risky({})')
      ).success,
    )
    assert.lengthOf(ran, 1)
    assert.equal(
      (await (await driver({ marks: [] }).createContext({ bindings: given })).execute('await external_risky({})')).error
        ?.name,
      'ApprovalRejected',
    )
  })

  it('a skill that declares needsApproval is refused without marks under createCodeMode', async () => {
    let ran = false
    const skill = {
      name: 'skill_risky',
      description: 'r',
      inputSchema: {},
      execute: async () => (ran = true),
      needsApproval: true,
    }
    const { tool } = createCodeMode({
      driver: driver(),
      tools: [list],
      getSkillBindings: async () => ({ skill_risky: skill }),
    })
    const output = (await tool.execute?.({ typescriptCode: 'await skill_risky({})' } as never)) as Output
    assert.match(output.error?.message ?? '', /needs a person's approval/)
    assert.isFalse(ran)
  })

  it('a mark that names no function is an error, since its calls would run unasked', async () => {
    const { ran, tools } = deletes()
    const { output } = await play(deletesOne, tools, { marks: ['deleteThng'] })
    assert.match(output.error?.message ?? '', /“deleteThng”.*external_list, external_deleteThing/)
    assert.deepEqual(ran, [])
  })

  it('pause: the card is asked once per call; the wait is not part of the timeout', async () => {
    const { ran, tools } = deletes(true)
    const asked: unknown[] = []
    const { output } = await play(
      deletesAll,
      tools,
      {
        marks: tools,
        approval: {
          mode: 'pause',
          onApproval: async ({ fn, input }) => {
            asked.push([fn, input])
            await new Promise((done) => setTimeout(done, 300))
            return (input as { id: number }).id === 2 ? 'reject' : 'approve'
          },
        },
      },
      { timeout: 600 },
    )
    assert.deepEqual(output.result, [1, 'ApprovalRejected', 3])
    assert.deepEqual(ran, [{ id: 1 }, { id: 3 }])
    assert.deepEqual(
      asked,
      [1, 2, 3].map((id) => ['external_deleteThing', { id }]),
    )
  })

  it('collect: one card with every row; what is approved runs once', async () => {
    const { ran, tools } = deletes(true)
    const cards: unknown[] = []
    const { output, emitted } = await play(deletesAll, tools, {
      marks: tools,
      approval: {
        mode: 'collect',
        onApproval: (pending) => {
          cards.push(pending.map(({ fn, input }) => [fn, input]))
          const [first, ...rest] = pending.map(({ callId }) => callId)
          return { approve: rest, reject: [first as string] }
        },
      },
    })
    assert.deepEqual(cards, [[1, 2, 3].map((id) => ['external_deleteThing', { id }])])
    assert.deepEqual(output.result, ['ApprovalRejected', 2, 3])
    assert.deepEqual(ran, [{ id: 2 }, { id: 3 }])
    assert.lengthOf(
      emitted.filter(({ name, value }) => name === 'code_mode:external_call' && value.function === 'external_list'),
      1,
    )
  })

  it('collect without a card: the model reads what waits, and nothing has run', async () => {
    const { ran, tools } = deletes(true)
    const { output } = await play(deletesAll, tools, { marks: tools, approval: { mode: 'collect' } })
    assert.isTrue(output.success)
    const { status, pending } = output.result as { status: string; pending: unknown }
    assert.equal(status, 'pending')
    const waits = 'for a person to approve; it has not run'
    assert.deepEqual(
      pending,
      [1, 2, 3].map((id) => ({ fn: 'external_deleteThing', input: { id }, waits })),
    )
    assert.deepEqual(JSON.parse(JSON.stringify(output)), output)
    assert.deepEqual(ran, [])
  })
})

describe('tanstack: what a driver cannot see', () => {
  it('createCodeMode 0.3.4 tells a driver nothing of needsApproval: hence the tools as marks', async () => {
    let keys: string[] = []
    const spy: IsolateDriver = {
      createContext: async (config) => {
        keys = Object.keys(config.bindings.external_deleteThing ?? {})
        return driver().createContext(config)
      },
    }
    const { tool } = createCodeMode({ driver: spy, tools: deletes(true).tools })
    await tool.execute?.({ typescriptCode: 'return 1' } as never)
    assert.include(keys, 'execute')
    assert.notInclude(keys, 'needsApproval', 'the driver can see it now: it need not be told any more')
  })
})
