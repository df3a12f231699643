// Random programs with timers, under random decisions over random rounds
// (SPEC §4, §5). Which timer or call is first is free in a first pass, and in no
// later one: whatever the program is, nothing runs twice, nothing runs that was
// not shown and approved, no pass differs from what the one before it did, and
// all that ran is listed.
import { defineFunctions } from '@faustine-ai/browser-sandbox'
import fc from 'fast-check'
import { explain, makeSandbox, type Result, type Sandbox } from '../fixture/sandbox.js'
import { setup } from '../fixture/setup.js'
import { timedProgram } from '../fixture/timed.js'

interface Ran {
  callId: string
  fn: string
  input: unknown
  outcome?: { value: unknown } | { error: string }
}

/** A number below 10 that a call's function and input alone decide. */
const lot = (fn: string, input: unknown) =>
  [...JSON.stringify(input)].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_009, fn.length) % 10

/** Functions whose results depend on their inputs alone, and whose times do not; and what of them ran. */
function makeFunctions() {
  const ran: Ran[] = []
  const settle = (one: Ran, fails: boolean) => {
    const n = lot(one.fn, one.input)
    if (fails && n % 3 === 0) {
      one.outcome = { error: `no luck with ${n}` }
      throw new RangeError(one.outcome.error)
    }
    const value = { n, fn: one.fn }
    one.outcome = { value }
    return value
  }
  const begin = (input: unknown, { callId, fn }: { callId: string; fn: string }) => {
    const one: Ran = { callId, fn, input }
    ran.push(one)
    return one
  }
  const varies =
    (fails = false) =>
    async (input: unknown, ctx: { callId: string; fn: string }) => {
      const one = begin(input, ctx)
      const ms = Math.floor(Math.random() * 9) - 2
      if (ms >= 0) await new Promise((resolve) => setTimeout(resolve, ms))
      return settle(one, fails)
    }
  const functions = defineFunctions({
    get: (input, ctx) => settle(begin(input, ctx), false),
    soon: async (input, ctx) => settle(begin(input, ctx), false),
    vary: varies(),
    flaky: varies(true),
    send: { call: (input, ctx) => settle(begin(input, ctx), false), approval: true },
    post: { call: varies(), approval: true },
    fragile: { call: varies(true), approval: true },
    some: { call: varies(), approval: (input) => lot('some', input) > 3 },
  })
  return { functions, ran }
}
const marked = ({ fn, input }: { fn: string; input: unknown }) =>
  ['send', 'post', 'fragile'].includes(fn) || (fn === 'some' && lot(fn, input) > 3)

/** What the program noted; when an engine reports what nobody handled is its own affair. */
const noted = (result: Result) => result.logs.filter(({ level }) => level === 'log').map(({ text }) => text)

/** Plays a program to its end, and checks what holds for any. */
async function holds(sandbox: Sandbox, code: string, choices: boolean[]) {
  const { functions, ran } = makeFunctions()
  const approved = new Map<string, unknown>()
  const rejected = new Set<string>()
  let rounds = 0
  let before: string[] = []
  let story = ''
  let result: Result = await sandbox.run({ code, functions, approval: { mode: 'collect' } })
  const check = (condition: unknown, what: string) => {
    if (!condition) throw new Error(`${what}\n${code.slice(code.indexOf('\nconst digest'))}\n${story}`)
  }
  for (;;) {
    story += `round ${rounds}: ${explain(result)}\n`
    check(['ok', 'error', 'pending'].includes(result.status), 'the run ends by itself')
    check(!['ReplayMismatch', 'SandboxUnavailable'].includes(result.error?.name ?? ''), 'a pass repeats what was')
    const ids = ran.map(({ callId }) => callId)
    check(new Set(ids).size === ids.length, 'a call runs once')
    for (const one of ran.filter(marked))
      check(
        JSON.stringify(approved.get(one.callId)) === JSON.stringify(one.input),
        `${one.callId} runs as it was shown and approved`,
      )
    const listed = new Map(result.calls.map((row) => [row.callId, row]))
    check(listed.size === result.calls.length, 'a call is listed once')
    for (const one of ran) {
      const row = listed.get(one.callId)
      check(
        row && row.fn === one.fn && JSON.stringify(row.input) === JSON.stringify(one.input),
        `${one.callId} ran and is listed`,
      )
      const outcome = row?.state === 'ok' ? { value: row.value } : { error: row?.error?.message }
      check(JSON.stringify(outcome) === JSON.stringify(one.outcome), `${one.callId} is listed with what it came to`)
    }
    for (const row of result.calls) {
      const state = rejected.has(row.callId)
        ? ['rejected', 'cancelled']
        : ids.includes(row.callId)
          ? ['ok', 'error']
          : ['pending', 'cancelled']
      check(state.includes(row.state), `${row.callId} is ${row.state}`)
    }
    const free = rejected.size > 0 || result.calls.some((row) => row.state === 'error' && marked(row))
    if (!free) {
      const lines = noted(result)
      check(
        before.every((line, i) => line === lines[i]),
        `a pass takes the way of the one before: ${before}`,
      )
      check(
        [...approved.keys()].every((id) => ids.includes(id)),
        'what was approved runs',
      )
      before = lines
    }
    if (result.status !== 'pending') break
    check(++rounds < 60, 'the rounds end')
    const approve: string[] = []
    const reject: string[] = []
    check(result.pending?.length, 'something waits')
    for (const { callId, fn, input } of result.pending ?? []) {
      check(!approved.has(callId) && !rejected.has(callId), `${callId} is asked once`)
      check(marked({ fn, input }), `${callId} is marked`)
      if (choices.shift() ?? true) {
        approve.push(callId)
        approved.set(callId, input)
      } else {
        reject.push(callId)
        rejected.add(callId)
      }
    }
    story += `approve ${approve}, reject ${reject}\n`
    // Every other round goes on from the continuation, as after a restart.
    result =
      rounds % 2
        ? ((await result.resume?.({ approve, reject })) as Result)
        : await sandbox.resume(structuredClone(result.continuation), { functions, decisions: { approve, reject } })
  }
  if (result.status === 'ok')
    check(
      JSON.stringify(result.value) === JSON.stringify(noted(result).slice(0, (result.value as []).length)),
      'the value is what was noted',
    )
}

describe('generated programs with timers', function () {
  this.timeout(110_000)
  const portions = Math.ceil(setup.programs / 50)
  let sandbox: Sandbox
  before(() => {
    sandbox = makeSandbox({ warm: 3 })
  })
  after(() => sandbox.dispose())

  for (let portion = 1; portion <= portions; portion++) {
    it(`no pass differs from the one before, and nothing runs twice or unseen (${portion} of ${portions})`, async () => {
      const choices = fc.oneof(fc.constant<boolean[]>([]), fc.array(fc.boolean(), { maxLength: 40 }))
      const numRuns = Math.ceil(setup.programs / portions)
      await fc.assert(
        fc.asyncProperty(timedProgram, choices, (code, chosen) => holds(sandbox, code, [...chosen])),
        { numRuns, seed: setup.seed + portion, interruptAfterTimeLimit: 100_000, includeErrorInReport: true },
      )
    })
  }
})
