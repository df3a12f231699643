// E22, E24, F27, F29 and SPEC §2: a run can be ended at every moment.
import { assert } from 'chai'
import { makeHost } from '../fixture/host.js'
import { atRest, coresTwoSecondsLater } from '../fixture/machine.js'
import { collect, explain, held, makeSandbox, resume, run, shared } from '../fixture/sandbox.js'

/** A host whose function `reached` aborts the run when the program calls it. */
function abortsItself(reason?: unknown) {
  const controller = new AbortController()
  const host = makeHost({ reached: () => controller.abort(reason) })
  return { controller, host }
}

describe('abort', () => {
  it('before the run: nothing starts (E22)', async () => {
    const { result, host } = await run('await sdk.echo(1); return 1', {
      signal: AbortSignal.abort(new Error('not today')),
    })
    assert.equal(result.status, 'aborted', explain(result))
    assert.include(result.error?.message ?? '', 'not today')
    assert.deepEqual(host.ran(), [])
  })

  it('during boot: at once (E22)', async () => {
    const sandbox = makeSandbox({ frame: { url: '/sandbox-empty.html' }, bootTimeoutMs: 60_000 })
    const controller = new AbortController()
    const began = performance.now()
    const running = run('return 1', { sandbox, signal: controller.signal })
    setTimeout(() => controller.abort(), 20)
    const { result } = await running
    assert.equal(result.status, 'aborted', explain(result))
    assert.isBelow(performance.now() - began, 2_000)
    sandbox.dispose()
  })

  it('inside a busy loop: the worker is gone (E22)', async function () {
    this.timeout(30_000)
    const { controller, host } = abortsItself('enough')
    const { result } = await run('await sdk.reached(); while (true) {}', {
      host,
      signal: controller.signal,
      limits: { busyMs: 15_000 },
    })
    assert.equal(result.status, 'aborted', explain(result))
    assert.include(result.error?.message ?? '', 'enough')
    assert.isBelow(await coresTwoSecondsLater(), atRest)
  })

  it('while a host call is in flight: its signal fires and it is listed as cancelled (E22)', async () => {
    let fired = false
    const controller = new AbortController()
    const host = makeHost({
      slow: (_: unknown, ctx: { signal: AbortSignal }) => {
        ctx.signal.addEventListener('abort', () => {
          fired = true
        })
        setTimeout(() => controller.abort(), 10)
        return new Promise(() => {})
      },
    })
    const { result } = await run('await sdk.slow()', { host, signal: controller.signal })
    assert.equal(result.status, 'aborted', explain(result))
    assert.isTrue(fired)
    assert.equal(result.calls[0]?.state, 'cancelled')
    // It had begun: that nobody knows what came of it is told to the model too.
    assert.match(result.calls[0]?.error?.message ?? '', /whether it took effect is not known/)
  })

  it('while a person is asked: the question’s signal fires, and a late answer has no effect (E22, F29)', async () => {
    const controller = new AbortController()
    let asked: AbortSignal | undefined
    let answer = (_: string) => {}
    const onApproval = ({ signal }: { signal: AbortSignal }) => {
      asked = signal
      setTimeout(() => controller.abort(), 10)
      return new Promise<string>((resolve) => {
        answer = resolve
      })
    }
    const { result, host } = await run('await sdk.notes.remove({ id: 1 }); return 1', {
      approval: { mode: 'pause', onApproval },
      signal: controller.signal,
    })
    assert.equal(result.status, 'aborted', explain(result))
    assert.isTrue(asked?.aborted)
    answer('approve')
    await run('return 1')
    assert.deepEqual(host.ran(), [])
  })

  it('after the end: no effect (E22)', async () => {
    const controller = new AbortController()
    const { result } = await run('return 1', { signal: controller.signal })
    controller.abort()
    assert.equal(result.status, 'ok')
    assert.equal(result.value, 1)
  })

  it('between two rounds: resume with an aborted signal runs nothing, and may be repeated (SPEC §2)', async () => {
    const { result, host } = await held('const r = await sdk.notes.remove({ id: 1 }); return r.ok')
    assert.equal(result.status, 'pending')
    const end = await shared.resume(result.continuation, {
      functions: host.functions,
      decisions: { all: 'approve' },
      signal: AbortSignal.abort(),
    })
    assert.equal(end.status, 'aborted', explain(end))
    assert.deepEqual(host.ran(), [])
    const again = await resume(result, { all: 'approve' })
    assert.equal(again.value, true, explain(again))
    assert.deepEqual(host.ran(), ['notes.remove'])
  })

  it('in collect mode, an abort during the pass voids its rows (SPEC §4)', async () => {
    const { controller, host } = abortsItself()
    const { result } = await collect('sdk.notes.remove({ id: 1 }); await sdk.reached(); await sdk.hang()', {
      host,
      signal: controller.signal,
    })
    assert.equal(result.status, 'aborted', explain(result))
    assert.isUndefined(result.resume)
    assert.notInclude(host.ran(), 'notes.remove')
  })

  it('a marked call executing when the run is aborted is listed as cancelled and not run again', async () => {
    const controller = new AbortController()
    let count = 0
    const host = makeHost({
      'notes.remove': {
        call: () => {
          count++
          setTimeout(() => controller.abort(), 5)
          return new Promise(() => {})
        },
        approval: true,
      },
    })
    const { result } = await run('await sdk.notes.remove({ id: 1 }); return 1', {
      host,
      signal: controller.signal,
      approval: { mode: 'pause', onApproval: () => 'approve' },
    })
    assert.equal(result.status, 'aborted', explain(result))
    assert.equal(result.calls[0]?.state, 'cancelled')
    assert.equal(count, 1)
  })
})

