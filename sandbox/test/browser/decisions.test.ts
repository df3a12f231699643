// F13, F14, F16, F29, F32 and SPEC §2: decisions and the single use of resume.
import { assert } from 'chai'
import { makeHost } from '../fixture/host.js'
import { type Decisions, explain, held, makeSandbox, rejection, resume, run, shared } from '../fixture/sandbox.js'

const TWO =
  'const out = []; for (const id of [1, 2]) try { await sdk.notes.remove({ id }); out.push("ran " + id) } catch (e) { out.push(e.name) } return out'

describe('decisions', () => {
  it('a malformed set is a TypeError that changes nothing, and a right one works afterwards (F14)', async () => {
    const { result, rows, host } = await held(TWO)
    const [a, b] = rows.map((row) => row.callId) as [string, string]
    const other = (await held('await sdk.notes.remove({ id: 9 }); return 1')).rows[0]?.callId
    const malformed: unknown[] = [
      null,
      undefined,
      {},
      [],
      'approve',
      { all: 'yes' },
      { all: true },
      { all: 'approve', reject: [a] },
      { all: 'approve', approve: [a, b], reject: [] },
      { approve: [a, a, b], reject: [] },
      { approve: [a, b], reject: [b] },
      { approve: [a], reject: [a] },
      { approve: ['nope'], reject: [a, b] },
      { approve: [a], reject: [] },
      { approve: [a] },
      { reject: [b] },
      { approve: a, reject: [b] },
      { approve: [a, [b]], reject: [] },
      { approve: [a, b, other === a || other === b ? 'x' : other], reject: [] },
      { approve: [a], reject: [b], reasons: 'no' },
      { approve: [a], reject: [b], reasons: { [b]: 5 } },
    ]
    for (const decisions of malformed) {
      const error = await rejection(resume(result, decisions as Decisions))
      assert.instanceOf(error, TypeError, JSON.stringify(decisions))
      assert.deepEqual(host.ran(), [], JSON.stringify(decisions))
    }
    const end = await resume(result, { approve: [a], reject: [b] })
    assert.deepEqual(end.value, ['ran 1', 'ApprovalRejected'], explain(end))
    assert.deepEqual(host.inputs('notes.remove'), [{ id: 1 }])
  })

  it('the order in which ids are given does not matter', async () => {
    const { result, rows, host } = await held(TWO)
    const [a, b] = rows.map((row) => row.callId) as [string, string]
    const end = await resume(result, { approve: [b, a], reject: [] })
    assert.deepEqual(end.value, ['ran 1', 'ran 2'], explain(end))
    assert.deepEqual(host.inputs('notes.remove'), [{ id: 1 }, { id: 2 }])
  })

  it('all: reject throws at every site and runs nothing', async () => {
    const { result, host } = await held(TWO)
    const end = await resume(result, { all: 'reject' })
    assert.deepEqual(end.value, ['ApprovalRejected', 'ApprovalRejected'], explain(end))
    assert.deepEqual(host.ran(), [])
    assert.deepEqual(
      end.calls.map((call) => call.state),
      ['rejected', 'rejected'],
    )
  })

  it('a double click runs once: the second use is refused (F13)', async () => {
    const { result, host } = await held(TWO)
    const both = await Promise.allSettled([resume(result, { all: 'approve' }), resume(result, { all: 'approve' })])
    const refused = both.filter((each) => each.status === 'rejected')
    assert.lengthOf(refused, 1)
    assert.instanceOf((refused[0] as PromiseRejectedResult).reason, TypeError)
    assert.deepEqual(host.inputs('notes.remove'), [{ id: 1 }, { id: 2 }])
    assert.instanceOf(await rejection(resume(result, { all: 'approve' })), TypeError)
    assert.lengthOf(host.ran(), 2)
  })

  it('approving after a rejection has no effect (F29)', async () => {
    const { result, host } = await held(TWO)
    await resume(result, { all: 'reject' })
    assert.instanceOf(await rejection(resume(result, { all: 'approve' })), TypeError)
    assert.deepEqual(host.ran(), [])
  })

  it('a resume that met a limit is spent (F29)', async () => {
    const { result, host } = await held('const r = await sdk.notes.remove({ id: 1 }); if (r.ok) while (true) {}', {
      limits: { busyMs: 400 },
    })
    const end = await resume(result, { all: 'approve' })
    assert.equal(end.status, 'limit', explain(end))
    assert.instanceOf(await rejection(resume(result, { all: 'approve' })), TypeError)
    assert.deepEqual(host.ran(), ['notes.remove'])
  })

  it('of three equal calls the approved one is the one that runs (F16)', async () => {
    const { result, rows, host } = await held(`
      const out = []
      for (let i = 0; i < 3; i++) try { await sdk.notes.remove({ id: 7 }); out.push('ran') } catch (e) { out.push(e.name) }
      return out`)
    assert.lengthOf(rows, 3)
    const [a, b, c] = rows.map((row) => row.callId) as [string, string, string]
    assert.equal(new Set([a, b, c]).size, 3)
    const end = await resume(result, { approve: [b], reject: [a, c] })
    assert.deepEqual(end.value, ['ApprovalRejected', 'ran', 'ApprovalRejected'], explain(end))
    assert.deepEqual(host.inputs('notes.remove'), [{ id: 7 }])
    assert.deepEqual(
      end.calls.map((call) => call.state),
      ['rejected', 'ok', 'rejected'],
    )
  })

  it('eight of sixteen: each runs or throws at its own site, in order (F32)', async () => {
    const { result, rows, host } = await held(
      'const out = []; for (let id = 1; id <= 16; id++) try { await sdk.notes.remove({ id }); out.push(id) } catch (e) { out.push(e.name) } return out',
    )
    assert.lengthOf(rows, 16)
    const even = rows.filter((row) => (row.input as { id: number }).id % 2 === 0).map((row) => row.callId)
    const odd = rows.filter((row) => (row.input as { id: number }).id % 2 === 1).map((row) => row.callId)
    const end = await resume(result, { approve: even, reject: odd })
    assert.deepEqual(
      end.value,
      Array.from({ length: 16 }, (_, i) => ((i + 1) % 2 === 0 ? i + 1 : 'ApprovalRejected')),
      explain(end),
    )
    assert.deepEqual(
      host.inputs('notes.remove'),
      [2, 4, 6, 8, 10, 12, 14, 16].map((id) => ({ id })),
    )
  })

  it('a rejection that is not caught ends the run as error; approved calls behind it do not run (SPEC §5)', async () => {
    const { result, rows, host } = await held(
      'await sdk.notes.remove({ id: 1 }); await sdk.notes.remove({ id: 2 }); return 1',
    )
    const [a, b] = rows.map((row) => row.callId) as [string, string]
    const end = await resume(result, { approve: [b], reject: [a] })
    assert.equal(end.status, 'error', explain(end))
    assert.equal(end.error?.name, 'ApprovalRejected')
    assert.deepEqual(host.ran(), [])
  })
})

