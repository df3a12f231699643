// Runs that wait: the result of one, and going on with it. A resume is a check
// pass, in which nothing runs, and a real pass. Loaded when the first call of a
// page waits; where it cannot be loaded, nothing that waits can run.

import { type Verdict, verdictsOf } from './decisions.js'
import type { Entry } from './journal.js'
import type { Program } from './program.js'
import { Replay } from './replay.js'
import type { Decisions, PendingCall, PendingResult, Result } from './result.js'
import type { Continuation, Stage, Start, Work } from './run.js'

/** Names this build; put in by the build. */
declare const build: string
export const buildName = build

const waitingIn = (entries: readonly Entry[]): Entry[] => entries.filter((entry) => entry.state === 'pending')
const idsOf = (entries: readonly Entry[]): string[] => waitingIn(entries).map((entry) => entry.callId)

/** A check pass, and where it did what was shown, the real one; `spend` is called when that starts. */
const resuming =
  (verdicts: ReadonlyMap<string, Verdict>, spend: () => void): Work =>
  async ({ stage, pass, kept }) => {
    const { ending } = await pass({ replay: new Replay(stage) })
    // Nothing has run: what the person sees is still the pass before.
    if (ending !== 'cut' && 'status' in ending) return kept(ending)
    return pass({ replay: new Replay(stage, verdicts) }, spend)
  }

/** The result of a run with calls that wait. */
export const pendingResult = (
  program: Program,
  stage: Stage,
  start: Start,
  common: Omit<PendingResult, 'status' | 'pending' | 'continuation' | 'resume'>,
): PendingResult => {
  const { runId, code, given, input, lastSeq } = program
  const pending = waitingIn(stage.entries).map(({ callId, seq, fn, input, line }): PendingCall => {
    const title = program.functions[fn]?.title
    return { callId, seq, fn, input, ...(title !== undefined && { title }), ...(line && { line }) }
  })
  // Both ways to go on have copies of their own: what the caller does to a row it was shown changes nothing.
  const seeds = program.seeds as Continuation['seeds']
  const own: Continuation = { countersign: 1, runId, code, given, input, seeds, lastSeq, ...stage }
  const next = structuredClone(stage)
  let state: 'fresh' | 'busy' | 'spent' = 'fresh'

  const resume = async (
    decisions: Decisions,
    { signal = program.signal }: { signal?: AbortSignal } = {},
  ): Promise<Result> => {
    if (state === 'busy') throw new TypeError('This resume is already going on.')
    if (state === 'spent') throw new TypeError('This resume was already used: what was approved runs once.')
    const verdicts = verdictsOf(decisions, idsOf(next.entries))
    state = 'busy'
    let started = false
    try {
      const work = resuming(verdicts, () => {
        started = true
      })
      const result = await start({ ...program, lastSeq, signal }, next, work)
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
  return { status: 'pending', pending, continuation: structuredClone(own), resume, ...common }
}

const timingParts = ['boot', 'run', 'waiting', 'host', 'total'] as const

const isContinuation = (c: Continuation): boolean =>
  typeof c === 'object' &&
  c !== null &&
  c.countersign === 1 &&
  typeof c.runId === 'string' &&
  typeof c.code === 'string' &&
  Number.isSafeInteger(c.lastSeq) &&
  c.lastSeq >= c.entries?.length &&
  typeof c.cut === 'boolean' &&
  timingParts.every((part) => typeof c.timings?.[part] === 'number') &&
  [c.entries, c.logs, c.fired, c.seeds?.words].every(Array.isArray) &&
  c.entries.every(
    (entry) =>
      typeof entry?.callId === 'string' &&
      typeof entry.fn === 'string' &&
      typeof entry.seq === 'number' &&
      typeof entry.seen === 'number' &&
      !!entry.settled,
  )

/** Goes on with a run that another page, or this one before, has left. `rest` is what the resume itself says. */
export const resumeFrom = (
  continuation: unknown,
  decisions: Decisions,
  rest: Pick<Program, 'functions' | 'signal' | 'limits' | 'heard' | 'emit'>,
  start: Start,
): Promise<Result> => {
  if (!isContinuation(continuation as Continuation))
    throw new TypeError('This is not a continuation of this version of the library.')
  const { runId, code, given, input, seeds, lastSeq, ...stage } = continuation as Continuation
  const lost = stage.entries.find((entry) => !Object.hasOwn(rest.functions, entry.fn))
  if (lost) throw new TypeError(`The function “${lost.fn}”, which this run has called, is missing now.`)
  const verdicts = verdictsOf(decisions, idsOf(stage.entries))
  const program: Program = { runId, code, given, input, seeds, mode: 'collect', lastSeq, ...rest }
  return start(
    program,
    stage,
    resuming(verdicts, () => {}),
  )
}