describe('dispose (SPEC §2)', () => {
  it('ends runs in progress as aborted and removes frames', async () => {
    const before = document.querySelectorAll('iframe').length
    const sandbox = makeSandbox({ warm: 2 })
    const host = makeHost({ reached: () => sandbox.dispose() })
    const { result } = await run('await sdk.reached(); await sdk.hang()', { sandbox, host })
    assert.equal(result.status, 'aborted', explain(result))
    assert.equal(document.querySelectorAll('iframe').length, before)
  })

  it('during boot ends it at once', async () => {
    const sandbox = makeSandbox({ frame: { url: '/sandbox-empty.html' }, bootTimeoutMs: 60_000 })
    const running = run('return 1', { sandbox })
    setTimeout(() => sandbox.dispose(), 20)
    const { result } = await running
    assert.equal(result.status, 'aborted', explain(result))
  })

  it('twice is harmless; later calls reject with a TypeError', async () => {
    const sandbox = makeSandbox()
    await run('return 1', { sandbox })
    sandbox.dispose()
    sandbox.dispose()
    for (const call of [
      () => sandbox.run({ code: 'return 1', functions: {} }),
      () => sandbox.resume({}, { functions: {}, decisions: { all: 'approve' } }),
    ]) {
      let error: unknown
      try {
        await call()
      } catch (caught) {
        error = caught
      }
      assert.instanceOf(error, TypeError)
    }
  })

  it('of a sandbox that never ran leaves nothing', async () => {
    const before = document.querySelectorAll('iframe').length
    const sandbox = makeSandbox({ warm: 3 })
    sandbox.dispose()
    assert.equal(document.querySelectorAll('iframe').length, before)
  })

  it('takes its listeners off the window', async () => {
    const add = window.addEventListener
    const remove = window.removeEventListener
    const live = new Set<unknown>()
    window.addEventListener = function (this: Window, type: string, listener: unknown, ...rest: unknown[]) {
      live.add(listener)
      return Reflect.apply(add, this ?? window, [type, listener, ...rest])
    } as typeof add
    window.removeEventListener = function (this: Window, type: string, listener: unknown, ...rest: unknown[]) {
      live.delete(listener)
      return Reflect.apply(remove, this ?? window, [type, listener, ...rest])
    } as typeof remove
    try {
      const sandbox = makeSandbox({ warm: true })
      await run('return await sdk.echo(1)', { sandbox })
      sandbox.dispose()
      assert.equal(live.size, 0)
    } finally {
      window.addEventListener = add
      window.removeEventListener = remove
    }
  })
})

describe('resume with a person who takes time', () => {
  it('waiting for a person counts for neither wall clock nor busy watchdog (E24)', async function () {
    this.timeout(30_000)
    const onApproval = () => new Promise((resolve) => setTimeout(resolve, 1500, 'approve'))
    const { result } = await run('await sdk.notes.remove({ id: 1 }); await sdk.wait({ ms: 300 }); return "ok"', {
      approval: { mode: 'pause', onApproval },
      limits: { wallClockMs: 1000, busyMs: 500 },
    })
    assert.equal(result.value, 'ok', explain(result))
    assert.isAtLeast(result.timings.waiting, 1400)
    assert.isBelow(result.timings.run, 1000)
  })
})

after(() => shared.dispose())
