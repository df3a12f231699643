// Random programs under random decisions over random rounds (SPEC §4, §5).
// Whatever the program is: nothing runs twice, nothing runs that was not shown
// and approved, and with everything approved approval changes no result.
import { defineFunctions } from '@faustine-ai/browser-sandbox'
import { assert } from 'chai'
import fc from 'fast-check'
import { type Generated, program } from '../fixture/program.js'
import { explain, makeSandbox, type Result, type Sandbox } from '../fixture/sandbox.js'
import { setup } from '../fixture/setup.js'

interface Run {
  callId: string
  fn: string
  input: string
}

/** Functions whose results depend on their inputs alone, and what of them ran. */
function makeFunctions(marked: boolean) {
  const ran: Run[] = []
  const answer =
    (fn: string, delay: number, fails: boolean) => async (input: { id?: unknown }, ctx: { callId: string }) => {
      const text = JSON.stringify(input)
      ran.push({ callId: ctx.callId, fn, input: text })
      if (delay) await new Promise((resolve) => setTimeout(resolve, delay))
      const n = [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 10, fn.length)
      if (fails && n % 3 === 0) throw new RangeError(`no luck with ${text}`)
      return { n, fn }
    }
  const functions = defineFunctions({
    read: answer('read', 0, false),
    slow: answer('slow', 3, false),
    write: { call: answer('write', 0, false), approval: marked },
    fragile: { call: answer('fragile', 1, true), approval: marked },
  })
  return { functions, ran }
}

/** Runs to the end, deciding each row by the next of `choices` (approve when they run out). */
async function play(sandbox: Sandbox, code: string, choices: boolean[]) {
  const { functions, ran } = makeFunctions(true)
  const approved = new Map<string, Run>()
  const decided = new Set<string>()
  let rejected = 0
  let rounds = 0
  let result: Result = await sandbox.run({ code, functions, approval: { mode: 'collect' } })
  while (result.status === 'pending') {
    assert.isBelow(++rounds, 40, 'the rounds do not end')
    const approve: string[] = []
    const reject: string[] = []
    const before = ran.length
    for (const { callId, fn, input } of result.pending ?? []) {
      assert.isFalse(decided.has(callId), `${callId} is asked a second time`)
      decided.add(callId)
      if (choices.shift() ?? true) {
        approve.push(callId)
        approved.set(callId, { callId, fn, input: JSON.stringify(input) })
      } else {
        reject.push(callId)
        rejected++
      }
    }
    assert.lengthOf(ran, before, 'something ran while the calls waited')
    // Every other round goes on from the continuation, as after a restart.
    result =
      rounds % 2
        ? ((await result.resume?.({ approve, reject })) as Result)
        : await sandbox.resume(structuredClone(result.continuation), { functions, decisions: { approve, reject } })
  }
  return { result, ran, approved, rejected }
}

async function holds(sandbox: Sandbox, { code, unstable }: Generated, choices: boolean[]) {
  const { result, ran, approved, rejected } = await play(sandbox, code, [...choices])
  const where = `${code}\n${explain(result)}`
  assert.include(['ok', 'error'], result.status, where)
  assert.notEqual(result.error?.name, 'ReplayMismatch', where)
  assert.notEqual(result.error?.name, 'SandboxUnavailable', where)
  const ids = ran.map(({ callId }) => callId)
  assert.strictEqual(new Set(ids).size, ids.length, `a call ran twice: ${where}`)
  const writes = ran.filter(({ fn }) => fn === 'write' || fn === 'fragile')
  for (const write of writes)
    assert.deepEqual(approved.get(write.callId), write, `it ran and was not shown and approved so: ${where}`)
  // After a rejection or a failure a program may go its own way.
  if (rejected || result.calls.some(({ state }) => state === 'error')) return
  assert.lengthOf(writes, approved.size, `everything was approved, and not all of it ran: ${where}`)
  if (unstable) return
  const plain = makeFunctions(false)
  const same = await sandbox.run({ code, functions: plain.functions })
  assert.deepEqual(
    [result.status, result.value, result.error?.message],
    [same.status, same.value, same.error?.message],
    where,
  )
}

describe('generated programs', function () {
  this.timeout(110_000)
  const portions = 10
  let sandbox: Sandbox
  before(() => {
    sandbox = makeSandbox({ warm: 3 })
  })
  after(() => sandbox.dispose())

  for (let portion = 1; portion <= portions; portion++) {
    it(`nothing runs twice or unseen, and approving all changes no result (${portion} of ${portions})`, async () => {
      const choices = fc.oneof(fc.constant<boolean[]>([]), fc.array(fc.boolean(), { maxLength: 40 }))
      const numRuns = Math.ceil(setup.programs / portions)
      let played = 0
      await fc.assert(
        fc.asyncProperty(program, choices, (generated, chosen) => {
          played++
          return holds(sandbox, generated, chosen)
        }),
        { numRuns, seed: setup.seed + portion, endOnFailure: true, includeErrorInReport: true },
      )
      assert.strictEqual(played, numRuns, 'every program is played')
    })
  }
})
