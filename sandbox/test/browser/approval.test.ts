// Group F of the cases, first part, and SPEC §4: who may run, and when.
import { assert } from 'chai'
import { makeHost } from '../fixture/host.js'
import { collect, explain, held, rejection, resume, run, shared } from '../fixture/sandbox.js'

const pause = (onApproval: (question: never) => unknown) => ({ approval: { mode: 'pause', onApproval } })

describe('deny', () => {
  for (const [claim, options] of [
    ['no approval option', {}],
    ['an empty approval option', { approval: {} }],
    ['mode deny', { approval: { mode: 'deny' } }],
  ] as const) {
    it(`${claim}: a marked call throws ApprovalRejected and never runs (F01)`, async () => {
      const { result, host } = await run(
        'try { await sdk.notes.remove({ id: 1 }); return "ran" } catch (e) { return e.name }',
        options,
      )
      assert.equal(result.status, 'ok', explain(result))
      assert.equal(result.value, 'ApprovalRejected')
      assert.deepEqual(host.ran(), [])
      assert.equal(result.calls[0]?.state, 'denied')
    })
  }

  for (const approval of [
    { mode: 'Pause' },
    { mode: 'colect' },
    { mode: 'pause' },
    { mode: 'pause', onApproval: 'approve' },
    { mode: 1 },
    { mode: null },
    { mode: ['collect'] },
    'collect',
    true,
  ]) {
    it(`approval: ${JSON.stringify(approval)} is refused with a TypeError (F01, SPEC §2)`, async () => {
      const host = makeHost()
      const error = await rejection(
        shared.run({ code: 'await sdk.notes.remove({ id: 1 })', functions: host.functions, approval }),
      )
      assert.instanceOf(error, TypeError)
      assert.deepEqual(host.ran(), [])
    })
  }

  it('unmarked calls run as ever', async () => {
    const { result } = await run('return await sdk.echo(1)', { approval: { mode: 'deny' } })
    assert.equal(result.value, 1)
  })
})

