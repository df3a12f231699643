// What a caller may ask, and the checks of it: a caller's mistake is a TypeError
// that says what was expected.

import { defaultLimits, type LimitName, type Limits } from '../shared/limits.js'
import type { FrameSource } from './frame.js'
import type { FunctionMap, Functions } from './functions.js'
import type { ApprovalRequest, Mode } from './program.js'
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

export const refuse = (why: string): never => {
  throw new TypeError(why)
}

export const checkLimits = (limits: Partial<Limits> | undefined): Partial<Limits> => {
  if (limits === undefined) return {}
  if (typeof limits !== 'object' || limits === null) refuse('`limits` must be an object.')
  const own: Partial<Limits> = {}
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(defaultLimits, name))
      return refuse(`There is no limit “${name}”. The limits are ${Object.keys(defaultLimits).join(', ')}.`)
    if (value === undefined) continue
    if (typeof value !== 'number' || !(value > 0))
      refuse(`The limit ${name} must be a positive number, and was ${String(value)}.`)
    own[name as LimitName] = value
  }
  return own
}

export const checkApproval = (
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

export const checkSignal = (signal: AbortSignal | undefined) => {
  if (signal !== undefined && !(signal instanceof AbortSignal)) refuse('`signal` must be an AbortSignal.')
}

export const emitter =
  (listener: ((event: RunEvent) => unknown) | undefined) =>
  (event: RunEvent): void => {
    // What a listener throws, now or later, is not the run's business.
    try {
      Promise.resolve(listener?.(event)).catch(() => {})
    } catch {}
  }
export const checkListener = (listener: unknown) => {
  if (listener !== undefined && typeof listener !== 'function') refuse('`onEvent` must be a function.')
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
  return { source, spares, limits: { ...defaultLimits, ...checkLimits(options.limits) }, transform, bootTimeoutMs }
}
