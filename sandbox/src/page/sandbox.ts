// The library's front door: checks what the caller asks, holds the frame, and
// starts runs. Caller's mistakes reject with a TypeError; everything that a
// program or the browser does is a result.

import { isLimit } from '../shared/guards.js'
import { defaultLimits, type Limits } from '../shared/limits.js'
import { snapshot } from '../shared/value.js'
import { verdictsOf } from './decisions.js'
import { limitError } from './explain.js'
import { Frame, type FrameSource, type WorkerHandle } from './frame.js'
import { defineFunctions, type FunctionMap, type Functions } from './functions.js'
import type { ApprovalRequest, Mode, Program } from './pass.js'
import type { Decisions, Result, RunEvent } from './result.js'
import {
  type Again,
  advanceRun,
  type Continuation,
  firstStage,
  type Lease,
  type Resumed,
  type Stage,
  Unavailable,
  waitingIn,
} from './run.js'

export interface SandboxOptions {
  /** `{ url }`: a route serves sandbox.html. `{ srcdoc: true }`, the default: nothing is served. */
  frame?: FrameSource
  /** Keep the frame and this many spare workers started (`true`: one). */
  warm?: boolean | number
  limits?: Partial<Limits>
  /** Applied once to the program before it is compiled, such as `stripTypes`. */
  transform?: (code: string) => string | Promise<string>
  /** ms until a frame and a worker must have started; 5 000 by default. */
  bootTimeoutMs?: number
}

export type Approval =
  | { mode?: 'deny' | 'collect' }
  | { mode: 'pause'; onApproval: (request: ApprovalRequest) => unknown }

export interface RunOptions {
  /** The program: the body of an async function. */
  code: string
  functions: Functions | FunctionMap
  approval?: Approval
  signal?: AbortSignal
  limits?: Partial<Limits>
  onEvent?: (event: RunEvent) => void
  /** A cloneable value that the program sees as `input`. */
  input?: unknown
}

export interface ResumeOptions {
  functions: Functions | FunctionMap
  decisions: Decisions
  signal?: AbortSignal
  limits?: Partial<Limits>
  onEvent?: (event: RunEvent) => void
}

export interface Sandbox {
  run(options: RunOptions): Promise<Result>
  /** Does in a new page, or after a restart, what `result.resume` does. */
  resume(continuation: unknown, options: ResumeOptions): Promise<Result>
  /** Ends runs in progress as aborted and removes frames and workers. */
  dispose(): void
}

const refuse = (why: string): never => {
  throw new TypeError(why)
}

const checkLimits = (limits: Partial<Limits> | undefined): Partial<Limits> => {
  if (limits === undefined) return {}
  if (typeof limits !== 'object' || limits === null) refuse('`limits` must be an object.')
  const own: Partial<Limits> = {}
  for (const [name, value] of Object.entries(limits)) {
    if (!isLimit(name))
      return refuse(`There is no limit “${name}”. The limits are ${Object.keys(defaultLimits).join(', ')}.`)
    if (value === undefined) continue
    if (typeof value !== 'number' || !(value > 0))
      refuse(`The limit ${name} must be a positive number, and was ${String(value)}.`)
    own[name] = value
  }
  return own
}

const checkApproval = (
  approval: Approval | undefined,
): { mode: Mode; onApproval?: (request: ApprovalRequest) => unknown } => {
  if (approval === undefined) return { mode: 'deny' }
  if (typeof approval !== 'object' || approval === null)
    refuse("`approval` must be an object: { mode: 'deny' | 'pause' | 'collect' }.")
  const { mode = 'deny', onApproval } = approval as { mode?: unknown; onApproval?: unknown }
  if (mode !== 'deny' && mode !== 'pause' && mode !== 'collect')
    return refuse(`approval.mode must be 'deny', 'pause' or 'collect', and was ${String(mode)}.`)
  if (mode !== 'pause') return { mode }
  if (typeof onApproval !== 'function')
    return refuse("approval.mode 'pause' needs a function onApproval: who else would be asked?")
  return { mode, onApproval: onApproval as (request: ApprovalRequest) => unknown }
}

const checkSignal = (signal: AbortSignal | undefined) => {
  if (signal !== undefined && !(signal instanceof AbortSignal)) refuse('`signal` must be an AbortSignal.')
}

const emitter =
  (listener: ((event: RunEvent) => unknown) | undefined) =>
  (event: RunEvent): void => {
    // What a listener throws, now or later, is not the run's business.
    try {
      Promise.resolve(listener?.(event)).catch(() => {})
    } catch {}
  }
const checkListener = (listener: unknown) => {
  if (listener !== undefined && typeof listener !== 'function') refuse('`onEvent` must be a function.')
}

const newId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('')

const checkContinuation = (value: unknown): Continuation => {
  const c = value as Continuation
  const whole =
    typeof c === 'object' &&
    c !== null &&
    c.countersign === 1 &&
    typeof c.runId === 'string' &&
    typeof c.code === 'string' &&
    typeof c.lastSeq === 'number' &&
    Array.isArray(c.entries) &&
    Array.isArray(c.logs) &&
    typeof c.timings === 'object' &&
    Array.isArray(c.seeds?.words) &&
    c.entries.every(
      (entry) =>
        typeof entry?.callId === 'string' &&
        typeof entry.fn === 'string' &&
        typeof entry.seq === 'number' &&
        !!entry.settled,
    )
  if (!whole) refuse('This is not a continuation of this version of the library.')
  return structuredClone(c)
}

