// Sentences of SPEC §2–§6 that no case names: each a small claim of its own.
import { createSandbox } from '@faustine-ai/browser-sandbox'
import { assert } from 'chai'
import { makeHost } from '../fixture/host.js'
import { measure } from '../fixture/machine.js'
import {
  approveAll,
  collect,
  explain,
  held,
  makeSandbox,
  type Result,
  resume,
  returned,
  run,
  shared,
} from '../fixture/sandbox.js'

describe('createSandbox', () => {
  it('without options works: srcdoc is the default and nothing is served (SPEC §2)', async () => {
    const sandbox = createSandbox()
    const host = makeHost()
    const result = (await sandbox.run({
      code: 'return await sdk.echo(4)',
      functions: host.functions,
    } as never)) as unknown as Result
    assert.equal(result.value, 4, explain(result))
    sandbox.dispose()
  })

  for (const [claim, options] of [
    ['warm of no kind it knows', { warm: 'yes' }],
    ['a negative warm', { warm: -1 }],
    ['a frame of no kind it knows', { frame: { file: 'x' } }],
    ['a transform that is no function', { transform: 'strip' }],
    ['a boot timeout that is no number', { bootTimeoutMs: 'soon' }],
    ['a boot timeout of 0', { bootTimeoutMs: 0 }],
  ] as [string, Record<string, unknown>][]) {
    it(`refuses ${claim} with a TypeError, there or at the first run`, async () => {
      let error: unknown
      let sandbox: ReturnType<typeof makeSandbox> | undefined
      try {
        sandbox = createSandbox(options as never) as unknown as ReturnType<typeof makeSandbox>
        await sandbox?.run({ code: 'return 1', functions: {} })
      } catch (caught) {
        error = caught
      }
      sandbox?.dispose()
      assert.instanceOf(error, TypeError)
    })
  }

  it('two sandboxes in one page do not disturb each other', async () => {
    const [one, two] = [makeSandbox({ warm: true }), makeSandbox({ warm: true })]
    const [a, b] = await Promise.all([
      run('return await sdk.echo("one")', { sandbox: one }),
      run('return await sdk.echo("two")', { sandbox: two }),
    ])
    one.dispose()
    const again = await run('return await sdk.echo("three")', { sandbox: two })
    two.dispose()
    assert.deepEqual([a.result.value, b.result.value, again.result.value], ['one', 'two', 'three'])
  })
})

