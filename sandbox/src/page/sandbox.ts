// The library's front door: starts runs and resumes. Caller's mistakes reject
// with a TypeError; everything that a program or the browser does is a result.

import { snapshot } from '../shared/value.js'
import { verdictsOf } from './decisions.js'
import { disposedText, makeFrames } from './frames.js'
import { defineFunctions } from './functions.js'
import {
  checkApproval,
  checkContinuation,
  checkLimits,
  checkListener,
  checkOptions,
  checkSignal,
  emitter,
  type ResumeOptions,
  type RunOptions,
  refuse,
  type SandboxOptions,
} from './options.js'
import type { Program } from './program.js'
import type { Result } from './result.js'
import { type Again, advanceRun, firstStage, type Resumed, type Stage, waitingIn } from './run.js'

export interface Sandbox {
  run(options: RunOptions): Promise<Result>
  /** Does in a new page, or after a restart, what `result.resume` does. */
  resume(continuation: unknown, options: ResumeOptions): Promise<Result>
  /** Ends runs in progress as aborted and removes frames and workers. */
  dispose(): void
}

const newId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Makes a sandbox. See the README for every option. */
export const createSandbox = (options: SandboxOptions = {}): Sandbox => {
  const checked = checkOptions(options)
  const { transform, limits: ownLimits } = checked
  const gone = new AbortController()
  const frames = makeFrames(checked, gone.signal)
  const checkAlive = () => {
    if (gone.signal.aborted) refuse('This sandbox was disposed.')
  }

  const start = async (
    program: Program,
    stage: Stage,
    signal: AbortSignal | undefined,
    resumed?: Resumed,
  ): Promise<Result> => {
    const ended = new AbortController()
    const sources = signal ? [signal, gone.signal] : [gone.signal]
    const abort = (event: Event) => ended.abort((event.target as AbortSignal).reason)
    for (const each of sources) {
      if (each.aborted) ended.abort(each.reason)
      each.addEventListener('abort', abort)
    }
    try {
      return await advanceRun(program, stage, frames.lease(), ended.signal, again(signal), resumed ?? transform)
    } finally {
      for (const each of sources) each.removeEventListener('abort', abort)
    }
  }
  /** A resume listens to the signal it is given, else to that of the run. */
  const again =
    (first: AbortSignal | undefined): Again =>
    async (program, stage, resumed, signal) => {
      checkAlive()
      checkSignal(signal)
      return start(program, stage, signal ?? first, resumed)
    }

  return {
    async run({ code, functions: map, approval, signal, limits, onEvent, input }) {
      checkAlive()
      if (typeof code !== 'string') refuse(`\`code\` must be a string, and was ${typeof code}.`)
      const functions = defineFunctions(map)
      checkSignal(signal)
      checkListener(onEvent)
      const given = input !== undefined
      let value: unknown
      try {
        value = given ? snapshot(input, 'input').value : undefined
      } catch (error) {
        refuse((error as { text?: string }).text ?? String(error))
      }
      const chosen = checkApproval(approval)
      const program: Program = {
        runId: newId(),
        code,
        given,
        input: value,
        seeds:
          chosen.mode === 'collect'
            ? { now: Date.now(), words: [...crypto.getRandomValues(new Uint32Array(8))] }
            : null,
        functions,
        limits: { ...ownLimits, ...checkLimits(limits) },
        ...chosen,
        heard: onEvent !== undefined,
        emit: emitter(onEvent),
        lastSeq: 0,
      }
      return start(program, firstStage(), signal)
    },

    async resume(continuation, options) {
      checkAlive()
      const { runId, code, given, input, seeds, lastSeq, entries, cut, logs, timings } = checkContinuation(continuation)
      if (typeof options !== 'object' || options === null)
        refuse('resume takes a continuation and { functions, decisions, signal?, limits?, onEvent? }.')
      const functions = defineFunctions(options.functions)
      const lost = entries.find((entry) => !Object.hasOwn(functions, entry.fn))
      if (lost) refuse(`The function “${lost.fn}”, which this run has called, is missing now.`)
      checkSignal(options.signal)
      checkListener(options.onEvent)
      const verdicts = verdictsOf(options.decisions, waitingIn(entries))
      const limits = { ...ownLimits, ...checkLimits(options.limits) }
      const program: Program = {
        runId,
        code,
        given,
        input,
        seeds,
        functions,
        limits,
        mode: 'collect',
        heard: options.onEvent !== undefined,
        emit: emitter(options.onEvent),
        lastSeq,
      }
      return start(program, { entries, cut, logs, timings }, options.signal, { verdicts, spend: () => {} })
    },

    dispose() {
      if (gone.signal.aborted) return
      gone.abort(new DOMException(disposedText, 'AbortError'))
      frames.end()
    },
  }
}
