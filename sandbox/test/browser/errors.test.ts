// D16, D20, D23 and SPEC §2: what an error says, and the line it names.
import { assert } from 'chai'
import { approveAll, errorOf, explain, held, resume, run, shared } from '../fixture/sandbox.js'
import { setup } from '../fixture/setup.js'

const webkit = setup.engine === 'webkit'

describe('lines of errors (D16)', () => {
  const cases: [claim: string, code: string, line: number][] = [
    ['a TypeError on line 3', '\n\nnull.x', 3],
    ['a TypeError on line 1', 'null.x', 1],
    ['a ReferenceError on line 2', '// first\nnoSuchName', 2],
    ['a thrown Error on line 4', '\n\n\nthrow new Error("boom")', 4],
    ['a nested arrow', 'const f = () => {\n  const g = () => {\n    null.x\n  }\n  g()\n}\nf()', 3],
    ['a callback of an array method', '[1].map((x) => {\n  return x.y.z\n})', 2],
    ['after an await', 'await null\nawait sdk.echo(1)\nnull.x', 3],
    ['a callback after an await', 'const list = await sdk.notes.list()\nlist.map((n) =>\n  n.a.b)', 3],
    ['an async function called later', 'async function f() {\n  await null\n  null.x\n}\nawait f()', 3],
    ['CRLF line ends', '\r\n\r\nnull.x', 3],
    ['after a template literal of three lines', 'const t = `a\nb\nc`\nnull.x', 4],
    ['inside a template literal of three lines', 'const t = `a\nb\n${null.x}`', 3],
    ['a fence counts as a line', '```js\n\nnull.x\n```', 3],
    ['a class method', 'class A {\n  m() {\n    undefined.y\n  }\n}\nnew A().m()', 3],
    ['a leading "use strict"', "'use strict'\n\nundeclared = 1", 3],
    ['a lone arrow function', 'async () => {\n  const a = 1\n  null.x\n}', 3],
    ['export default', 'export default async function () {\n\n  null.x\n}', 3],
    ['a comment of several lines before', '/*\n\n*/ null.x', 3],
    [
      'an error thrown in a timer’s promise',
      'await new Promise((resolve, reject) => setTimeout(() => {\n  try {\n    null.x\n  } catch (e) { reject(e) }\n}, 1))',
      3,
    ],
    ['a getter', 'const o = {\n  get a() {\n    return null.x\n  }\n}\no.a', 3],
  ]
  for (const [claim, code, line] of cases) {
    it(`${claim}: the error names line ${line} as a number and in its message`, async () => {
      const error = await errorOf(code)
      assert.equal(error.line, line, `${error.name}: ${error.message}\n${error.stack}`)
      assert.include(error.message, `(line ${line})`)
    })
  }

  it('the message begins with the name of the error and the engine’s own words (SPEC §2)', async () => {
    const error = await errorOf('\n\nconst x = 1; x()')
    assert.equal(error.name, 'TypeError')
    assert.match(error.message, /^TypeError: .*x.* \(line 3\)/)
  })

  it('a SyntaxError names line 3 or no line, never another (D16)', async () => {
    const error = await errorOf('\n\nreturn (]')
    assert.equal(error.name, 'SyntaxError')
    assert.oneOf(error.line, [3, undefined])
    if (setup.engine === 'chromium') assert.isUndefined(error.line, 'Chromium does not tell')
    else assert.equal(error.line, 3)
  })

  it('a SyntaxError in a lone function or a fence keeps its line or has none', async () => {
    for (const code of ['async () => {\n\n  return (]\n}', '```js\n\nreturn (]\n```']) {
      const error = await errorOf(code)
      assert.oneOf(error.line, [3, undefined], code)
    }
  })

  it('an error inside the program’s own eval or Function has no wrong line (SPEC §2)', async () => {
    for (const code of [
      '\n\n\neval("\\n\\n\\n\\n\\nnull.x")',
      '\n\n\nnew Function("\\n\\n\\n\\n\\nnull.x")()',
      '\n\n\n(0, eval)("null.x")',
    ]) {
      const error = await errorOf(code)
      // `new Function` cannot be told from the body in WebKitGTK: only none or
      // the line of the call site is right.
      assert.oneOf(error.line, [4, undefined], code)
    }
  })

  it('a rejected host call names the line of its call site where the engine tells it', async () => {
    const error = await errorOf('\n\nawait sdk.fail({})')
    if (webkit) assert.oneOf(error.line, [3, undefined])
    else assert.equal(error.line, 3)
    assert.include(error.message, 'the host says no')
  })

  it('a pending row names the line of its call where the engine tells it (SPEC §2)', async () => {
    const { rows } = await held('const a = 1\n\nawait sdk.notes.remove({ id: a })')
    if (webkit) assert.oneOf(rows[0]?.line, [3, undefined])
    else assert.equal(rows[0]?.line, 3)
  })

  it('the line is right on resume too (SPEC §2)', async () => {
    const { result } = await held('const r = await sdk.notes.remove({ id: 1 })\nif (r.ok) {\n  null.x\n}')
    const end = await approveAll(result)
    assert.equal(end.status, 'error', explain(end))
    assert.equal(end.error?.line, 3, end.error?.stack)
  })

  it('the line counts in the output of `transform` (SPEC §2)', async () => {
    const { makeSandbox } = await import('../fixture/sandbox.js')
    const sandbox = makeSandbox({ transform: (code: string) => `\n\n${code}` })
    const error = await errorOf('null.x', { sandbox })
    assert.equal(error.line, 3)
    sandbox.dispose()
  })

  it('the stack holds the program’s frames only, as `at line L:C` (SPEC §2)', async () => {
    const error = await errorOf('function inner() {\n  null.x\n}\nfunction outer() {\n  inner()\n}\nouter()')
    if (error.stack !== undefined && error.stack !== '') {
      for (const frame of error.stack.split('\n'))
        assert.match(frame, /^\s*at (.* )?\(?line \d+:\d+\)?$|^\s*at line \d+:\d+.*$/)
      assert.notMatch(error.stack, /blob:|http|eval at|\.js/)
    } else assert.isTrue(webkit, 'only WebKitGTK gives no positions')
  })
})

