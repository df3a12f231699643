// PROTOCOL.md, outcomes ahead of their calls: a program that is repeated sees
// what it saw, in the same order of tasks and microtasks, however early the
// recorded outcomes come.
import { assert } from 'chai'
import { type Host, makeHost } from '../fixture/host.js'
import { approveAll, explain, held, type Options, resume, run, shared } from '../fixture/sandbox.js'

const before = `
  const trace = []
  const note = (what) => { trace.push(what); return what }
  const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
`

/**
 * Runs a program that notes what it sees, and goes on with it round after round. What it noted is the input
 * of a marked call: a pass in which it saw another thing ends as ReplayMismatch. Each call must run once.
 */
async function repeats(code: string, options: Options = {}) {
  const { result, host } = await held(
    `${before}${code}\nawait sdk.notes.remove({ id: 1, trace })\nreturn trace`,
    options,
  )
  const ran = host.ran()
  const end = await approveAll(result)
  assert.equal(end.status, 'ok', explain(end))
  assert.deepEqual(host.ran(), [...ran, 'notes.remove'])
  assert.deepEqual(host.inputs('notes.remove'), [{ id: 1, trace: end.value }])
  return { first: result, end, trace: end.value as unknown[], host }
}

/** How often a program must do something simple to take about `ms`; its own clock stands still meanwhile. */
const rounds = async (ms: number) => {
  const { result } = await run(
    `const began = performance.now()
     let [sum, rounds] = [0, 0]
     while (performance.now() - began < 100) for (let n = 0; n < 100_000; n++) sum += Math.sqrt(rounds++)
     return rounds / 100`,
  )
  return Math.round((result.value as number) * ms)
}

