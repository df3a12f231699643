// B12, F26 and SPEC §8: a worker in an attacker's hands sends malformed,
// duplicate, late and contradictory records. No host function runs for any of
// them, and the page never throws. page/double.ts is the worker's side.
import { assert } from 'chai'
import { makeHost } from '../fixture/host.js'
import { explain, makeSandbox, type Options, run } from '../fixture/sandbox.js'

const CALL = `{ type: 'call', id: 1, seen: 0, fn: 'echo', input: 1, bytes: 8, line: 0 }`
const BODY = `{ type: 'body', ok: true, value: 1, bytes: 8, open: [] }`

/** Runs against a double that executes `script` for every record it is sent. */
async function against(script: string, options: Options = {}) {
  const frame = { url: `/sandbox-double.html#${encodeURIComponent(script)}` }
  const sandbox = makeSandbox({ frame, bootTimeoutMs: 3_000 })
  const troubles: string[] = []
  const trouble = (event: ErrorEvent | PromiseRejectionEvent) => {
    troubles.push(String('reason' in event ? event.reason : event.message))
    event.preventDefault()
  }
  addEventListener('error', trouble)
  addEventListener('unhandledrejection', trouble)
  const ran = await run('return 1', { sandbox, limits: { wallClockMs: 1_500, busyMs: 600 }, ...options })
  removeEventListener('error', trouble)
  removeEventListener('unhandledrejection', trouble)
  sandbox.dispose()
  assert.deepEqual(troubles, [], 'the page threw')
  return ran
}

