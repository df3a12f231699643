// Group F of the cases, second part, and SPEC §5: nothing runs twice, and
// nothing runs that was not seen.
import { assert } from 'chai'
import { makeHost } from '../fixture/host.js'
import { approveAll, collect, explain, held, resume, shared } from '../fixture/sandbox.js'

describe('what repeats exactly', () => {
  it('reads are not repeated on resume; their recorded values are used (F17)', async () => {
    const list = [1, 2, 3]
    const host = makeHost({ 'notes.list': () => (host.ledger.push({ fn: 'notes.list', input: undefined }), [...list]) })
    const { result } = await held(
      'const n = (await sdk.notes.list()).length; await sdk.notes.remove({ id: 1 }); return n',
      { host },
    )
    list.push(4, 5)
    const end = await resume(result, { all: 'approve' })
    assert.equal(end.value, 3, explain(end))
    assert.deepEqual(host.ran(), ['notes.list', 'notes.remove'])
  })

  it('recorded values keep their type, and a recorded error throws again (F19)', async () => {
    const values: unknown[] = [
      undefined,
      null,
      -0,
      10n,
      new Date(5),
      new Map([[1, 2]]),
      new Uint8Array([1, 2]),
      new File(['x'], 'a.txt'),
      NaN,
      [1, , 3],
      'p\ud800',
    ]
    const host = makeHost({ 'value.get': (i: number) => values[i] })
    const { result } = await held(
      `
      const out = []
      for (let i = 0; i < ${values.length}; i++) {
        const v = await sdk.value.get(i)
        const kind = v === undefined ? 'undefined' : v === null ? 'null' : Object.is(v, -0) ? '-0' : typeof v === 'object' ? v.constructor.name : typeof v
        out.push(kind)
        await sdk.mail.send({ kind, v })
      }
      try { await sdk.fail({ how: 'type' }) } catch (e) { out.push(e.name + e.message); await sdk.mail.send({ kind: e.message }) }
      return out`,
      { host },
    )
    const end = await approveAll(result)
    assert.equal(end.status, 'ok', explain(end))
    assert.deepEqual((end.value as string[]).slice(0, 9), [
      'undefined',
      'null',
      '-0',
      'bigint',
      'Date',
      'Map',
      'Uint8Array',
      'File',
      'number',
    ])
    assert.include((end.value as string[])[11], 'the host says no')
    assert.lengthOf(host.inputs('mail.send'), values.length + 1)
    assert.lengthOf(host.inputs('fail'), 1)
  })

  it('clocks and random values in an input are the shown ones when it runs (F09)', async () => {
    const { result, rows, host } = await held(`
      await sdk.mail.send({ to: 'a@x.test', body: String(Date.now()) + Math.random() + crypto.randomUUID() + performance.now() + new Date() + Date() + [...crypto.getRandomValues(new Uint8Array(8))] })
      return 1`)
    const end = await resume(result, { all: 'approve' })
    assert.equal(end.status, 'ok', explain(end))
    assert.deepEqual(host.inputs('mail.send'), [rows[0]?.input])
  })

  const sources = `
    const look = () => ({
      now: Date.now(), text: Date(), made: new Date().getTime(), iso: new Date().toISOString(), sub: new (class extends Date {})().getTime(),
      reflect: Reflect.construct(Date, []).getTime(), called: Date.call({}).slice(0, 15), json: JSON.stringify(new Date()),
      local: new Date().toLocaleString(), intl: new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long' }).format(),
      parts: new Intl.DateTimeFormat('en', { hour: 'numeric', minute: 'numeric', second: 'numeric', fractionalSecondDigits: 3 }).formatToParts().map((p) => p.value).join(''),
      temporal: typeof Temporal === 'undefined' ? '' : [Temporal.Now.instant(), Temporal.Now.zonedDateTimeISO(), Temporal.Now.plainDateTimeISO(), Temporal.Now.plainDateISO(), Temporal.Now.plainTimeISO()].join(),
      file: new File([], 'x').lastModified, perf: performance.now(),
      random: [Math.random(), Math.random()], uuid: crypto.randomUUID(), bytes: [...crypto.getRandomValues(new Uint8Array(16))].join(), big: String(crypto.getRandomValues(new BigUint64Array(1))[0]),
    })`

  it('every clock and random source gives the same in each pass (SPEC §5)', async function () {
    this.timeout(30_000)
    const seen: unknown[] = []
    const host = makeHost({
      'notes.remove': {
        call: (input: { look: unknown; id: number }) => (seen.push(input.look), { ok: true }),
        approval: true,
      },
    })
    const { result, rows } = await held(
      `${sources}
      const a = look()
      await sdk.wait({ ms: 40 })
      const b = look()
      const r = await sdk.notes.remove({ id: 1, look: [a, b] })
      if (r.ok) { const c = look(); const s = await sdk.notes.remove({ id: 2, look: [a, b, c] }); return [s.ok, a, b, c] }`,
      { host },
    )
    await new Promise((resolve) => setTimeout(resolve, 60))
    const second = await resume(result, { all: 'approve' })
    assert.equal(second.status, 'pending', explain(second))
    await new Promise((resolve) => setTimeout(resolve, 60))
    const end = await resume(second, { all: 'approve' })
    assert.equal(end.status, 'ok', explain(end))
    const [, a, b, c] = end.value as Record<string, unknown>[]
    assert.deepEqual(seen[0], (rows[0]?.input as { look: unknown }).look)
    assert.deepEqual(seen, [
      [a, b],
      [a, b, c],
    ])
    assert.isAtLeast((b?.now as number) - (a?.now as number), 30, 'time moves when a call settles')
    assert.notEqual(a?.uuid, b?.uuid)
    assert.notDeepEqual(a?.random, b?.random)
  })

  it('time stands still between calls, starts at the real time, and performance.now at 0 (SPEC §5)', async () => {
    const before = Date.now()
    const { result } = await collect(
      'const a = Date.now(), p = performance.now(); let i = 0; for (; i < 1e6; i++) ; return [a, Date.now(), p, performance.now()]',
    )
    const [a, b, p, q] = result.value as number[]
    assert.isAtLeast(a as number, before - 50)
    assert.isAtMost(a as number, Date.now())
    assert.equal(a, b)
    assert.equal(p, 0)
    assert.equal(q, 0)
  })

  it('time moves to the real time of a settlement (SPEC §5)', async () => {
    const { result } = await collect(
      'const a = Date.now(), p = performance.now(); await sdk.wait({ ms: 100 }); return [Date.now() - a, performance.now() - p, Date.now()]',
    )
    const [wall, perf, now] = result.value as number[]
    assert.isAtLeast(wall as number, 90)
    assert.isBelow(wall as number, 2_000)
    assert.isAtLeast(perf as number, 90)
    assert.isAtMost(now as number, Date.now())
  })

  it('two runs have different seeds (SPEC §5)', async () => {
    const code = 'return [Math.random(), crypto.randomUUID()]'
    const [one, two] = [await collect(code), await collect(code)]
    assert.notDeepEqual(one.result.value, two.result.value)
  })

  it('random values look random: range, uuid form, fill of any integer array', async () => {
    const { result } = await collect(`
      const r = Array.from({ length: 2000 }, () => Math.random())
      const mean = r.reduce((a, b) => a + b) / r.length
      const big = crypto.getRandomValues(new Uint8Array(65536))
      let quota; try { crypto.getRandomValues(new Uint8Array(65537)) } catch (e) { quota = e.name }
      let wrong; try { crypto.getRandomValues(new Float64Array(1)) } catch (e) { wrong = e.name }
      const into = new Uint32Array(2)
      return [r.every((x) => x >= 0 && x < 1), mean > 0.4 && mean < 0.6, new Set(big).size, quota, wrong, crypto.getRandomValues(into) === into, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID())]`)
    assert.equal(result.status, 'ok', explain(result))
    const [range, mean, distinct, quota, wrong, same, uuid] = result.value as unknown[]
    assert.deepEqual([range, mean, distinct, same, uuid], [true, true, 256, true, true])
    assert.equal(quota, 'QuotaExceededError')
    assert.equal(wrong, 'TypeMismatchError')
  })

  it('parallel reads settle in the recorded order, so race and all take the same way (F11, SPEC §5)', async () => {
    const { result, host } = await held(`
      const order = []
      const [a, b, c] = await Promise.all([90, 10, 50].map((ms, i) => sdk.wait({ ms, tag: 'abc'[i] }).then((x) => (order.push(x.tag), x))))
      const first = await Promise.race([sdk.wait({ ms: 60, tag: 'slow' }), sdk.wait({ ms: 5, tag: 'fast' })])
      for (const x of [a, b, c]) await sdk.mail.send({ to: x.tag + '@x.test', body: order.join('') + first.tag })
      return order.join('') + first.tag`)
    const end = await resume(result, { all: 'approve' })
    assert.equal(end.value, 'bcafast', explain(end))
    assert.deepEqual(
      host.inputs('mail.send'),
      ['a', 'b', 'c'].map((tag) => ({ to: `${tag}@x.test`, body: 'bcafast' })),
    )
    assert.lengthOf(host.inputs('wait'), 5)
  })

  it('Blob and File are equal by size, type and name (SPEC §5)', async () => {
    const { result, host } = await held(
      `const f = new File(['abc'], 'n.txt', { type: 'text/plain' }); await sdk.echo(f); await sdk.notes.remove({ f, b: new Blob(['xy']) }); return f.lastModified > 0`,
    )
    const end = await resume(result, { all: 'approve' })
    assert.equal(end.value, true, explain(end))
    assert.lengthOf(host.ran(), 2)
  })

  it('an input with a cycle, NaN, -0, holes and Maps equals itself on replay (SPEC §5)', async () => {
    const { result, host } = await held(
      `const a = { n: NaN, z: -0, h: [1, , 3], m: new Map([[{ k: 1 }, new Set([2n])]]), d: new Date(3), e: new Error('x'), u: undefined }; a.me = a; await sdk.echo(a); await sdk.notes.remove(a); return 1`,
    )
    const end = await resume(result, { all: 'approve' })
    assert.equal(end.status, 'ok', explain(end))
    assert.deepEqual(host.ran(), ['echo', 'notes.remove'])
  })
})