describe('outcomes ahead of their calls', function () {
  this.timeout(60_000)

  it('calls one after the other, more than travel at once', async () => {
    const { trace, end } = await repeats(
      'for (let i = 0; i < 700; i++) { note(await sdk.echo(i)); note(Date.now()) }',
      { limits: { calls: 1_000 } },
    )
    assert.lengthOf(trace, 1_400)
    assert.lengthOf(end.calls, 701)
  })

  it('calls at once, whose outcomes come in another order than they are made in', async () => {
    const { trace } = await repeats(
      `await Promise.all(Array.from({ length: 30 }, (_, i) => sdk.wait({ ms: (7 * i) % 30 * 4, i }).then(async ({ i }) => {
        note(i); note(Date.now()); await sdk.echo(i); note(-i)
      })))`,
    )
    assert.lengthOf(trace, 90)
  })

  it('more calls at once than travel ahead, the last one answered first', async () => {
    const release: (() => void)[] = []
    const gate = (i: number) =>
      new Promise((resolve) => {
        release.push(() => resolve(i))
        if (release.length === 700) setTimeout(() => release.reverse().map((open) => open()))
      })
    const { trace } = await repeats(
      'await Promise.all(Array.from({ length: 700 }, (_, i) => sdk.gate(i).then(note)))',
      { host: makeHost({ gate }), limits: { calls: 800, inFlight: 700 } },
    )
    assert.deepEqual(
      trace,
      Array.from({ length: 700 }, (_, i) => 699 - i),
    )
  })

  it('calls that are made long after their outcome is there', async () => {
    await repeats(`
      note(await sdk.echo('a'))
      await sleep(30)
      note(await sdk.echo('b'))
      for (let i = 0; i < 200; i++) note(await sdk.echo(i))
      await sleep(20)
      await Promise.all([sdk.echo('c').then(note), sdk.echo('d').then(note), sleep(5)])`)
  })

  it('an outcome that is kept is not taken in the task of its call, and between two all microtasks run', async () => {
    const { trace } = await repeats(`
      await sleep(20)
      const turns = async (name) => { for (let i = 0; i < 50; i++) await null; note(name + ' went on') }
      const made = ['a', 'b', 'c'].map((name) => sdk.echo(name).then((value) => { note(value); return turns(value) }))
      note('made')
      for (let i = 0; i < 100; i++) await null
      note('behind the microtasks of the call')
      await Promise.all(made)`)
    assert.deepEqual(trace, [
      'made',
      'behind the microtasks of the call',
      ...['a', 'b', 'c'].flatMap((name) => [name, `${name} went on`]),
    ])
  })

  it('a timer that is due goes before an outcome that took longer, whenever its call is made', async () => {
    for (const wait of ['', 'await sleep(25)']) {
      const { trace } = await repeats(`
        ${wait}
        for (let i = 0; i < 3; i++) {
          setTimeout(() => note('before ' + i))
          const made = sdk.wait({ ms: 25 }).then(() => note('outcome ' + i))
          setTimeout(() => note('after ' + i))
          await made
        }`)
      assert.deepEqual(
        trace,
        [0, 1, 2].flatMap((i) => [`before ${i}`, `after ${i}`, `outcome ${i}`]),
      )
    }
  })

  it('a program that waits for an outcome by one timer after the other gets it', async () => {
    const { trace } = await repeats(`
      await sleep(20)
      let done = false
      sdk.wait({ ms: 10 }).then(() => { done = true; })
      while (!done) await sleep(0)
      note(done)`)
    assert.deepEqual(trace, [true])
  })

  it('races go the recorded way', async () => {
    const { trace } = await repeats(`
      for (let i = 0; i < 4; i++)
        note((await Promise.race([sdk.wait({ ms: 400 - 100 * i, who: 'a' + i }), sdk.wait({ ms: 80 + 80 * i, who: 'b' + i })])).who)
      await sleep(15)
      note((await Promise.race([sdk.wait({ ms: 300, who: 'slow' }), sdk.wait({ ms: 3, who: 'fast' })])).who)`)
    assert.deepEqual(trace, ['b0', 'b1', 'a2', 'a3', 'fast'])
  })

  it('a call that a timer made while an outcome was on its way is made before that outcome again', async () => {
    const { host } = await repeats(`
      const w = sdk.wait({ ms: 60, who: 'first' }).then(({ who }) => note(who))
      await sleep(5)
      note(await sdk.echo(Date.now()))
      await w
      await Promise.all([1, 2].map(async (id, i) => {
        await sleep(i * 30)
        note((await sdk.wait({ ms: 60, id })).id)
        note(await sdk.echo([id, Date.now()]))
      }))`)
    assert.lengthOf(host.inputs('echo'), 3)
  })

  it('a race goes to the timer that had won it, and to the call that had', async () => {
    const { trace } = await repeats(`
      const late = (ms) => sleep(ms).then(() => 'too late')
      note(await Promise.race([sdk.wait({ ms: 150 }).then(() => 'slow call'), late(10)]))
      await sdk.echo('went on')
      note(await Promise.race([sdk.wait({ ms: 2 }).then(() => 'fast call'), late(300)]))
      const signal = AbortSignal.timeout(10)
      note(await Promise.race([
        sdk.wait({ ms: 150, by: 'signal' }).then(() => 'slow call'),
        new Promise((resolve) => signal.addEventListener('abort', () => resolve('aborted'))),
      ]))
      await sdk.echo('went on again')`)
    assert.deepEqual(trace, ['too late', 'fast call', 'aborted'])
  })

  it('a program is not busy while it waits for a recorded outcome that was long on its way', async () => {
    await repeats(
      `const slow = sdk.wait({ ms: 1_300 })
       for (let i = 0; i < 4; i++) { await sleep(250); await sdk.echo(i) }
       await slow
       await sdk.echo('end')`,
      { limits: { busyMs: 700 } },
    )
  })

  it('a program that computes between its calls is not busy for longer than it was', async () => {
    await repeats(
      `let sum = 0
       for (let i = 0; i < 8; i++) { await sdk.echo(i); for (let n = 0; n < input; n++) sum += Math.sqrt(n) }
       note(sum)`,
      { limits: { busyMs: 1_000 }, input: await rounds(200) },
    )
  })

  it('an input that is changed behind its call is what it was when the call was made', async () => {
    const { host } = await repeats(`
      const state = { n: 0, list: [] }
      for (; state.n < 80; state.n++) {
        const made = sdk.echo(state)
        state.list.push(state.n)
        note((await made).n)
      }`)
    assert.deepEqual(host.inputs('echo')[79], { n: 79, list: Array.from({ length: 79 }, (_, i) => i) })
  })

  it('digests between calls', async () => {
    await repeats(`
      for (let i = 0; i < 20; i++) {
        const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array([i])))
        note(await sdk.echo(hash[0]))
      }`)
  })

  it('what is thrown into the program, and left unhandled for a while, is in the log where it was', async () => {
    for (const wait of ['', 'await sleep(20)']) {
      const { first, end } = await repeats(`
        ${wait}
        const made = sdk.fail()
        await sdk.wait({ ms: 40 })
        console.log('between')
        await made.catch((error) => note(error.message))
        try { await sdk.fail({ how: 'type' }) } catch (error) { note(error.name) }
        await sdk.fail({ how: 'null' }).catch(note)`)
      const texts = first.logs.map(({ text }) => text)
      assert.match(texts[0] ?? '', /^Unhandled rejection: /)
      assert.equal(texts[1], 'between')
      assert.deepEqual(
        end.logs,
        first.logs.map((line, i) => ({ ...line, at: end.logs[i]?.at ?? 0 })),
      )
    }
  })

  it('bytes are the same in every pass, and the calls of the result keep theirs', async () => {
    const host = makeHost({
      bytes: (n: number) => ({ n, data: new Uint8Array(n).fill(n % 251) }),
      bare: (n: number) => new Uint8Array(n).fill(7),
    })
    const { end } = await repeats(
      `for (const n of [10, 300_000, 0, 1_500_000]) {
        const { data } = await sdk.bytes(n)
        note([data.length, data[data.length - 1]])
        const bare = await sdk.bare(n)
        note([bare.length, bare.every((byte) => byte === 7)])
      }`,
      { host },
    )
    assert.equal((end.calls[6]?.value as { data: Uint8Array }).data.length, 1_500_000)
    assert.equal((end.calls[7]?.value as Uint8Array).length, 1_500_000)
  })

  it('more than a megabyte of values', async () => {
    const host = makeHost({ text: (i: number) => String(i).padStart(200_000, '.') })
    const { trace } = await repeats(
      'for (let i = 0; i < 30; i++) note(Number((await sdk.text(i)).replaceAll(".", "")))',
      {
        host,
      },
    )
    assert.deepEqual(
      trace,
      Array.from({ length: 30 }, (_, i) => i),
    )
  })
})