describe('what was thrown (D20)', () => {
  for (const [thrown, pattern] of [
    ['null', /null/],
    ['undefined', /undefined/],
    ["'boom'", /boom/],
    ["''", /./],
    ['5n', /5/],
    ['0', /0/],
    ['NaN', /NaN/],
    ["Symbol('q')", /q|symbol/i],
    ['{ code: 7 }', /7|code/],
    ['Object.create(null)', /./],
    ['new Proxy({}, { get() { throw 1 } })', /./],
    ['new Proxy(() => {}, { get() { throw 1 }, apply() { throw 2 }, ownKeys() { throw 3 } })', /./],
    ['{ toString() { throw 1 }, get message() { throw 2 }, get name() { throw 3 } }', /./],
    ['Object.defineProperty(new Error("m"), "message", { get() { throw 1 } })', /./],
    ['Object.assign(new Error("m"), { name: 5, stack: {} })', /m/],
    ['Object.assign(new Error("m"), { message: { toString() { return "x" } } })', /./],
    ['new (class Mine extends Error { name = "Mine" })("own")', /own/],
    ['new AggregateError([new Error("a")], "several")', /several/],
    ['new DOMException("dom", "AbortError")', /dom/],
    ['(() => {})', /./],
    ['[1, 2]', /1/],
  ] as [string, RegExp][]) {
    it(`\`throw ${thrown}\` ends as an error with a usable text`, async () => {
      const { result } = await run(`console.log('before'); throw ${thrown}`)
      assert.equal(result.status, 'error', explain(result))
      assert.isString(result.error?.name)
      assert.isString(result.error?.message)
      assert.match(result.error?.message ?? '', pattern)
      assert.equal(result.logs[0]?.text, 'before')
    })
  }

  it('an error with an enormous message is cut (E28)', async () => {
    const { result } = await run(`throw new Error('x'.repeat(5e7))`)
    assert.oneOf(result.status, ['error', 'limit'], explain(result))
    assert.isBelow(result.error?.message.length ?? 0, 100_000)
  })

  it('the text of a thrown object does not depend on patched builtins', async () => {
    const { result } = await run(
      `String.prototype.slice = () => 'patched'; Error.prototype.toString = () => 'patched'; throw new Error('true text')`,
    )
    assert.include(result.error?.message ?? '', 'true text')
  })
})

