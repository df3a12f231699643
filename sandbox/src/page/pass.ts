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
import { firedMax, inputsFactor, ownTime } from '../shared/limits.js'
import type { Settled, ToPage } from '../shared/protocol.js'
import { copyOf, copyToSend, measure, stringBytes } from '../shared/value.js'
import { aborted, type Failure, limited, mismatched, unavailable } from './ending.js'
import { makeExecutor } from './execute.js'
import type { WorkerHandle } from './frame.js'
import type { Entry } from './journal.js'
import type { Program } from './program.js'
import type { Replay } from './replay.js'
import type { CallState, LimitName, LogLine, Timings } from './result.js'
import { makeWatch } from './watch.js'

export interface Plan {
  /** What the pass repeats; a check pass when nothing is decided in it, a first pass without it. */
  replay?: Replay
}

/** How a pass ended: its body's value or fault, a cut, or what ended it early. */
export type Ending = { body: { ok: boolean; value: unknown } } | 'cut' | Failure

export interface PassResult {
  ending: Ending
  /** The calls made, in their order: the journal of a later pass. Behind them what is recorded and was not made, without a place. */
  entries: Entry[]
  logs: LogLine[]
  /** What fired, by twos: behind how many outcomes, and its number; 0 where everything could. */
  fired: number[]
}

/** What a pass took, in ms. */
export type Spent = Pick<Timings, 'run' | 'waiting' | 'host'>

type Received<Type> = Extract<ToPage, { type: Type }>

/** Of a call that was executing when its run ended. */
const cutOff = {
  error: true,
  name: 'AbortError',
  message: 'The run ended while this was executing: whether it took effect is not known.',
}

/** Digests that a program may have open at once: more is no program but a flood. */
const digestsMax = 1_000