describe('results over several passes', () => {
  it('a limit in a pass voids its rows: they are listed as cancelled, never as pending (SPEC §4)', async () => {
    const { result } = await collect('sdk.notes.remove({ id: 1 }); await sdk.echo(1); while (true) {}', {
      limits: { busyMs: 300 },
    })
    assert.equal(result.status, 'limit', explain(result))
    assert.deepEqual(
      result.calls.map((call) => call.state),
      ['cancelled', 'ok'],
    )
    assert.isUndefined(result.pending)
  })

  it('`input` is the same in every pass, though the host changes its object (SPEC §5)', async () => {
    const input = { ids: [1, 2] }
    const { result, host } = await held(
      'const out = []; for (const id of input.ids) { await sdk.notes.remove({ id }); out.push(id) } return out',
      { input },
    )
    input.ids.push(3)
    const end = await resume(result, { all: 'approve' })
    assert.deepEqual(end.value, [1, 2], explain(end))
    assert.deepEqual(host.inputs('notes.remove'), [{ id: 1 }, { id: 2 }])
  })

  it('the code that is resumed is the code that was shown: `transform` is applied once (SPEC §2)', async () => {
    let count = 0
    const sandbox = makeSandbox({ transform: (code: string) => code.replaceAll('ID', String(++count)) })
    const { result, host } = await held('await sdk.notes.remove({ id: ID }); return ID', { sandbox })
    const end = await resume(result, { all: 'approve' })
    sandbox.dispose()
    assert.equal(end.status, 'ok', explain(end))
    assert.equal(count, 1)
    assert.deepEqual(host.inputs('notes.remove'), [{ id: 1 }])
  })

  it('limits count per pass, replayed calls included (SPEC §6)', async () => {
    const { result } = await held(
      'for (let i = 0; i < 5; i++) await sdk.echo(i); const r = await sdk.notes.remove({ id: 1 }); if (r.ok) for (let i = 0; i < 5; i++) await sdk.echo(10 + i); return 1',
      { limits: { calls: 8 } },
    )
    const end = await resume(result, { all: 'approve' })
    assert.equal(end.error?.limit, 'calls', explain(end))
  })

  it('limits given to sandbox.resume hold for it (SPEC §2)', async () => {
    const { result, host } = await held('const r = await sdk.notes.remove({ id: 1 }); if (r.ok) while (true) {}')
    const began = performance.now()
    const end = await shared.resume(result.continuation, {
      functions: host.functions,
      decisions: { all: 'approve' },
      limits: { busyMs: 300 },
    })
    assert.equal(end.error?.limit, 'busyMs', explain(end))
    assert.isBelow(performance.now() - began, 3_000)
  })

  it('an approved call that ran before a limit is listed with what it came to (SPEC §6)', async () => {
    const { result, host } = await held('const r = await sdk.notes.remove({ id: 1 }); if (r.ok) while (true) {}', {
      limits: { busyMs: 300 },
    })
    const end = await resume(result, { all: 'approve' })
    assert.equal(end.status, 'limit', explain(end))
    assert.equal(end.calls[0]?.state, 'ok')
    assert.deepEqual(end.calls[0]?.value, { ok: true, id: 1, next: 2 })
    assert.deepEqual(host.ran(), ['notes.remove'])
  })

  it('sandbox.resume refuses what run refuses: decisions, functions, limits (SPEC §2)', async () => {
    const { result, host } = await held('await sdk.notes.remove({ id: 1 }); return 1')
    for (const options of [
      {},
      { functions: host.functions },
      { decisions: { all: 'approve' } },
      { functions: host.functions, decisions: {} },
      { functions: host.functions, decisions: { all: 'approve' }, limits: { nothing: 1 } },
    ]) {
      let error: unknown
      try {
        await shared.resume(result.continuation, options)
      } catch (caught) {
        error = caught
      }
      assert.instanceOf(error, TypeError, JSON.stringify(options))
    }
    assert.deepEqual(host.ran(), [])
  })

  it('Promise.race between a held call and a read goes the same way when resumed (SPEC §5)', async () => {
    const { result, host } = await held(`
      const first = await Promise.race([sdk.wait({ ms: 40 }).then(() => 'read'), sdk.notes.remove({ id: 1 }).then(() => 'held')])
      await sdk.mail.send({ first })
      return first`)
    const end = await approveAll(result)
    assert.equal(end.status, 'ok', explain(end))
    assert.deepEqual(host.inputs('mail.send'), [{ first: end.value }])
  })

  it('marked calls made at once are approved at once and all run (SPEC §5)', async () => {
    const { result, rows, host } = await held(
      'const all = await Promise.all([1, 2, 3, 4].map((id) => sdk.notes.remove({ id }))); return all.map((r) => r.id).join()',
    )
    assert.lengthOf(rows, 4)
    const end = await resume(result, { all: 'approve' })
    assert.equal(end.value, '1,2,3,4', explain(end))
    assert.lengthOf(host.ran(), 4)
  })

  it('with every mark off the result is the same as with all approved (SPEC §5)', async () => {
    const code =
      'const out = []; for (const n of await sdk.notes.list()) if (n.id % 2) { const r = await sdk.notes.remove({ id: n.id }); out.push(r.next) } return out.join()'
    const { result } = await held(code)
    const approved = await approveAll(result)
    const free = makeHost({ 'notes.remove': (input: { id: number }) => ({ ok: true, next: input.id + 1 }) })
    assert.equal(approved.value, await returned(code, { host: free }))
  })
})