describe('continuation (SPEC §2)', () => {
  it('is structured-cloneable, without functions, and resumes in a new sandbox', async () => {
    const first = makeSandbox()
    const { result, host } = await held(
      'const n = (await sdk.notes.list()).length; const r = await sdk.notes.remove({ id: n }); return [n, r.ok, Math.random() < 2]',
      { sandbox: first },
    )
    const stored = structuredClone(result.continuation)
    first.dispose()
    const second = makeSandbox()
    const end = await second.resume(stored, { functions: host.functions, decisions: { all: 'approve' } })
    assert.deepEqual(end.value, [5, true, true], explain(end))
    assert.deepEqual(host.ran(), ['notes.list', 'notes.remove'])
    assert.equal(end.runId, result.runId)
    second.dispose()
  })

  it('survives IndexedDB, as in a page opened later', async () => {
    const { result, host } = await held(
      'const d = new Date(); const r = await sdk.notes.remove({ id: 1 }); return [r.ok, d instanceof Date]',
    )
    const open = indexedDB.open(`continuation-${result.runId}`)
    open.onupgradeneeded = () => open.result.createObjectStore('runs')
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      open.onsuccess = () => resolve(open.result)
      open.onerror = () => reject(open.error)
    })
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    await done(database.transaction('runs', 'readwrite').objectStore('runs').put(result.continuation, 'one'))
    const stored = await done(database.transaction('runs').objectStore('runs').get('one'))
    database.close()
    indexedDB.deleteDatabase(`continuation-${result.runId}`)
    const end = await shared.resume(stored, { functions: host.functions, decisions: { all: 'approve' } })
    assert.deepEqual(end.value, [true, true], explain(end))
  })

  it('a malformed continuation is a TypeError and nothing runs', async () => {
    const { result, host } = await held('await sdk.notes.remove({ id: 1 }); return 1')
    const whole = result.continuation as Record<string, unknown>
    for (const continuation of [
      null,
      undefined,
      {},
      [],
      'text',
      5,
      { ...whole, code: 5 },
      Object.fromEntries(Object.keys(whole).map((key) => [key, null])),
    ]) {
      const error = await rejection(
        shared.resume(continuation, { functions: host.functions, decisions: { all: 'approve' } }),
      )
      assert.instanceOf(error, TypeError)
    }
    assert.deepEqual(host.ran(), [])
  })

  it('every member of a continuation changed for rubbish is refused or runs nothing unseen', async () => {
    const { result, host } = await held('const n = await sdk.echo(1); await sdk.notes.remove({ id: n }); return 1')
    const whole = result.continuation as Record<string, unknown>
    for (const key of Object.keys(whole)) {
      for (const rubbish of [null, 5, 'x', [], {}, [null], [{}]]) {
        try {
          await shared.resume(
            { ...structuredClone(whole), [key]: rubbish },
            { functions: host.functions, decisions: { all: 'approve' } },
          )
        } catch (error) {
          assert.instanceOf(error, TypeError, `${key} = ${JSON.stringify(rubbish)}`)
        }
        for (const { fn, input } of host.ledger) if (fn === 'notes.remove') assert.deepEqual(input, { id: 1 })
      }
    }
  })

  it('a function missing at resume is a TypeError before anything runs', async () => {
    const { result, host } = await held('await sdk.notes.remove({ id: 1 }); await sdk.mail.send({ to: "a" }); return 1')
    const fewer = makeHost()
    const error = await rejection(
      shared.resume(result.continuation, {
        functions: { 'notes.remove': { call: () => fewer.ledger.push({ fn: 'x', input: 1 }), approval: true } },
        decisions: { all: 'approve' },
      }),
    )
    assert.instanceOf(error, TypeError)
    assert.include(error.message, 'mail.send')
    assert.deepEqual(fewer.ran(), [])
    assert.deepEqual(host.ran(), [])
  })

  it('a recorded row is decided by its decision, whatever the map says now (SPEC §2)', async () => {
    const { result } = await held('try { await sdk.notes.remove({ id: 1 }); return "ran" } catch (e) { return e.name }')
    const unmarked = makeHost({
      'notes.remove': (input: unknown) => unmarked.ledger.push({ fn: 'notes.remove', input }),
    })
    const end = await shared.resume(result.continuation, {
      functions: unmarked.functions,
      decisions: { all: 'reject' },
    })
    assert.equal(end.value, 'ApprovalRejected', explain(end))
    assert.deepEqual(unmarked.ran(), [])
  })

  it('works after a first round that was resumed with the result, in a later round', async () => {
    const { result, host } = await held(
      'const r = await sdk.notes.remove({ id: 1 }); const s = await sdk.notes.remove({ id: r.next }); return s.id',
    )
    const second = await resume(result, { all: 'approve' })
    assert.equal(second.status, 'pending', explain(second))
    const end = await shared.resume(structuredClone(second.continuation), {
      functions: host.functions,
      decisions: { all: 'approve' },
    })
    assert.equal(end.value, 2, explain(end))
    assert.deepEqual(host.inputs('notes.remove'), [{ id: 1 }, { id: 2 }])
  })

  it('resume after SandboxUnavailable may be repeated (SPEC §2)', async () => {
    const { result, host } = await held('await sdk.notes.remove({ id: 1 }); return "done"')
    const broken = makeSandbox({ frame: { url: '/sandbox-empty.html' }, bootTimeoutMs: 300 })
    const failed = await broken.resume(result.continuation, {
      functions: host.functions,
      decisions: { all: 'approve' },
    })
    assert.equal(failed.error?.name, 'SandboxUnavailable', explain(failed))
    broken.dispose()
    assert.deepEqual(host.ran(), [])
    const end = await resume(result, { all: 'approve' })
    assert.equal(end.value, 'done', explain(end))
  })

  it('a result that is not pending has neither resume nor continuation', async () => {
    const { result } = await run('return 1')
    assert.isUndefined(result.resume)
    assert.isUndefined(result.continuation)
    assert.isUndefined(result.pending)
  })
})

after(() => shared.dispose())