describe('names that models expect (D23)', () => {
  for (const [code, name] of [
    [`return await fetch('https://api.x.test')`, 'fetch'],
    [`return require('fs')`, 'require'],
    [`return process.env.X`, 'process'],
    [`return document.title`, 'document'],
    [`return window.x`, 'window'],
    [`localStorage.setItem('a', 'b')`, 'localStorage'],
    [`return Buffer.from('a')`, 'Buffer'],
    [`return noteslist()`, 'noteslist'],
  ] as [string, string][]) {
    it(`\`${name}\`: the error says that it does not exist and which names do`, async () => {
      const error = await errorOf(code)
      assert.include(error.message, name)
      assert.include(error.message, 'sdk.notes.list')
      assert.isAtMost(error.message.length, 2_600)
    })
  }

  for (const [code, name] of [
    ['return await sdk.notes.delete({ id: 1 })', 'delete'],
    // V8 does not name `orders` itself: the list is what helps.
    ['return await sdk.orders.list()', 'list'],
    ['return await sdk.notes()', 'notes'],
    ['return await sdk.echo.twice(1)', 'twice'],
  ] as [string, string][]) {
    it(`\`${code.slice(13)}\`: the error lists the functions that exist`, async () => {
      const error = await errorOf(code)
      assert.include(error.message, name)
      assert.include(error.message, 'notes.remove')
    })
  }

  it('the list of names is at most 2 000 characters (SPEC §3)', async () => {
    const functions = Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`family${i}.member${i}`, () => i]))
    const result = await shared.run({ code: 'return await sdk.nothing.here()', functions })
    assert.equal(result.status, 'error', explain(result))
    assert.include(result.error?.message, 'family0.member0')
    assert.isBelow(result.error?.message.length ?? 0, 2_400)
  })

  it('a TypeError that is not about a missing name gets no list', async () => {
    const error = await errorOf('Object.defineProperty(Object.freeze({}), "x", { value: 1 })')
    assert.notInclude(error.message, 'notes.remove')
  })

  it('an error that the program catches and rethrows keeps its own text', async () => {
    const error = await errorOf('try { null.x } catch (e) { throw new Error("mine: " + e.name) }')
    assert.include(error.message, 'mine: TypeError')
  })
})

describe('errors of calls', () => {
  it('what a host function throws arrives with name and message', async () => {
    const { result } = await run(`
      const out = []
      for (const how of ['error', 'type', 'string', 'null']) try { await sdk.fail({ how }) } catch (e) { out.push(e instanceof Error ? e.name + ': ' + e.message : String(e)) }
      return out`)
    const [plain, type, text] = result.value as string[]
    assert.include(plain, 'the host says no')
    assert.include(type, 'the host says no')
    assert.include(text, 'plain text')
    assert.lengthOf(result.value as string[], 4)
  })

  it('the stack of a host error never reaches the program (SPEC §7)', async () => {
    const { result } = await run(`try { await sdk.fail({}) } catch (e) { return String(e.stack) }`)
    assert.notMatch(String(result.value), /host\.ts|bundle|\/dist\//)
  })

  it('a failed call that the program does not catch ends the run as error, with the call listed', async () => {
    const { result } = await run('await sdk.fail({ how: "type" })')
    assert.equal(result.status, 'error', explain(result))
    assert.equal(result.calls[0]?.state, 'error')
    assert.include(result.calls[0]?.error?.message ?? '', 'the host says no')
  })

  it('a rejected call throws ApprovalRejected with the reason (SPEC §2)', async () => {
    const { result, rows } = await held(
      `try { await sdk.notes.remove({ id: 1 }) } catch (e) { return [e.name, e.message, e instanceof Error] }`,
    )
    const id = rows[0]?.callId as string
    const end = await resume(result, { approve: [], reject: [id], reasons: { [id]: 'not this one' } })
    assert.equal(end.status, 'ok', explain(end))
    const [name, message, isError] = end.value as [string, string, boolean]
    assert.equal(name, 'ApprovalRejected')
    assert.include(message, 'not this one')
    assert.isTrue(isError)
  })
})

after(() => shared.dispose())
