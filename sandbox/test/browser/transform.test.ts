// The transform is the caller's: whatever it does, the run ends (SPEC §2).
import { assert } from 'chai'
import { makeHost } from '../fixture/host.js'
import { explain, makeSandbox, type Options, run } from '../fixture/sandbox.js'

const functions = makeHost().functions
const forever = () => new Promise<string>(() => {})

async function transformed(transform: unknown, options: Options = {}) {
  const sandbox = makeSandbox({ transform })
  try {
    return (await run('return 1', { sandbox, ...options })).result
  } finally {
    sandbox.dispose()
  }
}

describe('a transform', () => {
  it('that never settles is ended by an abort', async () => {
    const control = new AbortController()
    setTimeout(() => control.abort(new Error('enough')), 20)
    const result = await transformed(forever, { signal: control.signal })
    assert.equal(result.status, 'aborted', explain(result))
    assert.include(result.error?.message, 'enough')
  })

  it('that never settles is ended by a signal that had fired before', async () => {
    const result = await transformed(forever, { signal: AbortSignal.abort(new Error('enough')) })
    assert.equal(result.status, 'aborted', explain(result))
    assert.include(result.error?.message, 'enough')
  })

  it('that never settles is ended by dispose', async () => {
    const sandbox = makeSandbox({ transform: forever })
    const running = sandbox.run({ code: 'return 1', functions })
    sandbox.dispose()
    assert.equal((await running).status, 'aborted')
  })

  it('that never settles meets the wall clock', async () => {
    const result = await transformed(forever, { limits: { wallClockMs: 100 } })
    assert.equal(result.status, 'limit', explain(result))
    assert.equal(result.error?.limit, 'wallClockMs')
  })

  it('that throws, or gives no text, is an error without a line of the page’s', async () => {
    for (const transform of [
      () => {
        throw new Error('no')
      },
      () => 5,
      async () => {
        throw 'text'
      },
    ]) {
      const result = await transformed(transform)
      assert.equal(result.status, 'error', explain(result))
      assert.isUndefined(result.error?.line)
    }
  })

  it('that names a line in its message gives that line', async () => {
    const result = await transformed(() => {
      throw new SyntaxError('odd (line 4)')
    })
    assert.equal(result.error?.line, 4)
    assert.equal(result.error?.message, 'SyntaxError: odd (line 4)')
  })
})

describe('times beyond what a timer takes', () => {
  it('never come: a boot timeout and limits of 1e12 ms', async () => {
    const sandbox = makeSandbox({ bootTimeoutMs: 1e12 })
    const { result } = await run('return 1', {
      sandbox,
      limits: { wallClockMs: 1e12, busyMs: Number.POSITIVE_INFINITY },
    })
    sandbox.dispose()
    assert.equal(result.status, 'ok', explain(result))
  })
})

describe('the bytes of a log', () => {
  it('are counted by storage: a line of ASCII is cut where as many characters have come', async () => {
    const { result } = await run('console.log("x".repeat(5000))', { limits: { logBytes: 1000 } })
    assert.equal(result.status, 'limit')
    assert.equal(result.logs[0]?.text, `${'x'.repeat(1000)}…`)
  })
})
