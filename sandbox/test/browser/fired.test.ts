// PROTOCOL.md, what fires in its own time: a program that is repeated meets
// timers, signals, digests and outcomes in the order in which it met them
// first, however long its calls take. Generated programs found most of these.
import { assert } from 'chai'
import { makeHost } from '../fixture/host.js'
import { approveAll, explain, held, type Options, resume, shared } from '../fixture/sandbox.js'

const before = `
  const note = (what) => { console.log(what); return what }
  const sleep = (ms, what) => new Promise((resolve) => setTimeout(() => { if (what) note(what); resolve(what) }, ms))
`

/**
 * Holds a program that notes what it sees, and goes on with everything approved: what it noted is the same in each
 * pass, up to where the first was cut, and each call runs once.
 */
async function repeats(code: string, options: Options = {}) {
  const { result, host } = await held(before + code, options)
  const end = await approveAll(result)
  assert.include(['ok', 'error'], end.status, explain(end))
  assert.notEqual(end.error?.name, 'ReplayMismatch', explain(end))
  const noted = (of: typeof end) => of.logs.map(({ text }) => text)
  assert.deepEqual(noted(end).slice(0, result.logs.length), noted(result))
  assert.lengthOf(
    host.ledger,
    end.calls.filter(({ state }) => state === 'ok' || state === 'error').length,
    'each call ran once',
  )
  return { end, host, noted: noted(end), first: noted(result) }
}