describe('several rounds', () => {
  it('two rounds: each approved call runs once, and ids are unique (F36)', async () => {
    const { result, rows, host } = await held(
      'const r = await sdk.notes.remove({ id: 1 }); const s = await sdk.notes.remove({ id: r.next }); return s.ok',
    )
    assert.lengthOf(rows, 1)
    const second = await resume(result, { all: 'approve' })
    assert.equal(second.status, 'pending', explain(second))
    assert.deepEqual(
      second.pending?.map((row) => row.input),
      [{ id: 2 }],
    )
    assert.notEqual(second.pending?.[0]?.callId, rows[0]?.callId)
    const end = await resume(second, { all: 'approve' })
    assert.equal(end.value, true, explain(end))
    assert.deepEqual(host.inputs('notes.remove'), [{ id: 1 }, { id: 2 }])
  })

  it('a chain of ten rounds (F36)', async function () {
    this.timeout(60_000)
    const { result, host } = await held(
      'let id = 1; for (let i = 0; i < 10; i++) id = (await sdk.notes.remove({ id })).next; return id',
    )
    const ids = new Set<string>()
    let current = result
    let rounds = 0
    while (current.status === 'pending') {
      rounds++
      for (const row of current.pending ?? []) {
        assert.isFalse(ids.has(row.callId))
        ids.add(row.callId)
      }
      current = await resume(current, { all: 'approve' })
    }
    assert.equal(current.value, 11, explain(current))
    assert.equal(rounds, 10)
    assert.deepEqual(
      host.inputs('notes.remove'),
      Array.from({ length: 10 }, (_, i) => ({ id: i + 1 })),
    )
  })

  it('a rejection in an early round holds in later ones and is not asked again (SPEC §5)', async () => {
    const { result, host } = await held(`
      let out = []
      try { await sdk.notes.remove({ id: 1 }); out.push('ran') } catch (e) { out.push(e.message) }
      const r = await sdk.notes.remove({ id: 2 })
      const s = await sdk.notes.remove({ id: r.next })
      return [...out, s.id]`)
    const [a, b] = result.pending?.map((row) => row.callId) as [string, string]
    const second = await resume(result, { approve: [b], reject: [a], reasons: { [a]: 'because' } })
    assert.deepEqual(
      second.pending?.map((row) => row.input),
      [{ id: 3 }],
      explain(second),
    )
    const end = await resume(second, { all: 'approve' })
    assert.equal(end.status, 'ok', explain(end))
    assert.include((end.value as string[])[0], 'because')
    assert.deepEqual(host.inputs('notes.remove'), [{ id: 2 }, { id: 3 }])
  })

  it('after a resume, logs and calls list each line and call once, as in the last pass (SPEC §2)', async () => {
    const { result } = await held(
      'console.log("start"); const l = await sdk.notes.list(); console.log(l.length); const r = await sdk.notes.remove({ id: 1 }); console.log("removed", r.id); return 1',
    )
    assert.deepEqual(
      result.logs.map((line) => line.text),
      ['start', '5'],
    )
    const end = await resume(result, { all: 'approve' })
    assert.deepEqual(
      end.logs.map((line) => line.text),
      ['start', '5', 'removed 1'],
      explain(end),
    )
    assert.deepEqual(
      end.calls.map((call) => [call.seq, call.fn, call.state]),
      [
        [1, 'notes.list', 'ok'],
        [2, 'notes.remove', 'ok'],
      ],
    )
    assert.equal(end.calls[0]?.callId, result.calls[0]?.callId)
    assert.equal(end.calls[1]?.callId, result.pending?.[0]?.callId)
  })

  for (const [what, code, before, after] of [
    [
      'a rejection that nobody handled, which engines report later in a replay',
      "Promise.reject(new Error('late')); await sdk.wait({ ms: 20 }); console.log('A'); await gone(); console.log('C')",
      ['late', 'A'],
      ['C'],
    ],
    [
      'several of them between other lines',
      "for (let i = 0; i < 3; i++) { console.log('A' + i); Promise.reject(new Error('late' + i)); await sdk.wait({ ms: 20 }) } console.log('B'); await gone(); console.log('C')",
      ['A0', 'late0', 'A1', 'late1', 'A2', 'late2', 'B'],
      ['C'],
    ],
    [
      'the same line again and again',
      "console.log('x'); console.log('x'); await sdk.wait({ ms: 1 }); console.log('y'); await gone(); console.log('x'); console.log('y')",
      ['x', 'x', 'y'],
      ['x', 'y'],
    ],
  ] as [string, string, string[], string[]][]) {
    it(`each line is listed once and gives one event: ${what} (SPEC §2)`, async () => {
      const events: string[] = []
      const told = (text: string) => /late\d?/.exec(text)?.[0] ?? text
      const { result } = await held(
        `const gone = async () => (await sdk.notes.remove({ id: 1 })).id
        ${code}; return 1`,
        {
          onEvent: (event: { type: string; text?: string }) =>
            event.type === 'log' && events.push(told(event.text ?? '')),
        },
      )
      assert.deepEqual(
        result.logs.map((line) => told(line.text)),
        before,
      )
      assert.deepEqual(events, before)
      const end = await resume(result, { all: 'approve' })
      assert.equal(end.value, 1, explain(end))
      assert.sameMembers(
        end.logs.map((line) => told(line.text)),
        [...before, ...after],
      )
      assert.deepEqual(events, [...before, ...after])
    })
  }

  it('a line that shows what waited is another one when it has run; the order is that of the last pass (SPEC §2)', async () => {
    const { result: printed } = await held(
      'for (const id of [1, 2]) { const gone = await sdk.notes.remove({ id }); console.log("removed", gone) } console.log("done")',
    )
    assert.deepEqual(
      printed.logs.map((line) => line.text),
      ['removed [pending]', 'removed [pending]', 'done'],
    )
    const end = await resume(printed, { all: 'approve' })
    assert.deepEqual(
      end.logs.map((line) => line.text.slice(0, 9)),
      ['removed {', 'removed {', 'done'],
      explain(end),
    )
  })

  it('replayed calls keep their recorded ms (SPEC §2)', async () => {
    const { result } = await held('await sdk.wait({ ms: 120 }); await sdk.notes.remove({ id: 1 }); return 1')
    const end = await resume(result, { all: 'approve' })
    assert.equal(end.calls[0]?.ms, result.calls[0]?.ms)
    assert.isAtLeast(end.calls[0]?.ms ?? 0, 110)
  })

  it('timings are summed over passes (SPEC §2)', async () => {
    const { result } = await held('await sdk.wait({ ms: 60 }); await sdk.notes.remove({ id: 1 }); return 1')
    const end = await resume(result, { all: 'approve' })
    assert.isAtLeast(end.timings.total, result.timings.total)
    assert.isAtLeast(end.timings.host, result.timings.host)
  })
})

