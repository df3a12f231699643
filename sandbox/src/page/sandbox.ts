// The library's front door: starts runs and resumes. Caller's mistakes reject
// with a TypeError; everything that a program or the browser does is a result.

import { Refusal, snapshot } from '../shared/value.js'
import type { Failure } from './ending.js'
import { disposedText, makeFrames } from './frames.js'
import { demand, isObject, mistake } from './mistake.js'
import {
  checkApproval,
  checkOptions,
  checkShared,
  checkSignal,
  type ResumeOptions,
  type RunOptions,
  type SandboxOptions,
} from './options.js'
import type { Result } from './result.js'
import { advance, firstStage, loadResume, type Start } from './run.js'
import { prepareSource } from './source.js'

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
  const gone = new AbortController()
  const frames = makeFrames(checked, gone.signal)
  const checkAlive = () => {
    if (gone.signal.aborted) mistake('This sandbox was disposed.')
  }

  const start: Start = async (program, stage, work) => {
    const ended = new AbortController()
    const sources = [program.signal, gone.signal]
    const abort = () => ended.abort(sources.find((each) => each?.aborted)?.reason)
    for (const each of sources) {
      if (each?.aborted) abort()
      each?.addEventListener('abort', abort)
    }
    try {
      return await advance(program, stage, frames.lease(), ended.signal, again, work)
    } finally {
      for (const each of sources) each?.removeEventListener('abort', abort)
    }
  }
  const again: Start = async (program, stage, work) => {
    checkAlive()
    checkSignal(program.signal)
    return start(program, stage, work)
  }
  return {
    async run(given) {
      checkAlive()
      const { code, approval, input } = given
      demand(typeof code === 'string', 'code', 'a string', code)
      const common = checkShared(given, checked.limits)
      let value: unknown
      try {
        value = snapshot(input, 'input').value
      } catch (error) {
        mistake(error instanceof Refusal ? error.text : String(error))
      }
      const chosen = checkApproval(approval)
      const collects = chosen.mode === 'collect'
      // On its way while the worker starts; that it failed is said when it is needed.
      if (collects) loadResume().catch(() => {})
      const seeds = collects ? { now: Date.now(), words: [...crypto.getRandomValues(new Uint32Array(8))] } : null
      return start(
        {
          runId: newId(),
          code,
          given: input !== undefined,
          input: value,
          seeds,
          ...common,
          ...chosen,
          lastSeq: 0,
        },
        firstStage(),
        async (run) => {
          const early = await prepareSource(run, checked.transform)
          return early ? run.kept(early) : run.pass({})
        },
      )
    },

    async resume(continuation, given) {
      checkAlive()
      demand(isObject(given), 'What resume takes second', '{ functions, decisions, signal?, limits?, onEvent? }', given)
      const common = checkShared(given, checked.limits)
      let own: unknown
      try {
        own = structuredClone(continuation)
      } catch {
        // What cannot be cloned is no continuation, and is refused as such.
      }
      let resuming: Awaited<ReturnType<typeof loadResume>>
      try {
        resuming = await loadResume()
      } catch (error) {
        const { logs, timings } = firstStage()
        return { ...(error as Failure), runId: '', logs, calls: [], timings } as Result
      }
      return resuming.resumeFrom(own, given.decisions, common, start)
    },

    dispose() {
      if (gone.signal.aborted) return
      gone.abort(new DOMException(disposedText, 'AbortError'))
      frames.end()
    },
  }
}
