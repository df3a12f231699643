// What a caller may ask, and the checks of it: a caller's mistake is a TypeError
// that says what was expected.

import { defaultLimits, type LimitName, type Limits } from '../shared/limits.js'
import type { FrameSource } from './frame.js'
import { defineFunctions, type FunctionMap, type Functions } from './functions.js'
import { demand, isObject, isPositive, mayBe, mistake } from './mistake.js'
import type { ApprovalRequest, Mode, Program } from './program.js'
import type { Decisions, RunEvent } from './result.js'

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

export const checkLimits = (limits: Partial<Limits> = {}): Partial<Limits> => {
  demand(isObject(limits), 'limits', 'an object', limits)
  const own: Partial<Limits> = {}
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(defaultLimits, name))
      mistake(`There is no limit “${name}”. The limits are ${Object.keys(defaultLimits).join(', ')}.`)
    if (value === undefined) continue
    demand(isPositive(value), `The limit ${name}`, 'a positive number', value)
    own[name as LimitName] = value
  }
  return own
}

export const checkApproval = (approval: Approval = {}): Pick<Program, 'mode' | 'onApproval'> => {
  demand(isObject(approval), 'approval', '{ mode, onApproval? }', approval)
  const { mode = 'deny', onApproval } = approval as { mode?: Mode; onApproval?: Program['onApproval'] }
  demand(['deny', 'pause', 'collect'].includes(mode), 'approval.mode', "'deny', 'pause' or 'collect'", mode)
  const asks = typeof onApproval === 'function'
  demand(mode !== 'pause' || asks, "approval.mode 'pause': onApproval", 'a function', onApproval)
  return { mode, onApproval }
}

export const checkSignal = (signal: AbortSignal | undefined): void =>
  demand(signal === undefined || signal instanceof AbortSignal, 'signal', 'an AbortSignal', signal)

/** What run and resume are given alike, checked and complete. */
export const checkShared = (
  { functions, signal, limits, onEvent }: RunOptions | ResumeOptions,
  defaults: Limits,
): Pick<Program, 'functions' | 'signal' | 'limits' | 'heard' | 'emit'> => {
  const defined = defineFunctions(functions)
  checkSignal(signal)
  demand(mayBe(onEvent, 'function'), 'onEvent', 'a function', onEvent)
  return {
    functions: defined,
    signal,
    limits: { ...defaults, ...checkLimits(limits) },
    heard: onEvent !== undefined,
    emit: (event) => {
      // What a listener throws, now or later, is not the run's business.
      try {
        Promise.resolve(onEvent?.(event) as unknown).catch(() => {})
      } catch {}
    },
  }
}

/** The options of a sandbox, checked and complete. */
export interface Checked {
  source: FrameSource
  spares: number
  limits: Limits
  transform: SandboxOptions['transform']
  bootTimeoutMs: number
}

export const checkOptions = (options: SandboxOptions): Checked => {
  const { frame = { srcdoc: true }, warm = false, transform, bootTimeoutMs = 5_000, limits } = options
  const isSource = isObject(frame) && ('url' in frame ? typeof frame.url === 'string' : frame.srcdoc === true)
  demand(isSource, 'frame', '{ url: string } or { srcdoc: true }', frame)
  const spares = typeof warm === 'boolean' ? Number(warm) : warm
  demand(Number.isInteger(spares) && spares >= 0, 'warm', 'true, false or a number of workers', warm)
  demand(mayBe(transform, 'function'), 'transform', 'a function', transform)
  demand(isPositive(bootTimeoutMs), 'bootTimeoutMs', 'a positive number', bootTimeoutMs)
  return { source: frame, spares, limits: { ...defaultLimits, ...checkLimits(limits) }, transform, bootTimeoutMs }
}