describe('the program’s side', () => {
  it('a rejected call can be retried by the program, and is asked again (pause, SPEC §4)', async () => {
    let asked = 0
    const { result, host } = await run(
      'for (let i = 0; i < 3; i++) try { return (await sdk.notes.remove({ id: 1 })).ok + " after " + i } catch {} return "never"',
      {
        approval: { mode: 'pause', onApproval: () => (++asked < 3 ? 'reject' : 'approve') },
      },
    )
    assert.equal(result.value, 'true after 2', explain(result))
    assert.deepEqual(host.ran(), ['notes.remove'])
    assert.deepEqual(
      result.calls.map((call) => call.state),
      ['rejected', 'rejected', 'ok'],
    )
  })

  it('catch and finally of a call work as in plain JavaScript', async () => {
    assert.deepEqual(
      await returned(
        'const out = []; await sdk.fail({}).catch((e) => out.push(e.name)).finally(() => out.push("f")); await sdk.echo(1).then((v) => out.push(v)); return out',
      ),
      ['Error', 'f', 1],
    )
  })

  it('a call’s value is the program’s own: changing it changes no other call’s (SPEC §8)', async () => {
    assert.deepEqual(
      await returned(
        'const a = await sdk.notes.list(); a[0].id = 99; const b = await sdk.notes.list(); return [a[0].id, b[0].id]',
      ),
      [99, 1],
    )
  })

  it('what the program changes in an input after the call changes nothing that was sent', async () => {
    const { result, host } = await run(
      'const q = { list: [1] }; const p = sdk.echo(q); q.list.push(2); const back = await p; return [back.list.length, q.list.length]',
    )
    assert.deepEqual(result.value, [1, 2], explain(result))
    assert.deepEqual(host.inputs('echo'), [{ list: [1] }])
  })

  it('a thousand timers and microtasks keep their order', async () => {
    assert.equal(
      await returned(
        'const out = []; await Promise.all(Array.from({ length: 200 }, (_, i) => new Promise((r) => setTimeout(() => { out.push(i); r() }, 0)))); return out.every((x, i) => x === i)',
      ),
      true,
    )
  })

  it('names in a program that the harness might use itself are free (SPEC §3)', async () => {
    assert.equal(
      await returned(
        'const run = 1, post = 2, send = 3, state = 4, worker = 5, code = 6, fn = 7, record = 8, self = 9, globalThis_ = 10; return run + post + send + state + worker + code + fn + record + self',
      ),
      45,
    )
  })

  it('a program may shadow and delete its globals without harm (SPEC §7)', async () => {
    const { result } = await run(
      'for (const name of Object.getOwnPropertyNames(globalThis)) if (!["sdk"].includes(name)) try { delete globalThis[name] } catch {} return await sdk.echo(3)',
    )
    assert.equal(result.value, 3, explain(result))
  })

  it('freezing the world does not break the run (SPEC §7)', async () => {
    const { result } = await run(
      'for (const o of [Object.prototype, Array.prototype, Function.prototype, Promise.prototype, Error.prototype, Map.prototype]) Object.freeze(o); console.log("frozen"); return await sdk.echo({ a: [1] })',
    )
    assert.deepEqual(result.value, { a: [1] }, explain(result))
    assert.equal(result.logs[0]?.text, 'frozen')
  })

  it('a Promise subclass or a replaced Promise global changes no call (SPEC §7)', async () => {
    const { result } = await run(
      'globalThis.Promise = class { constructor() { throw new Error("mine") } }; return await sdk.echo(5)',
    )
    assert.equal(result.value, 5, explain(result))
  })

  it('a patched Promise.prototype.then sees no value of another call (SPEC §7)', async () => {
    const { result } = await run(
      'const seen = []; const then = Promise.prototype.then; Promise.prototype.then = function (...a) { seen.push(1); return Reflect.apply(then, this, a) }; const v = await sdk.echo(6); Promise.prototype.then = then; return [v, seen.length]',
    )
    assert.deepEqual(result.value, [6, 0], explain(result))
  })
})

describe('memory', () => {
  it('of a stopped program is given back (E20)', async function () {
    this.timeout(60_000)
    const sandbox = makeSandbox({ warm: true })
    await run('return 1', { sandbox })
    await measure(500)
    const before = (await measure(100)).bytes
    const { result } = await run(
      'const a = []; for (let i = 0; i < 10; i++) a.push(new Uint8Array(64 << 20).fill(1)); while (true) {}',
      { sandbox, limits: { busyMs: 4_000 } },
    )
    assert.equal(result.status, 'limit', explain(result))
    // Engines give memory back in their own time: within ten seconds here.
    let grown = Number.POSITIVE_INFINITY
    for (let i = 0; i < 10 && grown > 200e6; i++) grown = (await measure(1000)).bytes - before
    assert.isBelow(grown, 200e6)
    assert.equal((await run('return 1', { sandbox })).result.value, 1)
    sandbox.dispose()
  })

  it('does not grow with the number of runs', async function () {
    this.timeout(60_000)
    const sandbox = makeSandbox({ warm: true })
    for (let i = 0; i < 20; i++) await run('return await sdk.echo(1)', { sandbox })
    await measure(500)
    const before = (await measure(100)).bytes
    for (let i = 0; i < 100; i++) await run('return await sdk.echo("x".repeat(10000))', { sandbox })
    let grown = Number.POSITIVE_INFINITY
    for (let i = 0; i < 10 && grown > 100e6; i++) grown = (await measure(1000)).bytes - before
    assert.isBelow(grown, 100e6)
    sandbox.dispose()
  })
})

after(() => shared.dispose())