describe('what differs', () => {
  // Two passes of a program cannot share state, so a difference is made on the
  // host's side: the journal is changed, as a damaged store would.
  const changed = async (code: string, change: (text: string) => string) => {
    const { result, host } = await held(code)
    const continuation = structuredClone(result.continuation) as Record<string, unknown>
    const key = Object.keys(continuation).find((each) => continuation[each] === code)
    assert.isDefined(key, 'the continuation holds the program')
    continuation[key as string] = change(code)
    return {
      host,
      result: await shared.resume(continuation, { functions: host.functions, decisions: { all: 'approve' } }),
    }
  }

  for (const [claim, code, change] of [
    [
      'another input of a marked call (F07)',
      'await sdk.notes.remove({ id: 1 }); return 1',
      (c: string) => c.replace('id: 1', 'id: 2'),
    ],
    [
      'another marked function',
      'await sdk.notes.remove({ id: 1 }); return 1',
      (c: string) => c.replace('notes.remove', 'mail.send'),
    ],
    [
      'a marked call more',
      'await sdk.notes.remove({ id: 1 }); return 1',
      (c: string) => `await sdk.mail.send({}); ${c}`,
    ],
    [
      'a marked call more at the end',
      'await sdk.notes.remove({ id: 1 }); return 1',
      (c: string) => c.replace('return', 'await sdk.mail.send({}); return'),
    ],
    [
      'a marked call less',
      'await sdk.notes.remove({ id: 1 }); await sdk.notes.remove({ id: 2 }); return 1',
      (c: string) => c.replace('await sdk.notes.remove({ id: 2 });', ''),
    ],
    [
      'an unmarked call more',
      'await sdk.echo(1); await sdk.notes.remove({ id: 1 }); return 1',
      (c: string) => `await sdk.echo(0); ${c}`,
    ],
    [
      'an unmarked call less',
      'await sdk.echo(1); await sdk.notes.remove({ id: 1 }); return 1',
      (c: string) => c.replace('await sdk.echo(1);', ''),
    ],
    [
      'another unmarked input',
      'await sdk.echo(1); await sdk.notes.remove({ id: 1 }); return 1',
      (c: string) => c.replace('echo(1)', 'echo(-1)'),
    ],
    [
      '-0 for 0',
      'await sdk.echo({ n: 0 }); await sdk.notes.remove({ id: 1 }); return 1',
      (c: string) => c.replace('n: 0', 'n: -0'),
    ],
    [
      'undefined for absent',
      'await sdk.notes.remove({ id: 1 }); return 1',
      (c: string) => c.replace('id: 1', 'id: 1, x: undefined'),
    ],
    [
      'another order',
      'await sdk.notes.remove({ id: 1 }); await sdk.notes.remove({ id: 2 }); return 1',
      () => 'await sdk.notes.remove({ id: 2 }); await sdk.notes.remove({ id: 1 }); return 1',
    ],
    [
      'a throw before the call',
      'await sdk.notes.remove({ id: 1 }); return 1',
      (c: string) => `throw new Error('other way'); ${c}`,
    ],
  ] as [string, string, (code: string) => string][]) {
    it(`${claim} ends as ReplayMismatch, and nothing has run`, async () => {
      const { result, host } = await changed(code, change)
      assert.equal(result.status, 'error', explain(result))
      assert.equal(result.error?.name, 'ReplayMismatch', explain(result))
      assert.notInclude(host.ran(), 'notes.remove')
      assert.notInclude(host.ran(), 'mail.send')
    })
  }

  it('a check pass that meets a limit ends the run so, nothing having run (SPEC §5)', async () => {
    const { result, host } = await changed('await sdk.notes.remove({ id: 1 }); return 1', (c) => `while (true) {} ${c}`)
    assert.equal(result.status, 'limit', explain(result))
    assert.deepEqual(host.ran(), [])
  }).timeout(30_000)

  it('a program that tells a pending value from a real one without observing it ends as ReplayMismatch before that call runs (SPEC §4, §5)', async () => {
    const host = makeHost({
      'notes.remove': {
        call: (input: unknown) => (host.ledger.push({ fn: 'notes.remove', input }), null),
        approval: true,
      },
    })
    const { result } = await held(
      `const p = await sdk.notes.remove({ id: 1 }); if (p) await sdk.mail.send({ to: 'truthy' }); else await sdk.mail.send({ to: 'falsy' }); return 1`,
      { host },
    )
    assert.deepEqual(
      result.pending?.map((row) => row.input),
      [{ id: 1 }, { to: 'truthy' }],
    )
    const end = await resume(result, { all: 'approve' })
    assert.equal(end.error?.name, 'ReplayMismatch', explain(end))
    assert.deepEqual(host.inputs('mail.send'), [])
    assert.equal(end.calls[0]?.state, 'ok', '`calls` tells what ran')
    assert.deepEqual(host.inputs('notes.remove'), [{ id: 1 }])
  })

  it('a body that ends before making all recorded calls ends as ReplayMismatch (SPEC §5)', async () => {
    const host = makeHost({ 'notes.remove': { call: () => null, approval: true } })
    const { result } = await held(
      `const p = await sdk.notes.remove({ id: 1 }); if (p) await sdk.mail.send({ to: 'truthy' }); return 1`,
      { host },
    )
    const end = await resume(result, { all: 'approve' })
    assert.equal(end.error?.name, 'ReplayMismatch', explain(end))
    assert.deepEqual(host.inputs('mail.send'), [])
  })
})