/** Makes a sandbox. See the README for every option. */
export const createSandbox = (options: SandboxOptions = {}): Sandbox => {
  const { frame: source = { srcdoc: true }, warm = false, transform, bootTimeoutMs = 5_000 } = options
  if (
    typeof source !== 'object' ||
    source === null ||
    !('url' in source ? typeof source.url === 'string' : source.srcdoc === true)
  ) {
    refuse('`frame` must be { url: string } or { srcdoc: true }.')
  }
  const spares = warm === true ? 1 : warm === false ? 0 : warm
  if (typeof spares !== 'number' || !Number.isInteger(spares) || spares < 0)
    refuse('`warm` must be true, false or a number of workers.')
  if (transform !== undefined && typeof transform !== 'function') refuse('`transform` must be a function of the code.')
  if (typeof bootTimeoutMs !== 'number' || !(bootTimeoutMs > 0)) refuse('`bootTimeoutMs` must be a positive number.')
  const ownLimits = { ...defaultLimits, ...checkLimits(options.limits) }
  const gone = new AbortController()
  let kept: Promise<Frame> | undefined
  const frames = new Set<Frame>()

  const openFrame = async (keep: number): Promise<Frame> => {
    const where = 'url' in source ? source : { document: (await import('./document.js')).frameDocument }
    const frame = new Frame(where, keep, () => {
      frames.delete(frame)
      if (keep) kept = undefined
    })
    frames.add(frame)
    if (gone.signal.aborted) frame.end(disposedText)
    return frame
  }
  const keptFrame = () => {
    kept ??= openFrame(spares)
    return kept
  }

  /** What a run has of frames: the kept one, or one of its own until it ends. */
  const newLease = (): Lease => {
    let own: Promise<Frame> | undefined
    return {
      worker: (signal) =>
        new Promise<WorkerHandle>((done, failed) => {
          let cancel = () => {}
          const settle = () => {
            clearTimeout(timer)
            signal.removeEventListener('abort', aborted)
            cancel()
          }
          const aborted = () => {
            settle()
            failed(signal.reason)
          }
          const timer = setTimeout(() => {
            settle()
            failed(new Unavailable(`The frame and its worker did not start within ${bootTimeoutMs} ms.`))
          }, bootTimeoutMs)
          if (signal.aborted) return aborted()
          signal.addEventListener('abort', aborted)
          let over = false
          cancel = () => {
            over = true
          }
          if (!spares) own ??= openFrame(0)
          const opened = own ?? keptFrame()
          opened.then(
            (frame) => {
              if (over) return
              cancel = frame.acquire({
                done: (worker) => {
                  settle()
                  done(worker)
                },
                failed: (reason) => {
                  settle()
                  failed(signal.aborted ? signal.reason : new Unavailable(reason))
                },
              })
            },
            (error) => {
              if (spares) kept = undefined
              own = undefined
              settle()
              failed(new Unavailable(`The frame document could not be loaded: ${error}`))
            },
          )
        }),
      release: () => {
        own?.then((frame) => frame.end('The run has ended.')).catch(() => {})
        own = undefined
      },
    }
  }

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
      return await advanceRun(program, stage, newLease(), ended.signal, again(signal), resumed)
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

  if (spares) keptFrame().catch(() => {})

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
      const { runId, emit } = program
      const stage = firstStage()
      const early = (
        result:
          | { status: 'limit'; error: ReturnType<typeof limitError> }
          | { status: 'error'; error: { name: string; message: string } },
      ): Result => {
        emit({ type: 'status', status: result.status, runId })
        return { ...result, runId, logs: [], calls: [], timings: stage.timings }
      }
      const tooLong = (text: string) => {
        const bytes = new TextEncoder().encode(text).length
        const { sourceBytes } = program.limits
        return bytes > sourceBytes
          ? early({ status: 'limit', error: limitError('sourceBytes', sourceBytes, bytes) })
          : undefined
      }
      const refused = tooLong(code)
      if (refused) return refused
      if (transform) {
        try {
          program.code = await transform(code)
          if (typeof program.code !== 'string') throw new TypeError('`transform` must give a string.')
        } catch (error) {
          const name = error instanceof Error ? error.name : 'Error'
          return early({
            status: 'error',
            error: { name, message: error instanceof Error ? `${name}: ${error.message}` : String(error) },
          })
        }
        const longer = tooLong(program.code)
        if (longer) return longer
      }
      return start(program, stage, signal)
    },

    async resume(continuation, options) {
      checkAlive()
      const { runId, code, given, input, seeds, lastSeq, entries, logs, timings } = checkContinuation(continuation)
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
      return start(program, { entries, logs, timings }, options.signal, { verdicts, spend: () => {} })
    },

    dispose() {
      if (gone.signal.aborted) return
      gone.abort(new DOMException(disposedText, 'AbortError'))
      for (const frame of frames) frame.end(disposedText)
    },
  }
}

const disposedText = 'the sandbox was disposed'
