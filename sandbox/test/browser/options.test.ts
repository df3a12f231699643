// SPEC §2: mistakes of the caller are TypeErrors, troubles of the browser are
// results; G06: an engine that cannot start a worker.
import { createSandbox, defineFunctions } from '@faustine-ai/browser-sandbox'
import { assert } from 'chai'
import { makeHost } from '../fixture/host.js'
import { explain, makeSandbox, type Options, rejection, returned, run, shared } from '../fixture/sandbox.js'

const define = defineFunctions as unknown as (map: unknown) => Record<string, unknown>

describe('defineFunctions', () => {
  for (const [name, entry] of [
    ['', () => 1],
    ['.', () => 1],
    ['a.', () => 1],
    ['.a', () => 1],
    ['a..b', () => 1],
    ['__proto__x.__proto__', () => 1],
    ['constructor', () => 1],
    ['a.constructor', () => 1],
    ['prototype', () => 1],
    ['a.prototype.b', () => 1],
    ['then', () => 1],
    ['notes.then', () => 1],
    ['toJSON', () => 1],
    ['notes.toJSON', () => 1],
    ['has space', () => 1],
    ['1st', () => 1],
    ['a-b', () => 1],
    ['a/b', () => 1],
    ['ok.text', 'not a function'],
    ['ok.number', 5],
    ['ok.null', null],
    ['ok.undefined', undefined],
    ['ok.empty', {}],
    ['ok.approvalOnly', { approval: true }],
    ['ok.callText', { call: 'no' }],
    ['ok.approvalText', { call: () => 1, approval: 'yes' }],
    ['ok.approvalNull', { call: () => 1, approval: null }],
  ] as [string, unknown][]) {
    it(`refuses ${JSON.stringify(name)}: ${typeof entry} ${JSON.stringify(entry) ?? ''}, naming the entry (SPEC §2)`, () => {
      assert.throws(
        () => define({ fine: () => 1, [name]: entry }),
        new RegExp((name || '.').replace(/[.*+?^${}()|[\]\\]/g, '\\$&')),
      )
    })
  }

  it('refuses an own __proto__ key', () => {
    assert.throws(() => define(JSON.parse('{ "__proto__": 1 }')), /__proto__/)
    assert.throws(
      () => define(Object.defineProperty({}, 'a.__proto__', { value: () => 1, enumerable: true })),
      /__proto__/,
    )
  })

  it('refuses a name that is a prefix of another (SPEC §2)', () => {
    assert.throws(() => define({ notes: () => 1, 'notes.list': () => 1 }), /notes/)
    assert.throws(() => define({ 'a.b.c': () => 1, 'a.b': () => 1 }), /a\.b/)
    assert.doesNotThrow(() => define({ note: () => 1, 'notes.list': () => 1 }))
  })

  it('takes reserved words and unicode identifiers (SPEC §2)', async () => {
    const functions = define({
      'notes.delete': () => 'deleted',
      'a.new': () => 'new',
      'b.class.if': () => 'if',
      été: () => 'summer',
      $: () => '$',
      _x1: () => '_',
    })
    const result = await shared.run({
      code: 'return [await sdk.notes.delete(), await sdk.a.new(), await sdk.b.class.if(), await sdk.été(), await sdk.$(), await sdk._x1()]',
      functions,
    })
    assert.deepEqual(result.value, ['deleted', 'new', 'if', 'summer', '$', '_'], explain(result))
  })

  it('copies and freezes the map: changing the object later changes nothing (SPEC §2)', async () => {
    const map: Record<string, unknown> = { a: () => 'first', b: { call: () => 'b', approval: true } }
    const functions = define(map)
    map.a = () => 'second'
    ;(map.b as { approval: boolean }).approval = false
    map.c = () => 'added'
    assert.isTrue(Object.isFrozen(functions))
    const result = await shared.run({
      code: 'const out = [await sdk.a(), Object.keys(sdk).join()]; try { out.push(await sdk.b()) } catch (e) { out.push(e.name) } return out',
      functions,
    })
    assert.deepEqual(result.value, ['first', 'a,b', 'ApprovalRejected'], explain(result))
  })

  it('run takes a plain map too, and refuses a wrong one with a TypeError', async () => {
    assert.equal((await shared.run({ code: 'return await sdk.a()', functions: { a: () => 5 } })).value, 5)
    for (const functions of [{ 'a.then': () => 1 }, { a: 5 }, { x: () => 1, 'x.y': () => 1 }]) {
      assert.instanceOf(await rejection(shared.run({ code: 'return 1', functions })), TypeError)
    }
  })

  it('inherited members of the map are no functions (B07)', async () => {
    const functions = define(Object.assign(Object.create({ inherited: () => 1 }), { own: () => 2 }))
    const result = await shared.run({ code: 'return Object.keys(sdk).join()', functions })
    assert.equal(result.value, 'own', explain(result))
  })

  it('the host function gets ctx with signal, runId, callId, seq and fn (SPEC §2)', async () => {
    let ctx: Record<string, unknown> = {}
    const host = makeHost({
      'look.at': (_: unknown, given: Record<string, unknown>) => {
        ctx = given
      },
    })
    const { result } = await run('await sdk.echo(0); await sdk.look.at(); return 1', { host })
    assert.deepEqual([ctx.runId, ctx.callId, ctx.seq, ctx.fn], [result.runId, result.calls[1]?.callId, 2, 'look.at'])
    assert.instanceOf(ctx.signal, AbortSignal)
    assert.isTrue((ctx.signal as AbortSignal).aborted, 'the signal fires when the run ends')
  })
})

