import { z } from 'zod/mini'
import type { Tagged } from '../value/tagged'
import type { Ask } from './bridge'
import { BridgeError } from './bridgeError'
import { type Carrier, carryNothing } from './carrier'

// A program compiled by zod would break the page's policy; it falls back by
// itself, but the browser would report the attempt.
z.config({ jitless: true })

const scene = z.object({
  name: z.string(),
  title: z.optional(z.string()),
  notice: z.optional(z.string()),
  request: z.string(),
  approval: z.optional(z.enum(['each', 'batch', 'never'])),
  auto: z.boolean(),
  reopen: z.optional(z.enum(['page', 'person'])),
})
const hello = z.object({
  version: z.string(),
  engine: z.optional(z.string()),
  scene: z.nullish(scene),
  selftest: z.optional(z.object({ canary: z.string() })),
})
const schema = z.union([z.boolean(), z.record(z.string(), z.unknown())])
export const definition = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  approval: z.enum(['never', 'always', 'depends']),
  input: schema,
  output: schema,
})
const verdicts = z.object({
  approve: z.nullish(z.array(z.string())),
  reject: z.nullish(z.array(z.string())),
  reasons: z.nullish(z.record(z.string(), z.string())),
})

const judged = z.object({ marked: z.boolean() })

const waitingRun = z.object({
  runId: z.string(),
  request: z.string(),
  model: z.string(),
  title: z.string(),
  calls: z.number(),
  since: z.string(),
  problem: z.optional(z.string()),
})
const keptRun = z.object({
  runId: z.string(),
  code: z.string(),
  rows: z.array(z.object({ callId: z.string(), seq: z.number(), fn: z.string(), input: z.unknown() })),
  continuation: z.unknown(),
})

/** What the app says about itself when the page opens. */
export type Hello = z.infer<typeof hello>
/**
 * A demo that the app was started with. `auto`: the page asks by itself; `reopen`: in place of
 * asking, what waits is opened. `approval`: how marked calls wait; `notice`: what to notice when it is over.
 */
export type Scene = z.infer<typeof scene>
/** A function of the host, as Go defines it. */
export type Definition = z.infer<typeof definition>

/** A run that waits for its card to be opened again. `problem`: why it can only be dismissed. */
export type WaitingRun = z.infer<typeof waitingRun>
/** What Go kept of a waiting run; inputs and continuation in tagged form. */
export type KeptRun = z.infer<typeof keptRun>

/** What the page tells of itself, for demos without a display. */
export type TranscriptKind = 'request' | 'program' | 'rows' | 'answer' | 'status' | 'error'

/** A call that waits, as Go is asked to decide it. */
export interface Row {
  callId: string
  seq: number
  fn: string
  input: Tagged
  line?: number
}

export interface Verdicts {
  approve: string[]
  reject: string[]
  reasons: Record<string, string>
}

/** The operations of the bridge, typed. Each rejects with a BridgeError. */
export interface Operations {
  hello(): Promise<Hello>
  functions(): Promise<Definition[]>
  runBegin(run: { runId: string; request: string; code: string; model: string }): Promise<void>
  /** Whether Go marks a call with this input. */
  judge(fn: string, input: Tagged): Promise<boolean>
  /** Executes a call; gives its value in tagged form. */
  call(
    call: { runId: string; callId: string; seq: number; fn: string; input: Tagged },
    signal?: AbortSignal,
  ): Promise<unknown>
  /**
   * Has the person decide rows; waits while the card is open. With a continuation, in tagged form,
   * the run outlives this page; Go refuses one that it cannot keep with the code CannotWait, before
   * anything is shown.
   */
  decide(runId: string, rows: Row[], signal?: AbortSignal, continuation?: Tagged): Promise<Verdicts>
  /** The runs that wait, the longest waiting first. */
  waiting(): Promise<WaitingRun[]>
  /** Reads one; changes nothing. */
  waitingRead(runId: string): Promise<KeptRun>
  /** Opens the card of one again; the run is on then. */
  waitingDecide(runId: string, signal?: AbortSignal): Promise<Verdicts>
  /** Ends one undecided. */
  waitingDismiss(runId: string): Promise<void>
  runEnd(run: { runId: string; status: string; error?: { name: string; message: string } }): Promise<void>
  transcript(kind: TranscriptKind, text: string): Promise<void>
  sceneDone(status: string): Promise<void>
}

export const createOperations = (ask: Ask, carrier: Carrier = carryNothing): Operations => ({
  hello: async () => read(hello, 'hello', await ask('hello', {})),
  functions: async () => read(z.array(definition), 'functions', await ask('functions', {})),
  runBegin: async (run) => void (await ask('run.begin', run)),
  judge: async (fn, input) =>
    read(judged, 'judge', await ask('judge', { fn, input: await carrier.send(input) })).marked,
  call: async (call, signal) =>
    carrier.receive(await ask('call', { ...call, input: await carrier.send(call.input) }, signal)),
  decide: async (runId, rows, signal, continuation) => {
    const sent = await Promise.all(rows.map(async (row) => ({ ...row, input: await carrier.send(row.input) })))
    const kept = continuation === undefined ? {} : { continuation: await carrier.send(continuation) }
    return readVerdicts('decide', await ask('decide', { runId, rows: sent, ...kept }, signal))
  },
  waiting: async () => read(z.array(waitingRun), 'waiting', await ask('waiting', {})),
  waitingRead: async (runId) => {
    const { rows, continuation, ...rest } = read(keptRun, 'waiting.read', await ask('waiting.read', { runId }))
    const received = rows.map(async (row) => ({ ...row, input: await carrier.receive(row.input) }))
    return { ...rest, rows: await Promise.all(received), continuation: await carrier.receive(continuation) }
  },
  waitingDecide: async (runId, signal) =>
    readVerdicts('waiting.decide', await ask('waiting.decide', { runId }, signal)),
  waitingDismiss: async (runId) => void (await ask('waiting.dismiss', { runId })),
  runEnd: async (run) => void (await ask('run.end', run)),
  transcript: async (kind, text) => void (await ask('transcript', { kind, text })),
  sceneDone: async (status) => void (await ask('scene.done', { status })),
})

const readVerdicts = (op: string, answer: unknown): Verdicts => {
  const { approve, reject, reasons } = read(verdicts, op, answer)
  return { approve: approve ?? [], reject: reject ?? [], reasons: reasons ?? {} }
}

const read = <T>(shape: z.ZodMiniType<T>, op: string, answer: unknown): T => {
  const result = shape.safeParse(answer)
  if (result.success) return result.data
  throw new BridgeError(
    'Internal',
    `The app's answer to “${op}” has an unexpected shape: ${z.prettifyError(result.error)}`,
  )
}
