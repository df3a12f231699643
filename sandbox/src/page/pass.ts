// One pass: one time through the program, in one fresh worker.
//
// 1. Records from the worker are checked and go through one queue, so that a
//    cut or the end of the body never overtakes a call whose mark is still
//    being decided.
// 2. A call is looked up in the journal, if there is one; otherwise its mark
//    is decided, and it runs, waits, or is refused.
// 3. The pass ends when the program ended or was cut and every call that runs
//    has settled; at a limit, an abort, a fault or a mismatch it ends at once.

import { asToPage, isFault } from '../shared/guards.js'
import { inputsFactor } from '../shared/limits.js'
import type { Settled, ToPage } from '../shared/protocol.js'
import { Refusal, snapshot, stringBytes } from '../shared/value.js'
import type { Verdict } from './decisions.js'
import { Executor } from './execute.js'
import type { WorkerHandle } from './frame.js'
import { type Entry, mismatch, Replay } from './journal.js'
import type { Program } from './program.js'
import type { CallState, LimitName, LogLine } from './result.js'
import { Watch } from './watch.js'

export interface Plan {
  /** Recorded calls to replay; undefined in a first pass. */
  journal?: readonly Entry[]
  /** Whether the recorded pass was cut. */
  cut?: boolean
  /** Decisions of this resume: a real pass. Without them a journal makes a check pass. */
  verdicts?: ReadonlyMap<string, Verdict>
  /** Log lines that were shown before: they give no events again. */
  shown: number
}

export type Ending =
  | { how: 'body'; ok: boolean; value: unknown }
  | { how: 'cut' }
  | { how: 'limit'; limit: LimitName; figure: number }
  | { how: 'aborted'; reason: unknown }
  | { how: 'fault'; reason: string }
  | { how: 'mismatch'; message: string }

export interface PassResult {
  ending: Ending
  /** The calls made, in their order: the journal of a later pass. */
  entries: Entry[]
  /** Recorded calls that this pass did not make. */
  unused: Entry[]
  logs: LogLine[]
  run: number
  waiting: number
  host: number
}

/** Digests that a program may have open at once: more is no program but a flood. */
const digestsMax = 1_000