describe('what fires in its own time', function () {
  this.timeout(60_000)

  it('timers of branches fire in their order, however long the calls before them took', async () => {
    await repeats(`
      const slow = (async () => { await sdk.wait({ ms: 60 }); await sleep(5, 'behind the slow call') })()
      await Promise.all([slow, sleep(40, 'beside it'), sleep(62, 'about when it was answered')])
      await sdk.notes.remove({ id: 1 })`)
  })

  it('an outcome comes behind the timers that had fired before it', async () => {
    const { noted } = await repeats(`
      setTimeout(note, 5, 'first')
      setTimeout(note, 20, 'second')
      await sdk.wait({ ms: 300 })
      note('outcome')
      await sdk.notes.remove({ id: 1 })`)
    assert.deepEqual(noted, ['first', 'second', 'outcome'])
  })

  it('a timer waits for an approved call that takes its time, where it had fired behind it', async () => {
    const slow = {
      call: async (input: { id: number }) => {
        host.ledger.push({ fn: 'notes.remove', input })
        await new Promise((resolve) => setTimeout(resolve, 600))
        return { id: input.id }
      },
      approval: true,
    }
    const host = makeHost({ 'notes.remove': slow })
    const { noted, first } = await repeats(
      `const removed = sdk.notes.remove({ id: 1 }).then(() => note('removed'))
       await sleep(400, 'timer')
       await sdk.echo(1)
       await removed`,
      { host },
    )
    assert.deepEqual(first, ['removed', 'timer'])
    assert.deepEqual(noted, first)
  })

  it('a race of an approved call against a timer goes to the call, as it did', async () => {
    const host = makeHost({
      'notes.remove': {
        call: async (input: { id: number }) => {
          host.ledger.push({ fn: 'notes.remove', input })
          await new Promise((resolve) => setTimeout(resolve, 600))
          return { id: input.id }
        },
        approval: true,
      },
    })
    const { end } = await repeats(
      `const won = await Promise.race([sdk.notes.remove({ id: 1 }), sleep(400, 'too late')])
       return won.id`,
      { host },
    )
    assert.equal(end.value, 1, explain(end))
  })

  it('what a timer did before the end of the run it does again, and nothing else does', async () => {
    const { host } = await repeats(`
      setTimeout(() => sdk.notes.remove({ id: 1 }), 2)
      setTimeout(() => sdk.echo('too late'), 5_000)
      await sdk.wait({ ms: 200 })`)
    assert.deepEqual(host.ran(), ['wait', 'notes.remove'])
    const long = makeHost({
      'notes.remove': {
        call: async () => void (await new Promise((resolve) => setTimeout(resolve, 1_000))),
        approval: true,
      },
    })
    const { result } = await held(
      `${before} setTimeout(() => sdk.echo('dropped with the worker'), 800); sdk.notes.remove({ id: 1 })`,
      { host: long },
    )
    const end = await approveAll(result)
    assert.equal(end.status, 'ok', explain(end))
    assert.deepEqual(long.ran(), [])
  })

  it('a timer that is cleared while it waits for its turn does not fire', async () => {
    const { noted } = await repeats(`
      const slow = sdk.wait({ ms: 40 }).then(async () => { await sleep(5, 'slow'); clearTimeout(timer); note('cleared') })
      const timer = setTimeout(note, 5_000, 'never')
      await slow
      await sdk.notes.remove({ id: 1 })`)
    assert.deepEqual(noted, ['slow', 'cleared'])
  })

  it('intervals tick as often between the same outcomes', async () => {
    const { noted } = await repeats(`
      const ticks = setInterval(note, 10, 'tick')
      await sdk.wait({ ms: 55 })
      note('outcome')
      await sdk.wait({ ms: 25 })
      note('outcome')
      clearInterval(ticks)
      await sdk.notes.remove({ id: 1 })`)
    assert.include(noted, 'tick')
  })

  it('time-outs of signals, aborts by a timer, and digests have their turn too', async () => {
    await repeats(`
      const signal = AbortSignal.timeout(15)
      signal.addEventListener('abort', () => note('timed out: ' + signal.reason.name))
      const own = new AbortController()
      own.signal.addEventListener('abort', () => note('aborted'))
      setTimeout(() => own.abort(), 30)
      const digest = async (n) => { await crypto.subtle.digest('SHA-256', new Uint8Array(n)); note('digest ' + n) }
      await Promise.all([digest(3_000_000), digest(10), sdk.echo(1).then(() => note('echo')), sdk.wait({ ms: 60 }), sleep(1, 'timer')])
      await Promise.race([sdk.notes.remove({ id: 1 }), digest(100_000), sleep(0, 'timer')])
      await sleep(0, 'timer')`)
  })

  it('a timer set by a program that goes its own way fires in its own time', async () => {
    const { result, host } = await held(`${before}
      const slow = sdk.wait({ ms: 40 }).then(() => sleep(1_200, 'recorded later'))
      setTimeout(note, 600, 'recorded')
      try { await sdk.notes.remove({ id: 1 }) } catch { await sleep(5, 'own way'); await sdk.echo('own way') }
      await slow`)
    const end = await resume(result, { all: 'reject' })
    assert.equal(end.status, 'ok', explain(end))
    assert.deepEqual(
      end.logs.map(({ text }) => text),
      ['own way', 'recorded', 'recorded later'],
    )
    assert.deepEqual(host.ran(), ['wait', 'echo'])
  })

  it('a program that does not set a timer that had fired ends as a mismatch, and does not wait for ever', async () => {
    const code = `${before}
      setTimeout(note, 5, 'timer')
      await sdk.wait({ ms: 300 })
      await sdk.notes.remove({ id: 1 })`
    for (const other of ['', 'await new Promise(() => {})']) {
      const { result, host } = await held(code)
      const continuation = structuredClone(result.continuation) as { code: string }
      continuation.code = code.replace("setTimeout(note, 5, 'timer')", other)
      const end = await shared.resume(continuation, { functions: host.functions, decisions: { all: 'approve' } })
      assert.equal(end.error?.name, 'ReplayMismatch', explain(end))
      assert.deepEqual(host.ran(), ['wait'])
    }
  })

  it('more timers than are kept end as a mismatch or a limit, and nothing runs', async () => {
    const { result, host } = await held(
      `let left = 25_000
       await new Promise((done) => { for (let i = left; i; i--) setTimeout(() => { if (!--left) done() }) })
       await sdk.notes.remove({ id: 1 })`,
    )
    const end = await resume(result, { all: 'approve' })
    assert.include(['error', 'limit'], end.status, explain(end))
    assert.deepEqual(host.ran(), [])
  })
})

after(() => shared.dispose())