describe('a hostile worker', () => {
  it('that behaves is believed (the control of this file)', async () => {
    const { result, host } = await against(`
      if (when === 'start') send(${CALL})
      else { send(${BODY}); send({ type: 'end', seen: 0 }) }`)
    assert.equal(result.status, 'ok', explain(result))
    assert.deepEqual(host.ran(), ['echo'])
  })

  for (const [claim, record] of [
    ['id -1', `{ ...${CALL}, id: -1 }`],
    ['id 0', `{ ...${CALL}, id: 0 }`],
    ['id NaN', `{ ...${CALL}, id: NaN }`],
    ["id '1'", `{ ...${CALL}, id: '1' }`],
    ['id 1.5', `{ ...${CALL}, id: 1.5 }`],
    ['id {}', `{ ...${CALL}, id: {} }`],
    ['id 1n', `{ ...${CALL}, id: 1n }`],
    ['a gap: id 2 first', `{ ...${CALL}, id: 2 }`],
    ['id 2^53', `{ ...${CALL}, id: 2 ** 53 }`],
    ['no fn', `{ type: 'call', id: 1, seen: 0, input: 1, bytes: 8, line: 0 }`],
    ['fn 5', `{ ...${CALL}, fn: 5 }`],
    ['fn an array', `{ ...${CALL}, fn: ['echo'] }`],
    ['an unknown function', `{ ...${CALL}, fn: 'nothing.here' }`],
    ['fn __proto__', `{ ...${CALL}, fn: '__proto__' }`],
    ['fn constructor', `{ ...${CALL}, fn: 'constructor' }`],
    ['fn toString', `{ ...${CALL}, fn: 'toString' }`],
    ['fn with another case', `{ ...${CALL}, fn: 'Echo' }`],
    ['no input', `{ type: 'call', id: 1, seen: 0, fn: 'echo', bytes: 8, line: 0 }`],
    ['no type', `{ id: 1, fn: 'echo', input: 1, bytes: 8, line: 0 }`],
    ['another type', `{ ...${CALL}, type: 'Call' }`],
    ['a type that is no text', `{ ...${CALL}, type: ['call'] }`],
    ['a record that is null', 'null'],
    ['a record that is a text', `'call'`],
    ['a record that is an array', `[${CALL}]`],
    ['a record in a Map', `new Map(Object.entries(${CALL}))`],
    ['up a second time', `{ type: 'up', left: [] }`],
    ['a settle of the page', `{ type: 'settle', id: 1, state: 'ok', value: 1, errors: false, at: 0, after: 0 }`],
    ['a cut with nothing pending', `{ type: 'cut', seen: 0 }`],
    ['an end without a body', `{ type: 'end', seen: 0 }`],
    ['a limit that nobody has', `{ type: 'limit', limit: 'nothing', figure: 1e9 }`],
    ['a limit that was not exceeded', `{ type: 'limit', limit: 'logLines', figure: 1 }`],
    ['a log line of no level', `{ type: 'log', level: 'shout', text: 'x' }`],
    ['a log line that is no text', `{ type: 'log', level: 'log', text: {} }`],
    ['a digest of something else', `{ type: 'digest', id: 1, algorithm: 'SHA-256', data: 'text' }`],
  ] as [string, string][]) {
    it(`${claim}: runs nothing and ends the run with an error (B12)`, async () => {
      const { result, host } = await against(
        `if (when === 'start') { send(${record}); send(${CALL}); send(${BODY}); send({ type: 'end', seen: 0 }) }`,
      )
      assert.equal(result.status, 'error', explain(result))
      assert.isNotEmpty(result.error?.message)
      assert.deepEqual(host.ran(), [])
    })
  }

  it('an id used twice ends the run; the first call alone has run (B12)', async () => {
    const { result, host } = await against(
      `if (when === 'start') { send(${CALL}); send({ ...${CALL}, fn: 'notes.list' }); send(${BODY}); send({ type: 'end', seen: 0 }) }`,
    )
    assert.equal(result.status, 'error', explain(result))
    assert.notInclude(host.ran(), 'notes.list')
  })

  it('an id that was answered already ends the run (B12)', async () => {
    const { result, host } = await against(`send(${CALL})`)
    assert.equal(result.status, 'error', explain(result))
    assert.deepEqual(host.ran(), ['echo'])
  })

  it('nothing after the end has an effect', async () => {
    const { result, host } = await against(
      `if (when === 'start') { send(${BODY}); send({ type: 'end', seen: 0 }); send(${CALL}); send({ type: 'log', level: 'log', text: 'late' }); send(null) }`,
    )
    assert.equal(result.status, 'ok', explain(result))
    assert.deepEqual(host.ran(), [])
    assert.deepEqual(result.logs, [])
  })

  it('two ends of the body are an error', async () => {
    const { result } = await against(
      `if (when === 'start') { send(${BODY}); send({ ...${BODY}, value: 2 }); send({ type: 'end', seen: 0 }) }`,
    )
    assert.equal(result.status, 'error', explain(result))
  })

  it('an end while a call is open is an error, and the call is cancelled', async () => {
    const { result } = await against(
      `if (when === 'start') { send({ ...${CALL}, fn: 'hang' }); send(${BODY}); send({ type: 'end', seen: 0 }) }`,
    )
    assert.equal(result.status, 'error', explain(result))
    assert.equal(result.calls[0]?.state, 'cancelled')
  })

  it('fields beyond the record change neither name, mark nor title (F26)', async () => {
    const questions: Record<string, unknown>[] = []
    const { result, host } = await against(
      `if (when === 'start') send({ ...${CALL}, fn: 'notes.remove', input: { id: 1 }, name: 'notes.get', title: 'Read a note', label: 'harmless', danger: false, approval: false, marked: false, state: 'ok', callId: 'mine', seq: 99, runId: 'mine' })
       else { send(${BODY}); send({ type: 'end', seen: 0 }) }`,
      {
        approval: {
          mode: 'pause',
          onApproval: (question: Record<string, unknown>) => {
            questions.push(question)
            return 'reject'
          },
        },
      },
    )
    assert.equal(result.status, 'ok', explain(result))
    assert.lengthOf(questions, 1)
    assert.deepInclude(questions[0], { fn: 'notes.remove', title: 'Remove a note', seq: 1 })
    assert.notEqual(questions[0]?.callId, 'mine')
    assert.equal(questions[0]?.runId ?? result.runId, result.runId)
    assert.deepEqual(host.ran(), [])
  })

  it('a size that is understated is measured again at the page (SPEC §6)', async () => {
    const { result, host } = await against(
      `if (when === 'start') send({ ...${CALL}, input: 'x'.repeat(3e6), bytes: 1 })`,
    )
    assert.equal(result.status, 'limit', explain(result))
    assert.equal(result.error?.limit, 'inputBytes')
    assert.deepEqual(host.ran(), [])
  })

  it('a value that is understated is measured again at the page (SPEC §6)', async () => {
    const { result } = await against(
      `if (when === 'start') { send({ ...${BODY}, value: 'x'.repeat(6e6) }); send({ type: 'end', seen: 0 }) }`,
    )
    assert.notEqual(result.status, 'ok', explain(result))
    assert.isUndefined(result.value)
  })

  it('more calls than the limit are not executed, whatever the worker counts (SPEC §6)', async () => {
    const { result, host } = await against(
      `if (when === 'start') for (let id = 1; id < 100; id++) send({ ...${CALL}, id })`,
      { limits: { calls: 10 } },
    )
    assert.equal(result.error?.limit, 'calls', explain(result))
    assert.isAtMost(host.ran().length, 10)
  })

  it('more lines than the limit end the run (SPEC §6)', async () => {
    const { result } = await against(
      `if (when === 'start') for (let i = 0; i < 5000; i++) send({ type: 'log', level: 'log', text: 'x'.repeat(1000) })`,
      { limits: { logLines: 100, logBytes: 20_000 } },
    )
    assert.equal(result.status, 'limit', explain(result))
    assert.isBelow(result.logs.map((line) => line.text).join('').length, 30_000)
  })

  it('one enormous line is cut or ends the run', async () => {
    const { result } = await against(
      `if (when === 'start') { send({ type: 'log', level: 'log', text: 'x'.repeat(2e7) }); send(${BODY}); send({ type: 'end', seen: 0 }) }`,
    )
    assert.isBelow(result.logs.map((line) => line.text).join('').length, 600_000)
  })

  it('an input that is small to clone but huge to walk does not stall the page', async () => {
    const began = performance.now()
    const { host } = await against(
      `if (when === 'start') { let a = ['x']; for (let i = 0; i < 40; i++) a = [a, a]; send({ ...${CALL}, fn: 'notes.remove', input: a }) }`,
      { approval: { mode: 'collect' } },
    )
    assert.isBelow(performance.now() - began, 4_000)
    assert.deepEqual(host.ran(), [])
  })

  it('a fault text is bounded', async () => {
    const { result } = await against(
      `if (when === 'start') tell({ type: 'fault', nonce, worker, reason: 'x'.repeat(1e7) })`,
    )
    assert.equal(result.status, 'error', explain(result).slice(0, 300))
    assert.isBelow(result.error?.message.length ?? 0, 100_000)
  })

  it('a message from the frame without the nonce ends every run (SPEC §8)', async () => {
    for (const message of [
      `{ type: 'relay', worker, records: [${CALL}] }`,
      `{ type: 'relay', nonce: 'x', worker, records: [${CALL}] }`,
      'null',
      `'text'`,
      '5',
      `{ ...${CALL}, nonce: undefined }`,
    ]) {
      const { result, host } = await against(`if (when === 'start') { tell(${message}); send(${CALL}) }`)
      assert.equal(result.status, 'error', explain(result))
      assert.deepEqual(host.ran(), [])
    }
  })

  it('a message of no known type from the frame ends every run', async () => {
    for (const message of [
      `{ type: 'nothing', nonce }`,
      `{ nonce }`,
      `{ type: ['relay'], nonce, worker, records: [${CALL}] }`,
      `{ type: 'ready', nonce, build }`,
    ]) {
      const { result, host } = await against(`if (when === 'start') { tell(${message}); send(${CALL}) }`)
      assert.equal(result.status, 'error', explain(result))
      assert.deepEqual(host.ran(), [])
    }
  })

  it('records for workers that are not there run nothing', async () => {
    const { result, host } = await against(
      `if (when === 'start') { for (const other of [0, -1, 99, '1', null, undefined, {}]) tell({ type: 'relay', nonce, worker: other, records: [${CALL}] }); send(${BODY}); send({ type: 'end', seen: 0 }) }`,
    )
    assert.oneOf(result.status, ['ok', 'error'], explain(result))
    assert.deepEqual(host.ran(), [])
  })

  it('a body whose value claims to be pending, or to be a fault of strange shape, does not break the page', async () => {
    for (const value of [
      'null',
      'undefined',
      '{}',
      '5',
      `{ name: 5, message: {}, line: 'x', column: null, stack: 1 }`,
      `{ name: 'E', message: 'm', line: -5, column: 1e99, stack: 'at line 1:1\\n'.repeat(1e5) }`,
    ]) {
      const { result } = await against(
        `if (when === 'start') { send({ ...${BODY}, ok: false, value: ${value} }); send({ type: 'end', seen: 0 }) }`,
      )
      assert.equal(result.status, 'error', explain(result))
      assert.isString(result.error?.name)
      assert.isString(result.error?.message)
    }
  })

  it('an endless flood is stopped by the limits and does not reach a host function twice', async function () {
    this.timeout(30_000)
    const { result, host } = await against(
      `if (when === 'start') { send(${CALL}); setInterval(() => { for (let i = 0; i < 200; i++) send({ type: 'log', level: 'log', text: 'x' }) }, 0) }`,
    )
    assert.equal(result.status, 'limit', explain(result).slice(0, 300))
    assert.deepEqual(host.ran(), ['echo'])
  })

  it('generated records: whatever the mutation, nothing runs that was not called (B12)', async function () {
    this.timeout(120_000)
    // A small generator of its own, so that a failure names its seed.
    const seed = Number(new URLSearchParams(location.search).get('seed') ?? Date.now() % 1e9)
    let state = seed
    const random = (n: number) => {
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
      return state % n
    }
    const atoms = [
      'null',
      'undefined',
      '-1',
      '0',
      '1',
      '2',
      'NaN',
      '1e300',
      "''",
      "'echo'",
      "'notes.remove'",
      "'__proto__'",
      '[]',
      '{}',
      '[1]',
      'true',
      '1n',
      'new Map()',
      'new Uint8Array(3)',
      'new Date(NaN)',
      "'x'.repeat(1e4)",
      '{ type: "end" }',
    ]
    const fields = [
      'type',
      'id',
      'fn',
      'input',
      'bytes',
      'line',
      'level',
      'text',
      'ok',
      'value',
      'open',
      'limit',
      'figure',
      'algorithm',
      'data',
    ]
    const bases = [
      CALL,
      BODY,
      `{ type: 'end', seen: 0 }`,
      `{ type: 'cut', seen: 0 }`,
      `{ type: 'log', level: 'log', text: 'x' }`,
      `{ type: 'limit', limit: 'logLines', figure: 1e6 }`,
      `{ type: 'digest', id: 1, algorithm: 'SHA-256', data: new ArrayBuffer(1) }`,
    ]
    for (let round = 0; round < 150; round++) {
      const sends = Array.from({ length: 1 + random(6) }, () => {
        const base = bases[random(bases.length)]
        const changes = Array.from(
          { length: random(3) },
          () => `${fields[random(fields.length)]}: ${atoms[random(atoms.length)]}`,
        ).join(', ')
        return `send({ ...${base}, ${changes} })`
      })
      const host = makeHost()
      const { result } = await against(`if (when === 'start') { ${sends.join('; ')} }`, {
        host,
        limits: { wallClockMs: 150, busyMs: 60 },
      })
      assert.notInclude(host.ran(), 'notes.remove', `seed ${seed}: ${sends.join('; ')}`)
      for (const fn of host.ran()) assert.equal(fn, 'echo', `seed ${seed}: ${sends.join('; ')}`)
      assert.oneOf(result.status, ['ok', 'error', 'limit'], `seed ${seed}: ${sends.join('; ')}`)
    }
  })
})

describe('a frame document of another build', () => {
  it('is refused with a sentence that says so', async () => {
    const { result } = await run('return 1', { sandbox: makeSandbox({ frame: { url: '/sandbox-other-build.html' } }) })
    assert.equal(result.error?.name, 'SandboxUnavailable', explain(result))
    assert.match(result.error?.message ?? '', /another build/)
  })
})
