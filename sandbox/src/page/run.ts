// A run: its passes, one after the other, and the result that the caller sees.

import type { Fault, Seeds } from '../shared/protocol.js'
import { aborted, type Failure, unavailable } from './ending.js'
import { programError } from './explain.js'
import type { WorkerHandle } from './frame.js'
import { type Entry, recordOf } from './journal.js'
import { type PassResult, type Plan, runPass } from './pass.js'
import type { Program } from './program.js'
import type { LogLine, Result, Timings } from './result.js'

/** Names this build; put in by the build. */
declare const build: string

/** A worker that is up, and how to give back what held it. */
export interface Lease {
  /** Rejects with a Failure when none can be had, and when the signal fires. */
  worker(signal: AbortSignal): Promise<WorkerHandle>
  release(): void
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
  /** What fired in the pass, by twos: behind how many outcomes, and its number. */
  fired: number[]
  /** Whether the pass was cut, or came to the program's end. */
  cut: boolean
  logs: LogLine[]
  timings: Timings
}

export type Stage = Pick<Continuation, 'entries' | 'fired' | 'cut' | 'logs' | 'timings'>

export const firstStage = (): Stage => ({
  entries: [],
  fired: [],
  cut: false,
  logs: [],
  timings: { boot: 0, run: 0, waiting: 0, host: 0, total: 0 },
})

/** Goes through passes with a run; every pass ends, and so does what `work` makes of them. */
export type Work = (run: Run) => Promise<PassResult>

/** Starts work on a run: given by the sandbox, which knows frames and disposal. */
export type Start = (program: Program, stage: Stage, work: Work) => Promise<Result>

/** A run under way. */
export interface Run {
  program: Program
  stage: Stage
  signal: AbortSignal
  /** Goes through the program once; `starts` is called when its worker is up, before anything runs. */
  pass(plan: Plan, starts?: () => void): Promise<PassResult>
  /** A pass that did not come to be, or of which nothing shall be seen: the stage stays, with what ended it. */
  kept(ending: PassResult['ending']): PassResult
}

/** What the results of pending runs are made by; loaded when the first call of a page waits. Throws a Failure. */
export const loadResume = async () => {
  try {
    const resuming = await import('./resume.js')
    if (resuming.buildName === build) return resuming
  } catch (error) {
    throw unavailable(`What resumes a run could not be loaded: ${error}`)
  }
  // A cache or a deploy half done may mix two builds: then nothing goes on.
  throw unavailable('resume.js is of another build of the library than this page: serve the one that came with it.')
}

/**
 * Does the work on a run and builds its result. Never rejects for anything
 * that the program or the browser does.
 */
export const advance = async (
  program: Program,
  stage: Stage,
  lease: Lease,
  signal: AbortSignal,
  start: Start,
  work: Work,
): Promise<Result> => {
  const { runId, emit } = program
  const timings = { ...stage.timings }
  const began = performance.now()
  emit({ type: 'status', status: 'starting', runId })

  const kept = (ending: PassResult['ending']): PassResult => ({ ...stage, ending })
  const pass = async (plan: Plan, starts?: () => void): Promise<PassResult> => {
    const asked = performance.now()
    let worker: WorkerHandle
    try {
      worker = await lease.worker(signal)
    } catch (error) {
      return kept(signal.aborted ? aborted(signal.reason) : (error as Failure))
    } finally {
      timings.boot += performance.now() - asked
    }
    if (!signal.aborted) starts?.()
    const done = await runPass(program, plan, worker, signal)
    for (const key of ['run', 'waiting', 'host'] as const) timings[key] += done[key]
    return done
  }

  const done = await work({ program, stage, signal, pass, kept })
  lease.release()
  timings.total += performance.now() - began
  const result = await resultOf(program, done, timings, start)
  emit({ type: 'status', status: result.status, runId })
  return result
}

const resultOf = async (
  program: Program,
  { ending, entries, logs, fired }: PassResult,
  timings: Timings,
  start: Start,
): Promise<Result> => {
  const { runId, code, functions } = program
  const common = (of: Entry[]) => ({
    runId,
    logs,
    calls: of.map(recordOf).sort((a, b) => a.seq - b.seq),
    timings,
  })
  const voided = (failure: Failure) => ({
    ...failure,
    ...common(entries.map((entry) => (entry.state === 'pending' ? { ...entry, state: 'cancelled' } : entry))),
  })
  const cut = ending === 'cut'
  if (!cut && 'status' in ending) return voided(ending)
  if (entries.some((entry) => entry.state === 'pending')) {
    try {
      const { pendingResult } = await loadResume()
      return pendingResult(program, { entries, fired, cut, logs, timings }, start, common(entries))
    } catch (error) {
      return voided(error as Failure)
    }
  }
  const { ok, value } = (ending as { body: { ok: boolean; value: unknown } }).body
  if (ok) return { status: 'ok', value, ...common(entries) }
  const error = await programError(value as Fault, code, Object.keys(functions))
  return { status: 'error', error, ...common(entries) }
}
