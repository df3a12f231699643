// The replay is strict until what was decided has really been thrown into the
// program (SPEC §5.2), not only sent to it.
import { defineFunctions } from '@faustine-ai/browser-sandbox'
import { assert } from 'chai'
import { explain, makeSandbox, type Result, type Sandbox } from '../fixture/sandbox.js'

describe('before a rejection is thrown', () => {
  let sandbox: Sandbox
  let ran: string[]
  const note =
    (fn: string, ms = 0, fails = false) =>
    async (input: unknown) => {
      if (ms) await new Promise((done) => setTimeout(done, ms))
      ran.push(`${fn} ${JSON.stringify(input)}`)
      if (fails) throw new RangeError('it did not work')
      return { done: true }
    }
  const functions = () =>
    defineFunctions({
      read: note('read'),
      slow: { call: note('slow', 20), approval: true },
      bad: { call: note('bad', 20, true), approval: true },
      write: { call: note('write'), approval: true },
    })
  before(() => {
    sandbox = makeSandbox({ warm: 2 })
  })
  after(() => sandbox.dispose())
  beforeEach(() => {
    ran = []
  })

  async function decide(code: string, verdicts: boolean[]): Promise<Result> {
    const first = await sandbox.run({ code, functions: functions(), approval: { mode: 'collect' } })
    assert.equal(first.status, 'pending', explain(first))
    const ids = (first.pending ?? []).map(({ callId }) => callId)
    assert.lengthOf(ids, verdicts.length)
    return first.resume?.({
      approve: ids.filter((_, i) => verdicts[i]),
      reject: ids.filter((_, i) => !verdicts[i]),
    }) as Promise<Result>
  }

  it('an unmarked call that was not recorded runs nothing', async () => {
    const result = await decide(
      `const a = sdk.slow({ id: 1 }); const b = sdk.write({ id: 2 }); b.catch(() => console.log('rejected'))
       const v = await a
       if (typeof v === 'object') { const z = sdk.read({ id: 'unseen' }); console.log('called'); await z }
       try { await b } catch {}
       return 1`,
      [true, false],
    )
    assert.equal(result.error?.name, 'ReplayMismatch', explain(result))
    assert.deepEqual(ran, ['slow {"id":1}'])
  })

  it('an approved call that is skipped lets no later one run', async () => {
    const result = await decide(
      `const a = sdk.slow({ id: 1 }); const b = sdk.write({ id: 2 }); b.catch(() => {})
       const v = await a
       if (typeof v === 'function') await sdk.write({ id: 'first' })
       await sdk.write({ id: 'second' })
       try { await b } catch {}`,
      [true, false, true, true],
    )
    assert.equal(result.error?.name, 'ReplayMismatch', explain(result))
    assert.deepEqual(ran, ['slow {"id":1}'])
  })

  it('nor does the error of an approved call free the program before it arrives', async () => {
    const result = await decide(
      `const a = sdk.slow({ id: 1 }); const b = sdk.bad({ id: 2 }); b.catch(() => {})
       const v = await a
       if (typeof v === 'object') await sdk.read({ id: 'unseen' })
       try { await b } catch {}`,
      [true, true],
    )
    assert.equal(result.error?.name, 'ReplayMismatch', explain(result))
    assert.notInclude(ran, 'read {"id":"unseen"}')
  })

  it('a body that ends early is a mismatch', async () => {
    const result = await decide(
      `const a = sdk.slow({ id: 1 }); const b = sdk.write({ id: 2 }); b.catch(() => {})
       const v = await a
       if (typeof v === 'object') return 'early'
       await sdk.write({ id: 3 })`,
      [true, false, true],
    )
    assert.equal(result.error?.name, 'ReplayMismatch', explain(result))
  })

  it('after it the program may go its own way', async () => {
    const result = await decide(
      `try { await sdk.write({ id: 1 }) } catch (error) { return await sdk.read({ why: error.name }) }
       await sdk.write({ id: 2 })`,
      [false, true],
    )
    assert.equal(result.status, 'ok', explain(result))
    assert.deepEqual(ran, ['read {"why":"ApprovalRejected"}'])
  })
})

describe('what a host function throws that is no Error', () => {
  it('is listed as text, whatever it is', async () => {
    const thrown: unknown[] = [{ code: 7 }, 'text', undefined, null, 10n, [1, 2], { toString: 1, valueOf: 1 }]
    const sandbox = makeSandbox()
    const { status, calls } = await sandbox.run({
      code: `for (let i = 0; i < ${thrown.length}; i++) try { await sdk.throws(i) } catch {}`,
      functions: {
        throws: (i: number) => {
          throw thrown[i]
        },
      },
    })
    sandbox.dispose()
    assert.equal(status, 'ok')
    assert.deepEqual(
      calls.map(({ error }) => error?.message),
      ['{"code":7}', 'text', 'undefined', 'null', '10n', '[1,2]', '{"toString":1,"valueOf":1}'],
    )
  })
})

describe('an Error among the values of a host function', () => {
  it('tells the program nothing of the page', async () => {
    const sandbox = makeSandbox()
    const result = await sandbox.run({
      code: `const { list: [e] } = await sdk.make(); let thrown; try { await sdk.throws() } catch (value) { thrown = value.inner }
             return [e.message, [e, thrown].map((each) => [each.stack, each.fileName, each.sourceURL, each.line].join(' '))]`,
      functions: {
        make: () => ({ list: [new TypeError('inside')] }),
        throws: () => {
          throw { inner: new Error('thrown') }
        },
      },
    })
    sandbox.dispose()
    assert.equal(result.status, 'ok', explain(result))
    assert.include(JSON.stringify(result.value), 'inside')
    assert.notMatch(JSON.stringify(result.value), /http|blob|:\d/)
  })
})
