// What the library loads on demand may not come: a deploy that took the old
// files away, a network that is gone. Then nothing runs that was not approved,
// and the result says why.
import { assert } from 'chai'
import { makeHost } from '../fixture/host.js'
import { explain, held, type Options, type Result, run, type Sandbox, shared } from '../fixture/sandbox.js'

for (const [which, index, why] of [
  ['does not come', '/alone/index.js', 'could not be loaded'],
  ['is of another build', '/mixed/index.js', 'another build'],
] as const) {
  describe(`what is loaded on demand and ${which}`, () => {
    let sandbox: Sandbox
    before(async () => {
      // Not a literal, so that no bundler looks for it.
      const path: string = index
      const { createSandbox } = await import(path)
      sandbox = createSandbox({ frame: { url: '/sandbox.html' } })
    })
    after(() => sandbox.dispose())

    it('a run that needs none of it goes on without it, in every mode', async () => {
      for (const approval of [{ mode: 'deny' }, { mode: 'collect' }, { mode: 'pause', onApproval: () => 'approve' }]) {
        const { result, host } = await run('return (await sdk.echo(6)) * 7', { sandbox, approval })
        assert.equal(result.value, 42, explain(result))
        assert.deepEqual(host.ran(), ['echo'])
      }
    })

    it('a program that throws has its name, message and line without the hint', async () => {
      const { result } = await run('\nreturn sdk.notes.delete({ id: 1 })', { sandbox })
      const { result: whole } = await run('\nreturn sdk.notes.delete({ id: 1 })')
      assert.equal(result.status, 'error', explain(result))
      assert.match(result.error?.message ?? '', /^TypeError: .*\(line 2\)$/)
      assert.isTrue(whole.error?.message.startsWith(`${result.error?.message}.`), whole.error?.message)
      assert.include(whole.error?.message, 'The functions that exist: ')
      assert.equal(result.error?.line, 2)
    })

    it('calls that wait are void when the resume cannot be loaded, and nothing of them has run', async () => {
      const { result, host } = await run('const a = await sdk.echo(1); await sdk.notes.remove({ id: 1 }); return a', {
        sandbox,
        approval: { mode: 'collect' },
      })
      assert.equal(result.status, 'error', explain(result))
      assert.equal(result.error?.name, 'SandboxUnavailable')
      assert.include(result.error?.message, why)
      assert.deepEqual(host.ran(), ['echo'])
      assert.deepEqual(
        result.calls.map(({ fn, state }) => [fn, state]),
        [
          ['echo', 'ok'],
          ['notes.remove', 'cancelled'],
        ],
      )
      assert.isUndefined(result.resume)
    })

    it('a continuation from elsewhere is not resumed, and may be tried again where it can', async () => {
      const { result, host } = await held('await sdk.notes.remove({ id: 1 }); return 1')
      const options: Options = { functions: host.functions, decisions: { all: 'approve' } }
      const refused: Result = await sandbox.resume(result.continuation, options)
      assert.equal(refused.error?.name, 'SandboxUnavailable', explain(refused))
      assert.deepEqual(host.ran(), [])
      const other = makeHost()
      const resumed = await shared.resume(result.continuation, { ...options, functions: other.functions })
      assert.equal(resumed.value, 1, explain(resumed))
      assert.deepEqual(other.ran(), ['notes.remove'])
    })
  })
}