describe('pause', () => {
  const answers: [claim: string, answer: () => unknown, approved: boolean][] = [
    ["'approve'", () => 'approve', true],
    ["a promise of 'approve'", async () => 'approve', true],
    ["{ decision: 'approve' }", () => ({ decision: 'approve' }), true],
    ["{ decision: 'reject', reason }", () => ({ decision: 'reject', reason: 'too dear' }), false],
    ["'reject'", () => 'reject', false],
    ['true', () => true, false],
    ["'yes'", () => 'yes', false],
    ["'APPROVE'", () => 'APPROVE', false],
    ["' approve'", () => ' approve', false],
    ["['approve']", () => ['approve'], false],
    ["new String('approve')", () => new String('approve'), false],
    ['{ approve: true }', () => ({ approve: true }), false],
    ["{ decision: ['approve'] }", () => ({ decision: ['approve'] }), false],
    ['undefined', () => undefined, false],
    ['1', () => 1, false],
    [
      'a throw',
      () => {
        throw new Error('the dialog broke')
      },
      false,
    ],
    ['a rejection', () => Promise.reject(new Error('the dialog broke')), false],
    ['a promise of null', async () => null, false],
  ]
  for (const [claim, answer, approved] of answers) {
    it(`the answer ${claim} ${approved ? 'approves' : 'rejects'} (F02)`, async () => {
      const { result, host } = await run(
        'try { return (await sdk.notes.remove({ id: 1 })).ok } catch (e) { return e.name + ": " + e.message }',
        pause(answer),
      )
      assert.equal(result.status, 'ok', explain(result))
      if (approved) assert.equal(result.value, true)
      else assert.match(String(result.value), /^ApprovalRejected/)
      assert.deepEqual(host.ran(), approved ? ['notes.remove'] : [])
      assert.equal(result.calls[0]?.state, approved ? 'ok' : 'rejected')
    })
  }

  it('the reason of a rejection reaches the call site (SPEC §4)', async () => {
    const { result } = await run(
      'try { await sdk.notes.remove({ id: 1 }) } catch (e) { return e.message }',
      pause(() => ({ decision: 'reject', reason: 'too dear' })),
    )
    assert.include(String(result.value), 'too dear')
  })

  it('the question carries callId, seq, fn, input, title and a signal (SPEC §4)', async () => {
    let question: Record<string, unknown> = {}
    const { result } = await run(
      'await sdk.echo(0); await sdk.notes.remove({ id: 3 }); return 1',
      pause((asked) => {
        question = asked
        return 'approve'
      }),
    )
    assert.equal(question.fn, 'notes.remove')
    assert.deepEqual(question.input, { id: 3 })
    assert.equal(question.title, 'Remove a note')
    assert.equal(question.seq, 2)
    assert.equal(question.callId, result.calls[1]?.callId)
    assert.instanceOf(question.signal, AbortSignal)
  })

  it('what is shown is what runs, though the program or the listener changes it later (F20)', async () => {
    const { result, host } = await run(
      `const q = { to: 'mum@x.test', body: 'hi' }; const p = sdk.mail.send(q); q.to = 'evil@x.test'; await p; return 1`,
      pause((question: { input: { to: string } }) => {
        assert.equal(question.input.to, 'mum@x.test')
        question.input.to = 'changed by the listener'
        return 'approve'
      }),
    )
    assert.equal(result.status, 'ok', explain(result))
    assert.deepEqual(host.inputs('mail.send'), [{ to: 'mum@x.test', body: 'hi' }])
    assert.deepEqual(result.calls[0]?.input, { to: 'mum@x.test', body: 'hi' })
  })

  it('several marked calls in flight are asked one at a time, in call order, each answer for its own (F34)', async () => {
    const asked: number[] = []
    let open = 0
    const { result, host } = await run(
      'return (await Promise.allSettled([1, 2, 3].map((id) => sdk.notes.remove({ id })))).map((r) => r.status)',
      pause(async (question: { input: { id: number } }) => {
        open++
        assert.equal(open, 1)
        asked.push(question.input.id)
        await new Promise((resolve) => setTimeout(resolve, 10))
        open--
        return question.input.id === 2 ? 'reject' : 'approve'
      }),
    )
    assert.deepEqual(asked, [1, 2, 3])
    assert.deepEqual(result.value, ['fulfilled', 'rejected', 'fulfilled'], explain(result))
    assert.deepEqual(host.inputs('notes.remove'), [{ id: 1 }, { id: 3 }])
  })

  it('two runs at once each ask for themselves and get their own answers (F27)', async () => {
    const first = run(
      'return (await sdk.notes.remove({ id: 1 })).id',
      pause(async (question: { input: { id: number } }) => {
        await new Promise((resolve) => setTimeout(resolve, 80))
        return question.input.id === 1 ? 'approve' : 'reject'
      }),
    )
    const second = run(
      'try { await sdk.notes.remove({ id: 2 }); return "ran" } catch (e) { return e.name }',
      pause(() => 'reject'),
    )
    const [one, two] = await Promise.all([first, second])
    assert.equal(one.result.value, 1, explain(one.result))
    assert.equal(two.result.value, 'ApprovalRejected', explain(two.result))
    assert.deepEqual(one.host.inputs('notes.remove'), [{ id: 1 }])
    assert.deepEqual(two.host.ran(), [])
  })

  it('an answer that never comes keeps the run waiting until it is aborted (F02)', async () => {
    const controller = new AbortController()
    const { result, host } = await run('await sdk.notes.remove({ id: 1 })', {
      ...pause(() => {
        setTimeout(() => controller.abort(), 300)
        return new Promise(() => {})
      }),
      signal: controller.signal,
      limits: { busyMs: 100, wallClockMs: 150 },
    })
    assert.equal(result.status, 'aborted', explain(result))
    assert.deepEqual(host.ran(), [])
  })

  it('the status goes to waiting and back (SPEC §2)', async () => {
    const statuses: string[] = []
    await run('await sdk.notes.remove({ id: 1 }); return 1', {
      ...pause(async () => 'approve'),
      onEvent: (event: { type: string; status: string }) => event.type === 'status' && statuses.push(event.status),
    })
    assert.deepEqual(statuses, ['starting', 'running', 'waiting', 'running', 'ok'])
  })
})