describe('after a rejection or a failure (SPEC §5)', () => {
  it('the program may go its own way: an equal approved call is used, any other marked call becomes pending', async () => {
    const { result, host } = await held(`
      try { await sdk.notes.remove({ id: 1 }); await sdk.notes.remove({ id: 2 }); return 'both' }
      catch { const r = await sdk.notes.remove({ id: 2 }); const s = await sdk.mail.send({ to: 'me', body: 'partly' }); return [r.ok, s.sent] }`)
    const [a, b] = result.pending?.map((row) => row.callId) as [string, string]
    const second = await resume(result, { approve: [b], reject: [a] })
    assert.equal(second.status, 'pending', explain(second))
    assert.deepEqual(
      second.pending?.map((row) => row.input),
      [{ to: 'me', body: 'partly' }],
    )
    assert.deepEqual(host.ran(), ['notes.remove'])
    const end = await resume(second, { all: 'approve' })
    assert.deepEqual(end.value, [true, true], explain(end))
    assert.deepEqual(host.inputs('notes.remove'), [{ id: 2 }])
  })

  it('a branch that the body does not await may go its own way too: whether calls are missing is seen at the end', async () => {
    const failing = makeHost({
      'mail.send': {
        call: () => {
          throw new Error('no')
        },
        approval: true,
      },
    })
    for (const [code, host, reject, status] of [
      [
        `[1, 2].forEach(async (id) => { try { await sdk.notes.remove({ id }); await sdk.echo('done' + id) } catch (e) { console.log(id, e.name) } })`,
        makeHost(),
        [1],
        'ok',
      ],
      [`sdk.notes.remove({ id: 1 }).then(() => sdk.notes.remove({ id: 2 }), () => {})`, makeHost(), [0, 1], 'ok'],
      [
        `(async () => { for (const id of [1, 2, 3]) await sdk.notes.remove({ id }) })().catch((e) => console.log(e.name)); return 5`,
        makeHost(),
        [1],
        'ok',
      ],
      [
        `(async () => { await sdk.mail.send({ bad: 1 }); await sdk.notes.remove({ id: 2 }) })().catch(() => {})`,
        failing,
        [],
        'ok',
      ],
    ] as const) {
      const { result } = await held(code, { host })
      const ids = (result.pending ?? []).map(({ callId }) => callId)
      const rejected = ids.filter((_, i) => (reject as readonly number[]).includes(i))
      const end = await resume(result, { approve: ids.filter((id) => !rejected.includes(id)), reject: rejected })
      assert.equal(end.status, status, `${code}\n${explain(end)}`)
    }
  })

  it('an unmarked call equal to an unused recorded one gets its outcome; any other runs', async () => {
    const { result, host } = await held(`
      try { await sdk.notes.remove({ id: 1 }) } catch { const x = await sdk.echo('other'); return [x, (await sdk.notes.get({ id: 5 })).id] }
      const y = await sdk.notes.get({ id: 5 })
      return y.id`)
    assert.deepEqual(host.ran(), ['notes.get'])
    const end = await resume(result, { all: 'reject' })
    assert.deepEqual(end.value, ['other', 5], explain(end))
    assert.deepEqual(host.ran(), ['notes.get', 'echo'])
  })

  it('what ran in an earlier round and is not called again stays in the list, in its place', async () => {
    const { result, host } = await held(`
      let id = 1
      const removed = sdk.notes.remove({ id: 1 })
      try { await removed } catch { id = 2 }
      await sdk.echo({ id })
      await sdk.mail.send({ id })
      return id`)
    const ran = host.ran()
    assert.deepEqual(ran, ['echo'])
    let end = await resume(result, { all: 'reject' })
    assert.equal(end.status, 'pending', explain(end))
    end = await shared.resume(structuredClone(end.continuation), {
      functions: host.functions,
      decisions: { all: 'approve' },
    })
    assert.equal(end.value, 2, explain(end))
    assert.deepEqual(
      end.calls.map(({ seq, fn, input, state }) => [seq, fn, (input as { id: number }).id, state]),
      [
        [1, 'notes.remove', 1, 'rejected'],
        [2, 'echo', 1, 'ok'],
        [3, 'mail.send', 1, 'cancelled'],
        [4, 'echo', 2, 'ok'],
        [5, 'mail.send', 2, 'ok'],
      ],
    )
    assert.deepEqual(host.ran(), ['echo', 'echo', 'mail.send'])
  })

  it('an approved call that is not reached is not executed', async () => {
    const { result, host } = await held(`
      try { await sdk.notes.remove({ id: 1 }) } catch { return 'stopped' }
      await sdk.notes.remove({ id: 2 })
      return 'both'`)
    const [a, b] = result.pending?.map((row) => row.callId) as [string, string]
    const end = await resume(result, { approve: [b], reject: [a] })
    assert.equal(end.value, 'stopped', explain(end))
    assert.deepEqual(host.ran(), [])
  })

  it('an approval is used once: a second equal call becomes pending', async () => {
    const { result, host } = await held(`
      try { await sdk.notes.remove({ id: 1 }) } catch {}
      const p = await sdk.notes.remove({ id: 2 })
      const q = await sdk.notes.remove({ id: 2 })
      return [p, q]`)
    const [a, b, c] = result.pending?.map((row) => row.callId) as [string, string, string]
    const end = await resume(result, { approve: [b], reject: [a, c] })
    assert.notEqual(end.status, 'pending', explain(end))
    assert.deepEqual(host.inputs('notes.remove'), [{ id: 2 }])
  })

  it('an approved call that fails throws its error, which a program may catch and go on from', async () => {
    const host = makeHost({
      'notes.remove': {
        call: (input: { id: number }) => {
          host.ledger.push({ fn: 'notes.remove', input })
          if (input.id === 1) throw new Error('no such note')
          return { ok: true }
        },
        approval: true,
      },
    })
    const { result } = await held(
      'const out = []; for (const id of [1, 2]) try { await sdk.notes.remove({ id }); out.push("ran") } catch (e) { out.push(e.message) } return out',
      { host },
    )
    const end = await resume(result, { all: 'approve' })
    assert.equal(end.status, 'ok', explain(end))
    assert.include((end.value as string[])[0], 'no such note')
    assert.equal((end.value as string[])[1], 'ran')
    assert.deepEqual(
      end.calls.map((call) => call.state),
      ['error', 'ok'],
    )
    assert.deepEqual(host.inputs('notes.remove'), [{ id: 1 }, { id: 2 }])
  })

  it('a call that ran and failed is not tried again in a later round (SPEC §5.3)', async () => {
    const host = makeHost({
      'notes.remove': {
        call: (input: { id: number }) => {
          host.ledger.push({ fn: 'notes.remove', input })
          throw new Error('no such note')
        },
        approval: true,
      },
    })
    const { result } = await held(
      `
      let m
      try { const r = await sdk.notes.remove({ id: 1 }); r.x } catch (e) { m = e.message }
      const s = await sdk.mail.send({ body: m })
      return [m, s.sent]`,
      { host },
    )
    const second = await resume(result, { all: 'approve' })
    assert.equal(second.status, 'pending', explain(second))
    const end = await resume(second, { all: 'approve' })
    assert.equal(end.status, 'ok', explain(end))
    assert.lengthOf(host.inputs('notes.remove'), 1)
    assert.include((end.value as string[])[0], 'no such note')
  })

  it('a read that failed fails the same on replay and is not repeated (SPEC §5)', async () => {
    const { result, host } = await held(
      'let m; try { await sdk.fail({}) } catch (e) { m = e.message } await sdk.notes.remove({ id: 1 }); return m',
    )
    const end = await resume(result, { all: 'approve' })
    assert.include(String(end.value), 'the host says no')
    assert.lengthOf(host.inputs('fail'), 1)
  })

  it('the stored snapshot runs, not an equal input that the replay sends (SPEC §4)', async () => {
    // Files are equal by size, type and name: the replay can send other bytes.
    const seen: string[] = []
    const host = makeHost({
      'notes.remove': { call: () => null, approval: true },
      'file.put': { call: async (input: File) => seen.push(await input.text()), approval: true },
    })
    const { result, rows } = await held(
      `const p = await sdk.notes.remove({ id: 1 }); await sdk.file.put(new File([p ? 'shown' : 'other'], 'same.txt')); return 1`,
      { host },
    )
    assert.equal(await (rows[1]?.input as File).text(), 'shown')
    const end = await resume(result, { all: 'approve' })
    assert.equal(end.status, 'ok', explain(end))
    assert.deepEqual(seen, ['shown'])
  })

  it('what the host does to a pending row’s input does not change what runs (F20)', async () => {
    const { result, rows, host } = await held('await sdk.notes.remove({ id: 1 }); return 1')
    ;(rows[0] as { input: { id: number } }).input.id = 99
    const end = await resume(result, { all: 'approve' })
    assert.equal(end.status, 'ok', explain(end))
    assert.deepEqual(host.inputs('notes.remove'), [{ id: 1 }])
  })

  it('a result that the host function changes later is not what replays give', async () => {
    const value = { list: [1] }
    const host = makeHost({ 'value.get': () => value })
    const { result } = await held(
      'const v = await sdk.value.get(); const r = await sdk.notes.remove({ n: v.list.length }); return [v.list.length, r.ok]',
      { host },
    )
    value.list.push(2)
    const end = await resume(result, { all: 'approve' })
    assert.deepEqual(end.value, [1, true], explain(end))
  })
})

after(() => shared.dispose())