describe('mistakes of the caller', () => {
  for (const [claim, options] of [
    ['an unknown limit', { limits: { wallclock: 5 } }],
    ['a limit of 0', { limits: { calls: 0 } }],
    ['a negative limit', { limits: { busyMs: -1 } }],
    ['a NaN limit', { limits: { busyMs: NaN } }],
    ['a text limit', { limits: { busyMs: '100' } }],
    ['a null limit', { limits: { busyMs: null } }],
    ['limits from a prototype key', { limits: { constructor: 5 } }],
    ['an unknown mode', { approval: { mode: 'ask' } }],
    ['a missing onApproval', { approval: { mode: 'pause' } }],
    ['code that is no text', { code: 5 }],
    ['no code', { code: undefined }],
    ['an input that cannot be cloned', { input: () => 1 }],
  ] as [string, Options][]) {
    it(`${claim}: run rejects with a TypeError and runs nothing (SPEC §2)`, async () => {
      const host = makeHost()
      const error = await rejection(shared.run({ code: 'await sdk.echo(1)', functions: host.functions, ...options }))
      assert.instanceOf(error, TypeError)
      assert.isAbove(error.message.length, 10)
      assert.deepEqual(host.ran(), [])
    })
  }

  it('a wrong limit given to createSandbox is a TypeError, there or at the first run', async () => {
    for (const limits of [{ nope: 1 }, { calls: -5 }, { calls: 'many' }]) {
      let error: unknown
      try {
        const sandbox = createSandbox({ frame: { url: '/sandbox.html' }, limits } as never)
        await sandbox.run({ code: 'return 1', functions: {} } as never)
      } catch (caught) {
        error = caught
      }
      assert.instanceOf(error, TypeError)
    }
  })

  it('the name of the wrong limit and what was expected are in the message', async () => {
    const error = await rejection(shared.run({ code: '', functions: {}, limits: { wallclock: 5 } }))
    assert.match(error.message, /wallclock/)
    assert.match(error.message, /wallClockMs/)
  })

  for (const [options, expected, came] of [
    [{ onEvent: 'log' }, 'onEvent must be a function', 'log'],
    [{ limits: { calls: -1 } }, 'The limit calls must be a positive number', '-1'],
    [{ approval: { mode: 'ask' } }, "approval.mode must be 'deny', 'pause' or 'collect'", 'ask'],
    [{ code: { text: '' } }, 'code must be a string', '[object]'],
    [{ signal: null }, 'signal must be an AbortSignal', 'null'],
    [{ functions: { a: { call: 5 } } }, 'Function “a”: call must be a function', '5'],
  ] as [Options, string, string][])
    it(`the message says what was expected and what came: ${expected}`, async () => {
      const { message } = await rejection(shared.run({ code: '', functions: {}, ...options } as never))
      assert.equal(message, `${expected}, and was ${came}.`)
    })

  it('a program without functions runs', async () => {
    assert.equal((await shared.run({ code: 'return 1 + 1', functions: {} })).value, 2)
  })
})

describe('SandboxUnavailable', () => {
  const unavailable = async (options: Options, within = 4_000) => {
    const sandbox = makeSandbox({ bootTimeoutMs: 1_000, ...options })
    const began = performance.now()
    const { result, host } = await run('globalThis.page = 1; await sdk.echo(1); return 1', { sandbox })
    sandbox.dispose()
    assert.equal(result.status, 'error', explain(result))
    assert.equal(result.error?.name, 'SandboxUnavailable')
    assert.isAbove(result.error?.message.length ?? 0, 20)
    assert.isBelow(performance.now() - began, within)
    assert.deepEqual(host.ran(), [])
    assert.isUndefined((globalThis as { page?: number }).page, 'nothing is compiled in the page')
    return result
  }

  it('a frame that is some other document (SPEC §3)', async () => {
    const result = await unavailable({ frame: { url: '/sandbox-empty.html' } })
    assert.match(result.error?.message ?? '', /sandbox-empty\.html|frame/i)
  })

  it('a frame that is not there', async () => {
    await unavailable({ frame: { url: '/nothing-here.html' } })
  })

  it('a frame document without its policy (G04)', async () => {
    await unavailable({ frame: { url: '/sandbox-open.html' } })
  })

  it('a frame document whose policy came with the <meta> only works: header and meta are each enough', async () => {
    const sandbox = makeSandbox({ frame: { url: '/sandbox-meta-only.html' } })
    assert.equal(await returned('return await sdk.echo(1)', { sandbox }), 1)
    sandbox.dispose()
  })

  for (const hook of ['throws', 'error', 'silent']) {
    it(`a Worker that ${{ throws: 'cannot be made', error: 'fires error', silent: 'never answers' }[hook]} (G06)`, async () => {
      await unavailable({ frame: { url: `/sandbox-worker-${hook}.html` } })
    })
  }

  it('bootTimeoutMs bounds the boot (SPEC §2)', async () => {
    await unavailable({ frame: { url: '/sandbox-empty.html' }, bootTimeoutMs: 200 }, 1_500)
  })

  it('a sandbox that was unavailable once may be used again', async () => {
    const sandbox = makeSandbox({ frame: { url: '/sandbox-flaky.html' }, bootTimeoutMs: 600 })
    await fetch('/sandbox-flaky/reset')
    const first = await run('return 1', { sandbox })
    assert.equal(first.result.error?.name, 'SandboxUnavailable', explain(first.result))
    const second = await run('return 1', { sandbox })
    assert.equal(second.result.value, 1, explain(second.result))
    sandbox.dispose()
  })
})

after(() => shared.dispose())