describe('collect', () => {
  it('a marked call is held, the program goes on, unmarked calls run (SPEC §4)', async () => {
    const { host, rows } = await held(
      'const p = await sdk.notes.remove({ id: 1 }); await sdk.echo("on"); const q = await sdk.mail.send({ to: "a" }); return [p, q]',
    )
    assert.deepEqual(host.ran(), ['echo'])
    assert.deepEqual(
      rows.map(({ fn, input, seq }) => [fn, input, seq]),
      [
        ['notes.remove', { id: 1 }, 1],
        ['mail.send', { to: 'a' }, 3],
      ],
    )
    assert.equal(rows[0]?.title, 'Remove a note')
  })

  it('code that swallows the cut adds nothing (F03)', async () => {
    const { host, rows } = await held(`
      let r
      try { r = await sdk.notes.remove({ id: 1 }); if (r.ok) await sdk.mail.send({ to: 'a@x.test', body: 'done' }) } catch { await sdk.mail.send({ to: 'b@x.test', body: 'failed' }) }
      return 'all good'`)
    assert.deepEqual(
      rows.map((row) => row.input),
      [{ id: 1 }],
    )
    assert.deepEqual(host.ran(), [])
  })

  it('nothing after the cut has any effect: not from catch, finally or another branch, neither call nor line (SPEC §4)', async () => {
    const { result, host, rows } = await held(`
      console.log('before')
      const p = await sdk.notes.remove({ id: 1 })
      const branch = (async () => { for (let i = 0; i < 5; i++) { await null } try { await sdk.echo('branch') } catch {} console.log('branch') })()
      try { p.x } catch { console.log('catch'); sdk.echo('catch') } finally { console.log('finally'); sdk.echo('finally'); sdk.notes.remove({ id: 2 }) }
      await branch
      sdk.mail.send({ to: 'late' })
      return 1`)
    assert.deepEqual(
      result.logs.map((line) => line.text),
      ['before'],
    )
    assert.deepEqual(
      rows.map((row) => row.input),
      [{ id: 1 }],
    )
    assert.deepEqual(host.ran(), [])
  })

  it('a throw after a held call is still pending, not error (SPEC §4)', async () => {
    const { rows } = await held('sdk.notes.remove({ id: 1 }); throw new Error("later")')
    assert.lengthOf(rows, 1)
  })

  it('a body that loops for ever after the cut does not delay the result', async () => {
    const began = performance.now()
    const { rows } = await held('const p = await sdk.notes.remove({ id: 1 }); try { p.x } catch {} for (;;) ;', {
      limits: { busyMs: 4_000 },
    })
    assert.lengthOf(rows, 1)
    assert.isBelow(performance.now() - began, 3_000)
  })

  it('unmarked calls in flight at the cut are awaited and journaled (SPEC §4)', async () => {
    const { result, host } = await held(
      'const slow = sdk.wait({ ms: 120, tag: "slow" }); const p = await sdk.notes.remove({ id: 1 }); p.x; return (await slow).tag',
    )
    assert.equal(result.calls.find((call) => call.fn === 'wait')?.state, 'ok')
    const end = await resume(result, { all: 'approve' })
    assert.equal(end.value, 'slow', explain(end))
    assert.deepEqual(host.ran(), ['wait', 'notes.remove'])
  })

  it('a run without marked calls just ends (SPEC §4)', async () => {
    const { result } = await collect('return await sdk.echo(5)')
    assert.equal(result.status, 'ok', explain(result))
    assert.equal(result.value, 5)
  })

  it('a limit during the pass ends the run so, and voids its rows (SPEC §4)', async () => {
    const { result, host } = await collect('sdk.notes.remove({ id: 1 }); while (true) {}', { limits: { busyMs: 400 } })
    assert.equal(result.status, 'limit', explain(result))
    assert.isUndefined(result.resume)
    assert.deepEqual(host.ran(), [])
  })

  const observing = [
    'p.x',
    'p.x = 1',
    '`${p}`',
    'p + 1',
    '-p',
    'JSON.stringify(p)',
    'JSON.stringify({ a: [p] })',
    'Object.keys(p)',
    '({ ...p })',
    '[...p]',
    "'a' in p",
    'for (const k in p);',
    'for (const x of p);',
    'p()',
    'new p()',
    'p == 1',
    'p < 1',
    'structuredClone(p)',
    'structuredClone({ a: [p] })',
    'structuredClone(new Map([[1, p]]))',
    'sdk.echo(p)',
    'sdk.echo({ list: [1, p] })',
    'sdk.echo(new Set([p]))',
    'sdk.notes.get({ id: p })',
    'sdk.notes.remove({ id: p })',
    'delete p.x',
    'p?.x',
    'const { ok } = p',
    'Object.prototype.toString.call(p)',
    'p instanceof Object',
    'Object.getPrototypeOf(p)',
    'Object.freeze(p)',
    'Object.defineProperty(p, "x", { value: 1 })',
    'Reflect.ownKeys(p)',
    'Object.isExtensible(p)',
    '[].concat(p)',
    'Number(p)',
    'String(p)',
    '"" + p',
    'BigInt(p)',
    'Symbol(p)',
    'p.toString()',
    'await crypto.subtle.digest("SHA-256", p)',
    'await Promise.resolve(p).then((v) => v.x)',
    'p.constructor',
    'Object.entries(p)',
    'Object.assign({}, p)',
    'new Date(p)',
    'parseInt(p)',
    'new Map(p)',
    'p.catch',
    'p.finally',
    'Math.max(p)',
    '[3, 1, p].sort()',
    '[p].join()',
    '[p].toString()',
    'Array.from(p)',
    'new Error(p)',
    'setTimeout(() => {}, p)',
    'new Uint8Array(p)',
    'encodeURIComponent(p)',
    'new TextEncoder().encode(p)',
    'new URL(p)',
    'btoa(p)',
    'new Blob([p])',
  ]
  for (const code of observing) {
    it(`\`${code}\` observes a pending value: the pass is cut there (F05)`, async () => {
      const { rows, host, result } = await held(
        `const p = await sdk.notes.remove({ id: 1 }); ${code}; await sdk.mail.send({ to: 'after' }); return 'went on'`,
      )
      assert.deepEqual(
        rows.map((row) => row.fn),
        ['notes.remove'],
        explain(result),
      )
      assert.deepEqual(host.ran(), [])
    })
  }

  const keeping = [
    'const list = []; list.push(p)',
    'const m = new Map([[p, 1]]); m.get(p)',
    'const f = () => p; f()',
    'await p',
    'await Promise.all([p])',
    'await Promise.race([p])',
    'await Promise.allSettled([p])',
    'console.log(p)',
    'console.log({ a: [p] })',
    'if (p) ;',
    'p ?? 1',
    'p === 1',
    'typeof p',
    'Array.isArray(p)',
    'new Set([p]).has(p)',
    'const o = { p }; o.p',
    'void p',
    'globalThis.kept = p',
    '(async () => p)()',
    'new Promise((r) => r(p))',
    'queueMicrotask(() => p)',
    'new WeakMap().set(p, 1)',
    'Object.is(p, 1)',
  ]
  for (const code of keeping) {
    it(`\`${code}\` does not observe: the program goes on (F05)`, async () => {
      const { rows, host } = await held(
        `const p = await sdk.notes.remove({ id: 1 }); ${code}; await sdk.mail.send({ to: 'after' }); return 'went on'`,
      )
      assert.deepEqual(
        rows.map((row) => row.fn),
        ['notes.remove', 'mail.send'],
      )
      assert.deepEqual(host.ran(), [])
    })
  }

  it('returning a pending value ends as pending, never as a leaked proxy (F05)', async () => {
    for (const code of ['return p', 'return { p }', 'return [p, new Map([[1, p]])]', 'return async () => p']) {
      const { rows } = await held(`const p = await sdk.notes.remove({ id: 1 }); ${code}`)
      assert.lengthOf(rows, 1, code)
    }
  })

  it('a pending value prints as pending (SPEC §4)', async () => {
    const { result } = await held('const p = await sdk.notes.remove({ id: 1 }); console.log("it is", p); return 1')
    assert.match(result.logs[0]?.text ?? '', /it is .*pending/i)
  })

  it('throwing a pending value ends as pending', async () => {
    const { rows } = await held('throw await sdk.notes.remove({ id: 1 })')
    assert.lengthOf(rows, 1)
  })

  it('the promise of a marked call is an ordinary promise (SPEC §4)', async () => {
    const { rows } = await held(
      'const q = sdk.notes.remove({ id: 1 }); if (!(q instanceof Promise)) throw 1; const r = await q.then((v) => v).finally(() => {}); return [r]',
    )
    assert.lengthOf(rows, 1)
  })
})

