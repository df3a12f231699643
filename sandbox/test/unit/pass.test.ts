// The page's door in its place: sequences of mutated records against a real
// pass, with a double for the worker. Whatever comes, the pass ends in one of
// its ways, nothing throws, and a function runs only for a whole call of it
// that came in its order.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineFunctions } from '../../src/page/functions.js'
import type { Entry } from '../../src/page/journal.js'
import { runPass } from '../../src/page/pass.js'
import type { Program } from '../../src/page/program.js'
import { Replay } from '../../src/page/replay.js'
import { firstStage } from '../../src/page/run.js'
import { defaultLimits } from '../../src/shared/limits.js'
import { dice, doors, isWhole, mutant } from '../fixture/records.js'

const records = 100_000

/** Whole calls in their order, as far as the sequence has them. */
const callsIn = (sequence: unknown[]): string[] => {
  const names: string[] = []
  for (const record of sequence) {
    const { type, id, fn } = (record ?? {}) as { type?: unknown; id?: unknown; fn?: unknown }
    if (isWhole(doors.toPage, record) && type === 'call' && id === names.length + 1) names.push(fn as string)
  }
  return names
}

for (const mode of ['deny', 'collect'] as const) {
  test(`${records} mutated records into passes of mode ${mode}: each pass ends, nothing throws, only whole calls in order ran`, async () => {
    const roll = dice(mode.length)
    const endings = new Set<string>()
    let executed = 0
    for (let sent = 0, run = 0; sent < records; run++) {
      const ran: string[] = []
      const note = (fn: string) => (input: unknown) => {
        ran.push(fn)
        return input
      }
      const functions = defineFunctions({
        echo: note('echo'),
        'notes.remove': { call: note('notes.remove'), approval: true },
      })
      const program: Program = {
        runId: `r${run}`,
        code: '',
        given: false,
        input: undefined,
        seeds: null,
        functions,
        limits: defaultLimits,
        mode,
        heard: true,
        emit: () => {},
        lastSeq: 0,
      }
      // Mostly whole beginnings, so that later records meet a pass that is under way.
      const sequence: unknown[] = []
      for (let id = 1; roll(3); id++)
        sequence.push({
          type: 'call',
          id,
          seen: 0,
          fn: roll(2) ? 'echo' : 'notes.remove',
          input: id,
          bytes: 8,
          line: 1,
        })
      for (let i = 1 + roll(4); i > 0; i--) sequence.push(mutant(doors.toPage, roll))
      sequence.push({ type: 'body', ok: true, value: 1, bytes: 8, open: [] }, { type: 'end', seen: 0 })
      sent += sequence.length

      const abort = new AbortController()
      let receive: (record: unknown) => void = () => {}
      const pass = runPass(
        program,
        {},
        {
          post: (record) => structuredClone(record),
          stop() {},
          attach: (next) => {
            receive = next
          },
        },
        abort.signal,
      )
      for (const record of sequence) receive(record)
      // Calls settle in a few turns.
      for (let turn = 0; turn < 8; turn++) await null
      abort.abort()
      const { ending } = await pass
      endings.add(ending === 'cut' ? 'cut' : 'body' in ending ? 'body' : ending.status)
      executed += ran.length
      const whole = callsIn(sequence)
      for (const [i, fn] of ran.entries()) {
        const unmarked = whole.filter((name) => name === 'echo')
        assert.equal(fn, unmarked[i], JSON.stringify({ ran, whole }))
      }
    }
    assert.ok(executed > 1_000, `${executed} calls ran: the test should see passes that are under way`)
    for (const how of ['body', 'error', ...(mode === 'collect' ? ['cut'] : [])])
      assert.ok(endings.has(how), `no pass ended by ${how}: ${[...endings]}`)
  })
}

test(`${records} mutated records into passes that repeat a journal: outcomes went ahead, and nothing but the approved call runs, once, as recorded`, async () => {
  const roll = dice(5)
  const recorded = (seq: number, fn: string, state: 'ok' | 'pending', order: number): Entry => {
    const entry = {
      callId: `r.${seq}`,
      seq,
      fn,
      input: seq,
      line: 0,
      state,
      ms: 1,
      settled: state,
      seen: 0,
      order,
      at: seq,
    }
    return state === 'ok' ? { ...entry, value: seq } : entry
  }
  const call = (id: number, fn: string) => ({ type: 'call', id, seen: 0, fn, input: id, bytes: 8, line: 0 })
  const endings = new Set<string>()
  let executed = 0
  for (let sent = 0; sent < records; ) {
    const ran: unknown[] = []
    const functions = defineFunctions({
      echo: (input: unknown) => ran.push(['echo', input]),
      'notes.remove': { call: (input: unknown) => ran.push(['notes.remove', input]), approval: true },
    })
    const program: Program = {
      ...{ runId: 'r', code: '', given: false, input: undefined, seeds: null, functions, limits: defaultLimits },
      ...{ mode: 'collect', heard: true, emit: () => {}, lastSeq: 4 },
    }
    // The second call settled first; the third waits for a decision.
    const journal = [recorded(1, 'echo', 'ok', 1), recorded(2, 'echo', 'ok', 0)]
    journal.push(recorded(3, 'notes.remove', 'pending', 2), recorded(4, 'echo', 'ok', 3))
    const approve = roll(2) === 1
    const replay = new Replay({ ...firstStage(), entries: journal }, new Map([['r.3', { approve, reason: undefined }]]))
    const sequence: unknown[] = []
    for (const [i, { fn }] of journal.entries()) if (roll(8)) sequence.push(call(i + 1, fn))
    for (let i = roll(3); i > 0; i--) sequence.splice(roll(sequence.length + 1), 0, mutant(doors.toPage, roll))
    sequence.push({ type: 'body', ok: true, value: 1, bytes: 8, open: [] }, { type: 'end', seen: 0 })
    sent += sequence.length

    const abort = new AbortController()
    const settled: number[] = []
    let receive: (record: unknown) => void = () => {}
    const pass = runPass(
      program,
      { replay },
      {
        post: (record) => {
          structuredClone(record)
          if (record.type === 'settle' && record.after === journal.length) settled.push(record.id)
        },
        stop() {},
        attach: (next) => {
          receive = next
        },
      },
      abort.signal,
    )
    assert.deepEqual(settled, [2, 1], 'the recorded order, up to what is decided now')
    for (const record of sequence) {
      receive(record)
      for (let turn = 0; turn < 8; turn++) await null
    }
    abort.abort()
    const { ending } = await pass
    endings.add(ending === 'cut' ? 'cut' : 'body' in ending ? 'body' : ending.status)
    executed += ran.length
    assert.ok(ran.length <= 1)
    if (ran.length) {
      assert.deepEqual(ran, [['notes.remove', 3]])
      assert.ok(approve && callsIn(sequence).length >= 3)
      assert.deepEqual(settled, [2, 1, 3, 4])
    }
  }
  assert.ok(executed > 1_000, `${executed} calls ran: the test should see passes that are under way`)
  for (const how of ['body', 'error']) assert.ok(endings.has(how), `no pass ended by ${how}: ${[...endings]}`)
})