describe('outcomes ahead, and decisions', function () {
  this.timeout(60_000)
  const many = (name: string, n = 150) => `for (let i = 0; i < ${n}; i++) note(await sdk.echo('${name}' + i))`

  it('a difference in the middle ends the run before anything ran', async () => {
    const code = `${before}${many('a')}\nnote(await sdk.echo('x'))\n${many('b')}\nreturn await sdk.notes.remove({ id: 1 })`
    for (const other of [`sdk.echo('y')`, `sdk.notes.list('x')`, `sdk.notes.remove({ id: 1 })`, `1`]) {
      const { result, host } = await held(code, { limits: { calls: 1_000 } })
      const ran = host.ran()
      const continuation = structuredClone(result.continuation) as { code: string }
      continuation.code = code.replace(`sdk.echo('x')`, other)
      const end = await shared.resume(continuation, {
        functions: host.functions,
        decisions: { all: 'approve' },
        limits: { calls: 1_000 },
      })
      assert.equal(end.error?.name, 'ReplayMismatch', explain(end))
      assert.deepEqual(host.ran(), ran)
    }
  })

  it('a difference behind a marked call ends the run before that call runs', async () => {
    const code = `${before}
      ${many('a', 20)}
      await sdk.notes.remove({ id: 1 })
      ${many('b', 20)}
      await sdk.notes.remove({ id: 2 })
      return trace.length`
    const { result, host } = await held(code)
    const continuation = structuredClone(result.continuation) as { entries: { input: unknown; fn: string }[] }
    for (const entry of continuation.entries) if (entry.input === 'b10') entry.input = 'other'
    const end = await shared.resume(continuation, { functions: host.functions, decisions: { all: 'approve' } })
    assert.equal(end.error?.name, 'ReplayMismatch', explain(end))
    assert.notInclude(host.ran(), 'notes.remove')
  })

  it('a program that makes fewer calls than it did before an outcome ends as a mismatch, and does not wait for ever', async () => {
    const code = `${before}
      const first = sdk.wait({ ms: 60 })
      const second = sdk.wait({ ms: 30 })
      await sdk.echo('early')
      note((await second).ms + (await first).ms)
      await sdk.echo('late')
      return await sdk.notes.remove({ id: 1 })`
    for (const [call, other] of [
      [`await sdk.echo('early')`, 'await null'],
      [`await sdk.echo('early')`, 'return first'],
      ['const second = sdk.wait({ ms: 30 })', 'const second = null'],
    ] as const) {
      const { result, host } = await held(code)
      const ran = host.ran()
      const continuation = structuredClone(result.continuation) as { code: string }
      continuation.code = code.replace(call, other)
      const end = await shared.resume(continuation, { functions: host.functions, decisions: { all: 'approve' } })
      assert.equal(end.error?.name, 'ReplayMismatch', explain(end))
      assert.deepEqual(host.ran(), ran)
    }
  })

  const rounds = `${before}
    ${many('a')}
    try { note((await sdk.notes.remove({ id: 1 })).id) } catch (error) { note(error.name); note(await sdk.echo('own way')) }
    ${many('b')}
    await sleep(10)
    const both = [sdk.notes.remove({ id: 2 }), sdk.notes.remove({ id: 3 })]
    ${many('c')}
    for (const each of both) try { note((await each).next) } catch (error) { note(error.name) }
    ${many('d', 5)}
    return trace`
  const limits = { calls: 2_000 }
  const noted = (name: string, n = 150) => Array.from({ length: n }, (_, i) => `${name}${i}`)

  it('approved calls between recorded ones, in several rounds', async () => {
    const { result, host } = await held(rounds, { limits })
    const end = await approveAll(result)
    assert.deepEqual(end.value, [...noted('a'), 1, ...noted('b'), ...noted('c'), 3, 4, ...noted('d', 5)], explain(end))
    assert.deepEqual(host.inputs('notes.remove'), [{ id: 1 }, { id: 2 }, { id: 3 }])
    assert.deepEqual(host.inputs('echo'), [...noted('a'), ...noted('b'), ...noted('c'), ...noted('d', 5)])
  })

  it('a rejection in the middle lets the program go its own way; what was recorded does not run again', async () => {
    const { result, host } = await held(rounds, { limits })
    const [first] = result.pending ?? []
    let next = await resume(result, { approve: [], reject: [first?.callId as string] })
    assert.equal(next.status, 'pending', explain(next))
    next = await approveAll(next)
    assert.deepEqual(
      next.value,
      [...noted('a'), 'ApprovalRejected', 'own way', ...noted('b'), ...noted('c'), 3, 4, ...noted('d', 5)],
      explain(next),
    )
    assert.deepEqual(host.inputs('notes.remove'), [{ id: 2 }, { id: 3 }])
    assert.deepEqual(host.inputs('echo'), [...noted('a'), 'own way', ...noted('b'), ...noted('c'), ...noted('d', 5)])
  })

  it('a program that goes its own way is busy again, whatever it had not waited for', async () => {
    const { result } = await held(
      `const slow = sdk.wait({ ms: 300 })
       try { await sdk.notes.remove({ id: 1 }) } catch { for (;;); }
       await sdk.echo('recorded')
       await slow`,
    )
    const end = await shared.resume(structuredClone(result.continuation), {
      functions: makeHost().functions,
      decisions: { all: 'reject' },
      limits: { busyMs: 700, wallClockMs: 20_000 },
    })
    assert.equal(end.status, 'limit', explain(end))
    assert.equal((end.error as { limit?: string }).limit, 'busyMs', explain(end))
  })

  it('the error of an approved call in the middle does the same', async () => {
    const failing: Host = makeHost({
      'notes.remove': {
        call: (input: { id: number }) => {
          failing.ledger.push({ fn: 'notes.remove', input })
          if (input.id === 1) throw new RangeError('no')
          return { id: input.id, next: input.id + 1 }
        },
        approval: true,
      },
    })
    const { result } = await held(rounds, { limits, host: failing })
    const end = await approveAll(result)
    assert.deepEqual(
      end.value,
      [...noted('a'), 'RangeError', 'own way', ...noted('b'), ...noted('c'), 3, 4, ...noted('d', 5)],
      explain(end),
    )
    assert.deepEqual(failing.inputs('notes.remove'), [{ id: 1 }, { id: 2 }, { id: 3 }])
  })
})

after(() => shared.dispose())