describe('marks', () => {
  const marks = async (
    approval: unknown,
    input: unknown = { sql: 'select 1' },
    code = 'await sdk.db.run(input); return 1',
  ) => {
    const host = makeHost({
      'db.run': { call: (given: unknown) => host.ledger.push({ fn: 'db.run', input: given }), approval } as never,
    })
    const { result } = await collect(code, { host, input })
    return { result, host }
  }

  it('a predicate marks by the input, sync or async; only exactly false unmarks (SPEC §2)', async () => {
    for (const [approval, marked] of [
      [() => false, false],
      [async () => false, false],
      [() => true, true],
      [async () => true, true],
      [() => 0, true],
      [() => null, true],
      [() => undefined, true],
      [() => '', true],
      [() => new Boolean(false), true],
      [
        () => {
          throw new Error('cannot judge')
        },
        true,
      ],
      [() => Promise.reject(new Error('cannot judge')), true],
      [(input: { sql: string }) => !input.sql.startsWith('select'), false],
      [(input: { sql: string }) => input.sql.startsWith('select'), true],
    ] as [unknown, boolean][]) {
      const { result, host } = await marks(approval)
      assert.equal(result.status, marked ? 'pending' : 'ok', `${String(approval)}: ${explain(result)}`)
      assert.lengthOf(host.ran(), marked ? 0 : 1)
    }
  })

  it('a predicate gets its own copy of the input: what it changes changes nothing (SPEC §2)', async () => {
    const { result, host } = await marks((input: { sql: string }) => {
      input.sql = 'changed'
      return false
    })
    assert.equal(result.status, 'ok', explain(result))
    assert.deepEqual(host.inputs('db.run'), [{ sql: 'select 1' }])
  })

  it('an async predicate holds up the calls behind it, so calls execute and are numbered in order (SPEC §2)', async () => {
    const order: string[] = []
    const host = makeHost({
      slow: {
        call: () => order.push('slow'),
        approval: () => new Promise<boolean>((resolve) => setTimeout(resolve, 60, false)),
      },
      quick: () => order.push('quick'),
    })
    const { result } = await run('await Promise.all([sdk.slow(), sdk.quick(), sdk.slow(), sdk.quick()]); return 1', {
      host,
    })
    assert.equal(result.status, 'ok', explain(result))
    assert.deepEqual(order, ['slow', 'quick', 'slow', 'quick'])
    assert.deepEqual(
      result.calls.map((call) => call.fn),
      ['slow', 'quick', 'slow', 'quick'],
    )
  })

  it('a cut does not overtake the call before it, which an async predicate still judges (SPEC §8)', async () => {
    const host = makeHost({
      'db.run': { call: () => 1, approval: () => new Promise<boolean>((resolve) => setTimeout(resolve, 50, true)) },
    })
    const { result } = await collect('const p = await sdk.notes.remove({ id: 1 }); sdk.db.run(1); p.x', { host })
    assert.equal(result.status, 'pending', explain(result))
    assert.deepEqual(
      result.pending?.map((row) => row.fn),
      ['notes.remove', 'db.run'],
    )
  })

  it('`approval: false` and a plain function are unmarked; `approval: true` is marked', async () => {
    const host = makeHost({
      a: { call: () => 1, approval: false },
      b: { call: () => 2 },
      c: { call: () => 3, approval: true },
    })
    const { result } = await collect('await sdk.a(); await sdk.b(); await sdk.c(); return 1', { host })
    assert.deepEqual(
      result.calls.map((call) => call.state),
      ['ok', 'ok', 'pending'],
      explain(result),
    )
  })
})

