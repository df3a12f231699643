// The harness reads nothing that a program put on Object.prototype (SPEC §7),
// and what is costly but small is bounded before anybody clones it (SPEC §6).
import { assert } from 'chai'
import { makeHost } from '../fixture/host.js'
import { explain, makeSandbox, run } from '../fixture/sandbox.js'
import { stall } from '../fixture/stall.js'

describe('what a program puts on Object.prototype', () => {
  for (const key of [
    'get',
    'set',
    'value',
    'writable',
    'configurable',
    'enumerable',
    'then',
    'done',
    'next',
    'error',
    'cause',
    'name',
  ]) {
    it(`${key} changes nothing for the harness (SPEC §7)`, async () => {
      const { result } = await run(`
        Object.prototype.${key} = 5
        const echoed = await sdk.echo({ q: 1 })
        console.log('here')
        let caught
        try { await sdk.fail({}) } catch (error) { caught = true }
        let refused
        try { await sdk.notes.remove({ id: 1 }) } catch (error) { refused = true }
        return [echoed.q, caught, refused]`)
      assert.equal(result.status, 'ok', explain(result))
      assert.deepEqual(result.value, [1, true, true])
      assert.lengthOf(result.logs, 1)
    })
  }
})

describe('small and costly', () => {
  for (const send of ['await sdk.echo(a)', 'await sdk.mail.send(a)', 'return a']) {
    it(`an array of a hundred million holes is refused before it is cloned: ${send} (C08)`, async () => {
      const worst = await stall(1_000, async () => {
        const { result } = await run(`const a = []; a.length = 1e8; ${send}`, { approval: { mode: 'collect' } })
        assert.equal(result.status, 'limit', explain(result))
      })
      // Cloning it took engines seconds.
      assert.isBelow(worst, 1_000)
    })
  }
})

describe('class instances', () => {
  for (const type of ['Map', 'Set', 'Array', 'Date', 'Uint8Array', 'RegExp', 'Object']) {
    it(`of a class that extends ${type} are refused by name (SPEC §8)`, async () => {
      const { result } = await run(`class Mine extends ${type} {} await sdk.echo({ deep: [new Mine()] })`)
      assert.equal(result.error?.name, 'DataCloneError', explain(result))
      assert.match(result.error?.message ?? '', /deep\[0\] is an instance of Mine/)
    })
  }

  it('of a class that extends Error cross', async () => {
    const { result } = await run(`class Mine extends Error {} return (await sdk.echo(new Mine('m'))).message`)
    assert.equal(result.value, 'm', explain(result))
  })
})

describe('a warm frame that was removed while idle', () => {
  it('is replaced, and the next run works (B19)', async () => {
    const sandbox = makeSandbox({ warm: true })
    assert.equal((await sandbox.run({ code: 'return 1', functions: {} })).value, 1)
    for (const frame of document.querySelectorAll('iframe')) frame.remove()
    const result = await sandbox.run({ code: 'return 2', functions: {} })
    sandbox.dispose()
    assert.equal(result.value, 2, explain(result))
  })
})

describe('what a host function throws', () => {
  it('keeps its cause, as text', async () => {
    const host = makeHost()
    const functions = {
      ...host.functions,
      broken: () => {
        throw new RangeError('outer', { cause: new Error('inner') })
      },
    }
    const sandbox = makeSandbox()
    const result = await sandbox.run({
      code: 'try { await sdk.broken() } catch (e) { return [e.name, e.message, String(e.cause)] }',
      functions,
    })
    sandbox.dispose()
    assert.deepEqual(result.value, ['RangeError', 'outer', 'Error: inner'], explain(result))
  })

  it('keeps a cause that is data as JSON, and tells what JSON lacks in words', async () => {
    const round: unknown[] = [10n, new Map([[1, 'a']])]
    round.push(round)
    const functions = {
      broken: (cause: unknown) => {
        throw new Error('outer', { cause: cause === 'round' ? round : cause })
      },
    }
    const sandbox = makeSandbox()
    const result = await sandbox.run({
      code: 'const told = []; for (const cause of [{ code: 5 }, "text", undefined, "round"]) try { await sdk.broken(cause) } catch (e) { told.push(e.cause) } return told',
      functions,
    })
    sandbox.dispose()
    assert.deepEqual(
      result.value,
      ['{"code":5}', 'text', 'undefined', '["10n",{"Map":[[1,"a"]]},"[circular]"]'],
      explain(result),
    )
  })
})