export const runPass = (
  program: Program,
  plan: Plan,
  worker: WorkerHandle,
  signal: AbortSignal,
): Promise<PassResult & Spent> =>
  new Promise((finish) => {
    const { functions, limits, runId, emit } = program
    const { replay } = plan
    const checking = replay && !replay.verdicts
    const entries: Entry[] = []
    const ids = new Map<Entry, number>()
    const logs: LogLine[] = []
    const fired: number[] = []
    const ended = new AbortController()
    const began = performance.now()
    let over = false
    let lastSeen = 0
    let settlements = 0
    /** After how many settlements something decided now had been thrown into the program. */
    let freedBy = Number.POSITIVE_INFINITY
    let inputs = 0
    let logBytes = 0
    let digests = 0
    let host = 0
    let body: Received<'body'> | undefined
    let ending: Ending | undefined
    const queue: unknown[] = []
    let queueBusy = false
    /** Calls that were executed in this pass. */
    const ran = new Set<Entry>()
    /** How many calls are made when the last recorded outcome is due of those that the program waits for; 0: none. */
    let due = 0
    /** Approved calls of this resume, with their recorded place. */
    const recordedFor = new Map<Entry, Entry>()
    let asks: Promise<unknown> = Promise.resolve()

    const end = (how: Ending) => {
      if (over) return
      over = true
      worker.stop()
      watch.stop()
      signal.removeEventListener('abort', abort)
      for (const entry of entries) {
        if (entry.settled) continue
        if (entry.state === 'open') {
          entry.state = 'cancelled'
          if (ran.has(entry)) entry.value = cutOff
        }
        if (ran.has(entry) || executor.has(entry)) tell('end', entry)
      }
      ended.abort(new DOMException('The run has ended.', 'AbortError'))
      const { waiting } = watch
      const run = performance.now() - began - waiting
      finish({ ending: how, entries: [...entries, ...(replay?.unused ?? [])], logs, fired, run, waiting, host })
    }
    const exceeded = (limit: LimitName, figure: number = limits[limit]) => end(limited(limits, limit, figure))
    const watch = makeWatch(limits, exceeded)
    const abort = () => end(aborted(signal.reason))
    const fault = (reason: string) => end(unavailable(reason))
    /** Type of the record that is looked at. */
    let type = 'record'
    const malformed = () =>
      fault(`The worker sent a ${type} that is malformed, or out of its order; nothing of it was run.`)

    const tell = (phase: 'start' | 'pending' | 'end', entry: Entry) => {
      if (!program.heard) return
      const { callId, seq, fn, state, ms } = entry
      emit({
        type: 'call',
        phase,
        runId,
        callId,
        seq,
        fn,
        // A listener gets its own copy: what it does to it changes no call.
        input: copyOf(entry.input),
        ...(state !== 'open' && { state }),
        ...(phase === 'end' && { ms }),
      })
    }

    /** Lets the program have what a call came to, when it has made so many calls. */
    const answer = (id: number, { settled, value, at, errors, buffers: holds }: Entry, after: number) => {
      if (ending) return
      // The worker gets its own: what is transferred is gone, and the journal keeps the value.
      const { value: own, buffers } = holds ? copyToSend(value) : { value, buffers: [] }
      worker.post({ type: 'settle', id, state: settled as Settled, value: own, errors: !!errors, at, after }, buffers)
    }

    /** Records what a call came to, and lets the program have it. */
    const settle = (entry: Entry, state: CallState, settled: Settled, value: unknown, at: number, after: number) => {
      Object.assign(entry, { state, settled, value, order: settlements++, at })
      answer(ids.get(entry) as number, entry, after)
    }

    /** Settles a call of this pass, in the recorded place where it has one. */
    const settleNow = (
      entry: Entry,
      recorded: Entry | undefined,
      state: CallState,
      settled: Settled,
      value?: unknown,
      frees = false,
    ) => {
      const go = (after: number) => {
        // In a recorded place the clock stays the recorded one, or the calls behind would differ.
        settle(entry, state, settled, value, recorded && !replay?.released ? recorded.at : Date.now(), after)
        if (frees) {
          freedBy = Math.min(freedBy, settlements)
          replay?.release()
          comeDue(due)
        }
        if (settled !== 'pending') tell('end', entry)
      }
      if (recorded && replay) replay.inOrder(recorded.order, go)
      else go(0)
    }

    const comeDue = (made: number) => {
      if (due && due <= made) {
        due = 0
        watch.executing(-1)
      }
    }

    const finishIfDone = () => {
      if (ending && executor.idle()) end(ending)
    }

    const executor = makeExecutor(program, ended.signal, {
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

    const refuse = (entry: Entry, state: 'rejected' | 'denied', why: string, recorded?: Entry) => {
      const message = `sdk.${entry.fn} ${why}`
      const value = { error: true, name: 'ApprovalRejected', message, cause: null }
      settleNow(entry, recorded, state, 'rejected', value, !!recorded)
    }
    const reject = (entry: Entry, reason: unknown, recorded?: Entry) =>
      refuse(
        entry,
        'rejected',
        `was not approved${typeof reason === 'string' && reason ? `: ${reason}` : '.'}`,
        recorded,
      )

    // Approval

    const isMarked = (entry: Entry): boolean | Promise<boolean> => {
      const approval = functions[entry.fn]?.approval ?? false
      if (typeof approval === 'boolean') return approval
      try {
        const answer: unknown = approval(copyOf(entry.input))
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
        let answer: { decision?: unknown; reason?: unknown } = {}
        try {
          const given = await program.onApproval?.({
            callId,
            seq,
            fn,
            input: copyOf(input),
            ...(title !== undefined && { title }),
            ...(line && { line }),
            signal: ended.signal,
          })
          const { decision, reason } = (
            typeof given === 'object' && given !== null ? given : { decision: given }
          ) as typeof answer
          answer = { decision, reason }
        } catch {
          // No answer is no approval.
        }
        if (over) return
        watch.asking(-1)
        emit({ type: 'status', status: 'running', runId })
        if (answer.decision === 'approve') executor.run(entry)
        else reject(entry, answer.reason)
        finishIfDone()
      })
    }

    const judged = (entry: Entry, marked: boolean) => {
      if (over) return
      if (!marked) executor.run(entry)
      else if (program.mode === 'pause') ask(entry)
      else if (program.mode === 'collect') {
        settleNow(entry, undefined, 'pending', 'pending')
        tell('pending', entry)
      } else refuse(entry, 'denied', "needs a person's approval, and this run asks nobody (approval mode deny).")
    }

    // Records

    const onCall = ({ id, seen, fn, input, line }: Received<'call'>): void | Promise<void> => {
      if (id !== entries.length + 1 || !Object.hasOwn(functions, fn)) return malformed()
      const { bytes } = measure(input, 'input', undefined, limits.inputBytes)
      inputs += bytes
      if (bytes > limits.inputBytes) return exceeded('inputBytes', bytes)
      if (inputs > inputsFactor * limits.inputBytes) return exceeded('inputBytes', inputs)
      if (id > limits.calls) return exceeded('calls', id)
      const recorded = replay?.match(fn, input, seen >= freedBy)
      if (typeof recorded === 'string') return end(mismatched(recorded))
      const seq = recorded?.seq ?? ++program.lastSeq
      const entry: Entry = {
        callId: recorded?.callId ?? `${runId}.${seq}`,
        seq,
        fn,
        input: recorded ? recorded.input : input,
        line: line || (recorded?.line ?? 0),
        state: 'open',
        ms: 0,
        seen,
        order: -1,
        at: 0,
        ...(body && { awaited: false }),
      }
      ids.set(entry, id)
      entries.push(entry)
      comeDue(id)
      if (replay && recorded) return repeat(entry, recorded, replay)
      const marked = isMarked(entry)
      return typeof marked === 'boolean' ? judged(entry, marked) : marked.then((mark) => judged(entry, mark))
    }

    /** A recorded call: its outcome as recorded, or what was decided for it now. */
    const repeat = (entry: Entry, recorded: Entry, journal: Replay) => {
      // As when it was recorded, the program is not busy until its outcome is due.
      if (!due) watch.executing(1)
      due = Math.max(due, 1, journal.madeBefore(recorded))
      comeDue(entries.length)
      const verdict = journal.decides(recorded)
      if (verdict?.approve) {
        recordedFor.set(entry, recorded)
        return executor.run(entry)
      }
      if (verdict) return reject(entry, verdict.reason, recorded)
      const { state, settled, value, ms, order, at, errors, bytes, buffers } = recorded
      Object.assign(entry, { state, value, ms, errors, bytes, buffers })
      const place = journal.made(recorded)
      if (place !== undefined) Object.assign(entry, { settled, order: place, at })
      else journal.inOrder(order, (after) => settle(entry, state as CallState, settled as Settled, value, at, after))
    }

    const onLog = ({ level, text }: Received<'log'>) => {
      const room = Math.max(0, limits.logBytes - logBytes)
      // Where the worker cut a line its mark is no text of the program's.
      logBytes += stringBytes(text.endsWith('…') ? text.slice(0, -1) : text)
      // The worker keeps the line that exceeds, cut; here that holds whatever it sends.
      if (logs.length >= limits.logLines) return exceeded('logLines', logs.length + 1)
      const line: LogLine = { level, text: text.length > room + 1 ? `${text.slice(0, room)}…` : text, at: Date.now() }
      logs.push(line)
      if (!checking && !replay?.shown(line)) emit({ type: 'log', runId, ...line })
      if (logBytes > limits.logBytes + 8) exceeded('logBytes', logBytes)
    }

    const onDigest = ({ id, algorithm, data }: Received<'digest'>) => {
      if (++digests > digestsMax) return malformed()
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

    const onBody = (record: Received<'body'>) => {
      if (body) return malformed()
      if (record.ok) {
        const { bytes } = measure(record.value, 'the returned value', undefined, limits.outputBytes)
        if (bytes > limits.outputBytes) return exceeded('outputBytes', bytes)
      } else if (!isFault(record.value)) return malformed()
      body = record
      for (const id of record.open) {
        const entry = entries[id - 1]
        if (!entry) return malformed()
        entry.awaited = false
      }
    }

    /** The program can do nothing any more; calls that run are awaited. */
    const stopProgram = (how: Ending, seen: number) => {
      const early = seen < freedBy && replay?.atEnd()
      if (early) return end(mismatched(early))
      fired.push(seen, how === 'cut' ? ownTime : 0)
      ending = how
      worker.stop()
      finishIfDone()
    }

    const take = (record: ToPage | undefined): void | Promise<void> => {
      type = record?.type ?? 'record'
      if (record && 'seen' in record) {
        if (record.seen < lastSeen || record.seen > settlements) return malformed()
        lastSeen = record.seen
      }
      switch (record?.type) {
        case 'call':
          return onCall(record)
        case 'log':
          return onLog(record)
        case 'digest':
          return onDigest(record)
        case 'limit':
          return record.figure > limits[record.limit] ? exceeded(record.limit, record.figure) : malformed()
        case 'fired':
          if (record.id <= ownTime) return malformed()
          if (fired.length < 2 * firedMax) fired.push(record.seen, record.id)
          return
        case 'cut':
          return entries.some((entry) => entry.state === 'pending') ? stopProgram('cut', record.seen) : malformed()
        case 'body':
          return onBody(record)
        case 'stall':
          return replay ? end(mismatched(replay.mismatch('it waits for what comes later'))) : malformed()
        case 'broken':
          return fault('The worker could not read a message of the page.')
        case 'end':
          return body && entries.every((entry) => entry.settled) ? stopProgram({ body }, record.seen) : malformed()
        default:
          return malformed()
      }
    }

    const drain = () => {
      while (queue.length && !queueBusy && !over && !ending) {
        let wait: void | Promise<void>
        try {
          wait = take(asToPage(queue.shift()))
        } catch {
          // Only a value that no harness sends cannot be looked at.
          return malformed()
        }
        if (!wait) continue
        queueBusy = true
        wait.then(() => {
          queueBusy = false
          drain()
        })
      }
    }

    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort)
    worker.attach((record) => {
      queue.push(record)
      drain()
    }, fault)
    if (over) return
    if (!checking) emit({ type: 'status', status: 'running', runId })
    watch.start()
    const { code, given, input, seeds } = program
    const names = Object.keys(functions)
    const marked = names.filter((name) => functions[name]?.approval)
    worker.post({ type: 'start', code, names, marked, given, input, limits, seeds, repeats: !!replay })
    replay?.begin(
      (recorded, id, after) => {
        answer(id, recorded, after)
        return settlements++
      },
      (id = ownTime) => worker.post({ type: 'fire', id }),
    )
  })