export const runPass = (program: Program, plan: Plan, worker: WorkerHandle, signal: AbortSignal): Promise<PassResult> =>
  new Promise((finish) => {
    const { functions, limits, runId, emit } = program
    const replay = plan.journal && new Replay(plan.journal, plan.cut ?? false)
    const checking = !!replay && !plan.verdicts
    const entries: Entry[] = []
    const ids = new Map<Entry, number>()
    const logs: LogLine[] = []
    const ended = new AbortController()
    const began = performance.now()
    let over = false
    let lastId = 0
    let lastSeen = 0
    let settlements = 0
    /** After how many settlements something decided now had been thrown into the program. */
    let freedBy: number | undefined
    let inputs = 0
    let logBytes = 0
    let digests = 0
    let host = 0
    let body: Extract<ToPage, { type: 'body' }> | undefined
    let ending: Ending | undefined
    const queue: unknown[] = []
    let queueBusy = false
    /** Calls that were executed in this pass. */
    const ran = new Set<Entry>()
    /** Approved calls of this resume, with their recorded place. */
    const recordedFor = new Map<Entry, Entry>()
    let asks: Promise<unknown> = Promise.resolve()

    const end = (how: Ending) => {
      if (over) return
      over = true
      worker.stop()
      watch.stop()
      signal.removeEventListener('abort', aborted)
      for (const entry of entries) {
        if (entry.settled) continue
        if (entry.state === 'open') entry.state = 'cancelled'
        if (ran.has(entry) || executor.has(entry)) tell('end', entry)
      }
      ended.abort(new DOMException('The run has ended.', 'AbortError'))
      const run = performance.now() - began - watch.waiting
      finish({ ending: how, entries, unused: replay?.unused ?? [], logs, run, waiting: watch.waiting, host })
    }
    const watch = new Watch(limits, (limit) => end({ how: 'limit', limit, figure: limits[limit] }))
    const aborted = () => end({ how: 'aborted', reason: signal.reason })
    const fault = (reason: string) => end({ how: 'fault', reason })
    const malformed = (what: string) => fault(`The worker sent ${what}; nothing of it was run.`)

    const tell = (phase: 'start' | 'pending' | 'end', entry: Entry) => {
      if (!program.heard) return
      const { callId, seq, fn, state, ms } = entry
      // A listener gets its own copy: what it does to it changes no call.
      const input = structuredClone(entry.input)
      emit({
        type: 'call',
        phase,
        runId,
        callId,
        seq,
        fn,
        input,
        ...(state === 'open' ? {} : { state }),
        ...(phase === 'end' ? { ms } : {}),
      })
    }

    /** Lets the program have what a call came to, and records it. */
    const settle = (entry: Entry, state: CallState, settled: Settled, value: unknown, at: number) => {
      entry.state = state
      entry.settled = settled
      entry.value = value
      entry.order = settlements++
      entry.at = at
      if (!ending)
        worker.post({
          type: 'settle',
          id: ids.get(entry) as number,
          state: settled,
          value,
          errors: entry.errors ?? false,
          at,
        })
    }

    /** Settles a call of this pass, in the recorded place where it has one. */
    const settleNow = (
      entry: Entry,
      recorded: Entry | undefined,
      state: CallState,
      settled: Settled,
      value: unknown,
      frees = false,
    ) => {
      const go = () => {
        // In a recorded place the clock stays the recorded one, or the calls behind would differ.
        settle(entry, state, settled, value, recorded && !replay?.released ? recorded.at : Date.now())
        if (frees) {
          freedBy ??= settlements
          replay?.release()
        }
        if (settled !== 'pending') tell('end', entry)
      }
      if (recorded && replay) replay.inOrder(recorded.order, go)
      else go()
    }

    const isFree = (seen: number) => freedBy !== undefined && seen >= freedBy

    const finishIfDone = () => {
      if (ending && executor.idle) end(ending)
    }

    const executor = new Executor(program, ended.signal, {
      started: (entry) => {
        watch.executing(1)
        ran.add(entry)
        tell('start', entry)
      },
      done: (entry, state, value) => {
        watch.executing(-1)
        host += entry.ms
        // It has run, whenever the program gets to see it.
        entry.state = state
        entry.value = value
        const recorded = recordedFor.get(entry)
        settleNow(entry, recorded, state, state, value, state === 'error' && !!recorded)
        finishIfDone()
      },
    })

    const refuse = (entry: Entry, state: 'rejected' | 'denied', message: string, recorded?: Entry) =>
      settleNow(
        entry,
        recorded,
        state,
        'rejected',
        { error: true, name: 'ApprovalRejected', message, cause: null },
        !!recorded,
      )

    // Approval

    const isMarked = (entry: Entry): boolean | Promise<boolean> => {
      const approval = functions[entry.fn]?.approval ?? false
      if (approval === true || approval === false) return approval
      try {
        const answer: unknown = approval(snapshot(entry.input, 'the input').value)
        if (typeof answer !== 'object' || answer === null) return answer !== false
        watch.executing(1)
        return Promise.resolve(answer as unknown)
          .then(
            (mark) => mark !== false,
            () => true,
          )
          .finally(() => watch.executing(-1))
      } catch {
        return true
      }
    }

    const ask = (entry: Entry) => {
      asks = asks.then(async () => {
        if (over) return
        const { callId, seq, fn, input, line } = entry
        const title = functions[fn]?.title
        tell('pending', entry)
        emit({ type: 'status', status: 'waiting', runId })
        watch.asking(1)
        let verdict: Verdict = { approve: false }
        try {
          const answer = await program.onApproval?.({
            callId,
            seq,
            fn,
            input: snapshot(input, 'the input').value,
            ...(title === undefined ? {} : { title }),
            ...(line ? { line } : {}),
            signal: ended.signal,
          })
          const { decision, reason } = (
            typeof answer === 'object' && answer !== null ? answer : { decision: answer }
          ) as { decision: unknown; reason?: unknown }
          verdict = { approve: decision === 'approve', ...(typeof reason === 'string' ? { reason } : {}) }
        } catch {
          verdict = { approve: false }
        }
        if (over) return
        watch.asking(-1)
        emit({ type: 'status', status: 'running', runId })
        if (verdict.approve) executor.run(entry)
        else refuse(entry, 'rejected', rejection(fn, verdict.reason))
        finishIfDone()
      })
    }

    const judged = (entry: Entry, marked: boolean) => {
      if (over) return
      if (!marked) executor.run(entry)
      else if (program.mode === 'deny')
        refuse(
          entry,
          'denied',
          `sdk.${entry.fn} needs a person's approval, and this run was started without asking anybody (approval mode deny).`,
        )
      else if (program.mode === 'pause') ask(entry)
      else {
        settleNow(entry, undefined, 'pending', 'pending', undefined)
        tell('pending', entry)
      }
    }

    // Records

    const onCall = ({ id, seen, fn, input, line }: Extract<ToPage, { type: 'call' }>): void | Promise<void> => {
      if (id !== lastId + 1) return malformed(`call ${id} after call ${lastId}`)
      if (!Object.hasOwn(functions, fn)) return malformed(`a call of the unknown function “${fn}”`)
      if (seen < lastSeen || seen > settlements) return malformed('a call that knows what it cannot know')
      lastId = id
      lastSeen = seen
      const { bytes } = snapshot(input, 'input', undefined, limits.inputBytes)
      inputs += bytes
      if (bytes > limits.inputBytes) return end({ how: 'limit', limit: 'inputBytes', figure: bytes })
      if (inputs > inputsFactor * limits.inputBytes) return end({ how: 'limit', limit: 'inputBytes', figure: inputs })
      if (id > limits.calls) return end({ how: 'limit', limit: 'calls', figure: id })
      const recorded = replay?.match(fn, input, isFree(seen))
      if (recorded === 'mismatch' || (checking && !recorded))
        return end({ how: 'mismatch', message: mismatch(replay?.missing, fn) })
      const seq = recorded?.seq ?? ++program.lastSeq
      const entry: Entry = {
        callId: recorded?.callId ?? `${runId}.${seq}`,
        seq,
        fn,
        input: recorded ? recorded.input : input,
        line,
        state: 'open',
        ms: 0,
        order: -1,
        at: 0,
      }
      if (body) entry.awaited = false
      ids.set(entry, id)
      entries.push(entry)
      if (recorded) return repeat(entry, recorded)
      const marked = isMarked(entry)
      if (typeof marked === 'boolean') return judged(entry, marked)
      return marked.then((mark) => judged(entry, mark))
    }

    /** A recorded call: its outcome as recorded, or what was decided for it now. */
    const repeat = (entry: Entry, recorded: Entry) => {
      entry.line ||= recorded.line
      const verdict = recorded.state === 'pending' ? plan.verdicts?.get(recorded.callId) : undefined
      if (verdict?.approve) {
        recordedFor.set(entry, recorded)
        return executor.run(entry)
      }
      if (verdict) return refuse(entry, 'rejected', rejection(entry.fn, verdict.reason), recorded)
      if (recorded.errors) entry.errors = true
      entry.state = recorded.state
      entry.value = recorded.value
      entry.ms = recorded.ms
      replay?.inOrder(recorded.order, () =>
        settle(entry, recorded.state as CallState, recorded.settled as Settled, recorded.value, recorded.at),
      )
    }

    const onLog = ({ level, text }: Extract<ToPage, { type: 'log' }>) => {
      const room = Math.max(0, limits.logBytes - logBytes)
      logBytes += stringBytes(text)
      // The worker keeps the line that exceeds, cut; here that holds whatever it sends.
      if (logs.length >= limits.logLines) return end({ how: 'limit', limit: 'logLines', figure: logs.length + 1 })
      const line: LogLine = { level, text: text.length > room + 1 ? `${text.slice(0, room)}…` : text, at: Date.now() }
      logs.push(line)
      if (!checking && logs.length > plan.shown) emit({ type: 'log', runId, ...line })
      if (logBytes > limits.logBytes + 8) end({ how: 'limit', limit: 'logBytes', figure: logBytes })
    }

    const onDigest = ({ id, algorithm, data }: Extract<ToPage, { type: 'digest' }>) => {
      if (++digests > digestsMax) return malformed('too many digests at once')
      const answer = (ok: boolean, value: unknown) => {
        digests--
        if (!over) worker.post({ type: 'digested', id, ok, value })
      }
      const subtle = globalThis.crypto?.subtle
      if (!subtle) return answer(false, 'This page has no crypto.subtle (it is not a secure context).')
      subtle.digest(algorithm, data).then(
        (hash) => answer(true, hash),
        (error) => answer(false, `crypto.subtle.digest does not know “${algorithm}” (${error})`),
      )
    }

    /** The program can do nothing any more; calls that run are awaited. */
    const stopProgram = (how: Ending, seen: number) => {
      const expected = isFree(seen) ? undefined : replay?.missing
      if (expected) return end({ how: 'mismatch', message: mismatch(expected) })
      ending = how
      worker.stop()
      finishIfDone()
    }

    const handle = (value: unknown): void | Promise<void> => {
      const record = asToPage(value)
      if (!record || record.type === 'up') return malformed('a malformed record')
      try {
        return take(record)
      } catch (error) {
        // Only a value that no harness sends cannot be looked at.
        return malformed(`a value that does not cross (${error instanceof Refusal ? error.text : error})`)
      }
    }

    const take = (record: Exclude<ToPage, { type: 'up' }>): void | Promise<void> => {
      switch (record.type) {
        case 'call':
          return onCall(record)
        case 'log':
          return onLog(record)
        case 'digest':
          return onDigest(record)
        case 'limit': {
          const { limit, figure } = record
          return figure > limits[limit]
            ? end({ how: 'limit', limit, figure })
            : malformed('a limit that was not exceeded')
        }
        case 'cut':
          return entries.some((entry) => entry.state === 'pending')
            ? stopProgram({ how: 'cut' }, record.seen)
            : malformed('a cut although nothing is pending')
        case 'body': {
          if (body) return malformed('two ends of the body')
          if (record.ok) {
            const { bytes } = snapshot(record.value, 'the returned value', undefined, limits.outputBytes)
            if (bytes > limits.outputBytes) return end({ how: 'limit', limit: 'outputBytes', figure: bytes })
          } else if (!isFault(record.value)) return malformed('an error that is none')
          body = record
          for (const entry of entries) if (record.open.includes(ids.get(entry) as number)) entry.awaited = false
          return
        }
        case 'broken':
          return fault('The worker could not read a message of the page, or knows no such.')
        case 'end': {
          if (!body || entries.some((entry) => !entry.settled)) return malformed('an end before its calls had settled')
          return stopProgram({ how: 'body', ok: body.ok, value: body.value }, body.seen)
        }
      }
    }

    const drain = () => {
      while (queue.length && !queueBusy && !over && !ending) {
        const wait = handle(queue.shift())
        if (!wait) continue
        queueBusy = true
        wait.then(() => {
          queueBusy = false
          drain()
        })
      }
    }

    if (signal.aborted) return aborted()
    signal.addEventListener('abort', aborted)
    worker.attach((record) => {
      queue.push(record)
      drain()
    }, fault)
    if (over) return
    if (!checking) emit({ type: 'status', status: 'running', runId })
    watch.start()
    worker.post({
      type: 'start',
      code: program.code,
      names: Object.keys(functions),
      given: program.given,
      input: program.input,
      limits,
      seeds: program.seeds,
    })
  })

const rejection = (fn: string, reason: string | undefined) =>
  reason ? `sdk.${fn} was not approved: ${reason}` : `sdk.${fn} was not approved.`
