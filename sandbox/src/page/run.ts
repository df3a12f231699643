// A run: its first pass, and for every resume a check pass and a real pass.
// Builds the result that the caller sees.

import type { Fault, Seeds } from '../shared/protocol.js'
import { type Verdict, verdictsOf } from './decisions.js'
import { limitError, programError } from './explain.js'
import type { WorkerHandle } from './frame.js'
import { type Entry, recordOf } from './journal.js'
import type { SandboxOptions } from './options.js'
import { type PassResult, type Plan, runPass } from './pass.js'
import type { Program } from './program.js'
import type { AbortedResult, Decisions, LogLine, PendingCall, Result, Timings } from './result.js'
import { prepareSource } from './source.js'

/** A worker that is up, and how to give back what held it. */
export interface Lease {
  worker(signal: AbortSignal): Promise<WorkerHandle>
  release(): void
}

/** Why no worker could be had. */
export class Unavailable {
  reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

/** What a continuation carries; plain data only. */
export interface Continuation {
  countersign: 1
  runId: string
  code: string
  given: boolean
  input: unknown
  seeds: Seeds
  lastSeq: number
  entries: Entry[]
  /** Whether the pass was cut, or came to the program's end. */
  cut: boolean
  logs: LogLine[]
  timings: Timings
}

export type Stage = Pick<Continuation, 'entries' | 'cut' | 'logs' | 'timings'>

const emptyTimings = (): Timings => ({ boot: 0, run: 0, waiting: 0, host: 0, total: 0 })
export const firstStage = (): Stage => ({ entries: [], cut: false, logs: [], timings: emptyTimings() })

const unavailable = (reason: string) => ({ name: 'SandboxUnavailable', message: `SandboxUnavailable: ${reason}` })
const aborted = (reason: unknown): Pick<AbortedResult, 'status' | 'error'> => {
  const text = reason instanceof Error ? reason.message : reason === undefined ? '' : String(reason)
  return { status: 'aborted', error: { name: 'AbortError', message: `The run was aborted${text ? `: ${text}` : '.'}` } }
}

/** What is decided in a resume; `spend` is called when the real pass starts. */
export interface Resumed {
  verdicts: ReadonlyMap<string, Verdict>
  spend: () => void
}

/** Starts a resume of a run: given by the sandbox, which knows frames and disposal. */
export type Again = (
  program: Program,
  stage: Stage,
  resumed: Resumed,
  signal: AbortSignal | undefined,
) => Promise<Result>

/** The ids of the calls that wait for a decision. */
export const waitingIn = (entries: readonly Entry[]): string[] =>
  entries.filter((entry) => entry.state === 'pending').map((entry) => entry.callId)

/**
 * Runs the passes of a run or a resume. Never rejects for anything that the
 * program or the browser does.
 */
export const advanceRun = async (
  program: Program,
  stage: Stage,
  lease: Lease,
  signal: AbortSignal,
  again: Again,
  how: Resumed | SandboxOptions['transform'],
): Promise<Result> => {
  const resumed = typeof how === 'object' ? how : undefined
  const { runId, emit } = program
  const timings = { ...stage.timings }
  const began = performance.now()
  const summary = (entries: readonly Entry[], logs: LogLine[]) => {
    timings.total += performance.now() - began
    return { runId, logs, calls: entries.map(recordOf), timings }
  }
  /** Recorded calls after a pass that ended early: what ran stays, what waited is void. */
  const voided = (entries: readonly Entry[]): Entry[] =>
    entries.map((entry) => (entry.state === 'pending' ? { ...entry, state: 'cancelled' } : entry))
  const conclude = (result: Result): Result => {
    lease.release()
    emit({ type: 'status', status: result.status, runId })
    return result
  }

  const pass = async (plan: Plan): Promise<PassResult | Result> => {
    const start = performance.now()
    let worker: WorkerHandle
    try {
      worker = await lease.worker(signal)
    } catch (error) {
      timings.boot += performance.now() - start
      const common = summary(voided(stage.entries), stage.logs)
      return error instanceof Unavailable
        ? { status: 'error', error: unavailable(error.reason), ...common }
        : { ...aborted(signal.reason), ...common }
    }
    timings.boot += performance.now() - start
    if (plan.verdicts && !signal.aborted) resumed?.spend()
    const done = await runPass(program, plan, worker, signal)
    for (const key of ['run', 'waiting', 'host'] as const) timings[key] += done[key]
    return done
  }

  emit({ type: 'status', status: 'starting', runId })
  let done: PassResult | Result
  if (!resumed) {
    const early = await prepareSource(program, how as SandboxOptions['transform'], signal, aborted)
    if (early) return conclude({ ...early, ...summary([], []) } as Result)
    done = await pass({ shown: 0 })
  } else {
    const check = await pass({ journal: stage.entries, cut: stage.cut, shown: stage.logs.length })
    if ('status' in check) return conclude(check)
    if (check.ending.how !== 'body' && check.ending.how !== 'cut') {
      // Nothing has run: what the person sees is still the pass before.
      return conclude(build({ ...check, entries: voided(stage.entries), unused: [], logs: stage.logs }))
    }
    done = await pass({ journal: stage.entries, cut: stage.cut, verdicts: resumed.verdicts, shown: stage.logs.length })
  }
  return conclude('status' in done ? done : build(done))

  function build({ ending, entries, unused, logs }: PassResult): Result {
    const { how } = ending
    if (how === 'body' || how === 'cut') {
      if (entries.some((entry) => entry.state === 'pending')) return pendingResult(entries, how === 'cut', logs)
      if (how === 'cut') throw new Error('A pass was cut although nothing is pending.')
      const common = summary(entries, logs)
      if (ending.ok) return { status: 'ok', value: ending.value, ...common }
      return {
        status: 'error',
        error: programError(ending.value as Fault, program.code, Object.keys(program.functions)),
        ...common,
      }
    }
    // Calls that an earlier pass ran are part of what happened, made again or not.
    const common = summary(voided([...entries, ...unused]), logs)
    switch (how) {
      case 'limit':
        return {
          status: 'limit',
          error: limitError(ending.limit, program.limits[ending.limit], ending.figure),
          ...common,
        }
      case 'aborted':
        return { ...aborted(ending.reason), ...common }
      case 'fault':
        return { status: 'error', error: unavailable(ending.reason), ...common }
      case 'mismatch':
        return {
          status: 'error',
          error: { name: 'ReplayMismatch', message: `ReplayMismatch: ${ending.message}` },
          ...common,
        }
    }
  }

  function pendingResult(entries: Entry[], cut: boolean, logs: LogLine[]): Result {
    const common = summary(entries, logs)
    const pending = entries
      .filter((entry) => entry.state === 'pending')
      .map(({ callId, seq, fn, input, line }): PendingCall => {
        const title = program.functions[fn]?.title
        return { callId, seq, fn, input, ...(title === undefined ? {} : { title }), ...(line ? { line } : {}) }
      })
    // Both ways to go on have copies of their own: what the caller does to a row it was shown changes nothing.
    const next: Stage = structuredClone({ entries, cut, logs, timings: common.timings })
    const { code, given, input, seeds, lastSeq } = program
    const continuation: Continuation = structuredClone({
      countersign: 1,
      runId,
      code,
      given,
      input,
      seeds: seeds as Seeds,
      lastSeq,
      ...next,
    })
    return { status: 'pending', pending, continuation, resume: resumeOnce(program, next, again), ...common }
  }
}

const resumeOnce = (program: Program, stage: Stage, again: Again) => {
  const { lastSeq } = program
  let state: 'fresh' | 'busy' | 'spent' = 'fresh'
  return async (decisions: Decisions, options: { signal?: AbortSignal } = {}): Promise<Result> => {
    if (state !== 'fresh')
      throw new TypeError(
        state === 'busy'
          ? 'This resume is already going on.'
          : 'This resume was already used: what was approved runs once.',
      )
    const verdicts = verdictsOf(decisions, waitingIn(stage.entries))
    state = 'busy'
    let started = false
    try {
      const spend = () => {
        started = true
      }
      const result = await again({ ...program, lastSeq }, stage, { verdicts, spend }, options.signal)
      // What ended before anything could run, through no doing of the program's, may be tried again.
      const repeatable =
        !started &&
        (result.status === 'aborted' || (result.status === 'error' && result.error.name === 'SandboxUnavailable'))
      state = repeatable ? 'fresh' : 'spent'
      return result
    } catch (error) {
      state = 'fresh'
      throw error
    }
  }
}