describe('other ways to call', () => {
  it('every form of the same call is gated; the one with further arguments rejects (F38, F40)', async () => {
    const { rows, host, result } = await held(`
      const { remove } = sdk.notes
      remove({ id: 1 })
      sdk['notes']['remove'].call(null, { id: 2 })
      Reflect.apply(sdk.notes.remove, 0, [{ id: 3 }])
      const mapped = await Promise.allSettled([{ id: 4 }].map(sdk.notes.remove))
      console.log(mapped[0].status, mapped[0].reason?.name)
      new Promise((r) => r(sdk.notes.remove({ id: 5 })))
      return 1`)
    assert.deepEqual(
      rows.map((row) => row.input),
      [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 5 }],
    )
    assert.deepEqual(host.ran(), [])
    assert.equal(result.logs[0]?.text, 'rejected TypeError')
    assert.lengthOf(result.calls, 4, 'the refused form is not listed')
  })

  it('more arguments than one reject with a TypeError that says so; nothing is sent (F40)', async () => {
    const { result, host } = await run(`
      const out = []
      for (const call of [() => sdk.mail.send({ to: 'a' }, { to: 'b' }), () => sdk.echo(1, 2, 3), () => sdk.echo(1, undefined)])
        try { await call(); out.push('ran') } catch (e) { out.push(e.name + ': ' + e.message) }
      return out`)
    for (const each of result.value as string[]) assert.match(each, /^TypeError: .*(one|argument)/)
    assert.deepEqual(host.ran(), [])
    assert.deepEqual(result.calls, [])
  })

  it('no argument and undefined arrive as undefined (F40)', async () => {
    const { result, host } = await run(
      'await sdk.notes.remove(); await sdk.notes.remove(undefined); return 1',
      pause(() => 'approve'),
    )
    assert.equal(result.status, 'ok', explain(result))
    assert.deepEqual(host.inputs('notes.remove'), [undefined, undefined])
    assert.deepEqual(
      result.calls.map((call) => call.input),
      [undefined, undefined],
    )
  })

  it('a call refused for its arguments rejects, it does not throw (SPEC §3)', async () => {
    const { result } = await run(
      'const p = sdk.echo(1, 2); const isPromise = p instanceof Promise; try { await p } catch { return isPromise }',
    )
    assert.equal(result.value, true, explain(result))
  })
})

after(() => shared.dispose())
