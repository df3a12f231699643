import { z } from 'zod'
import { plain, plainLines } from '../value/plain'

/**
 * What the log's operations take and give, as app/review documents them. Times are UTC.
 * Stored text that is for reading comes in as the card shows it, so that no part of the
 * page can show it otherwise; what is copied, or asked with, comes as it is.
 */

/** Text in lines, and text in one, in which line breaks are blanks. */
const lines = z.string().transform(plainLines)
const line = z.string().transform((text) => plain(text.replace(/[\r\n\t]+/g, ' ')))

export const filter = z.object({
  since: z.string().optional(),
  until: z.string().optional(),
  fn: z.string().optional(),
  decision: z.string().optional(),
  decider: z.string().optional(),
  outcome: z.string().optional(),
  run: z.string().optional(),
  model: z.string().optional(),
  text: z.string().optional(),
})
/** Chooses calls; what is absent chooses everything. The same as the flags of `countersign log`. */
export type Filter = z.infer<typeof filter>

const piece = z.object({ text: line, hit: z.boolean().optional() })
export const row = z.object({
  id: z.number(),
  at: z.string(),
  runId: z.string(),
  callId: z.string(),
  seq: z.number(),
  fn: line,
  model: line,
  input: line,
  request: line,
  verdict: z.string().optional(),
  by: z.string().optional(),
  decisionWords: line,
  reason: line.optional(),
  waitedMs: z.number().optional(),
  outcome: z.string(),
  outcomeWords: line,
  message: line.optional(),
  ms: z.number().optional(),
  noted: z.boolean(),
  runOpen: z.boolean(),
  hits: z.array(z.object({ part: z.string(), pieces: z.array(piece) })).optional(),
})
/** A call in short. `id` is the number of its first entry. */
export type Row = z.infer<typeof row>
export type Piece = z.infer<typeof piece>

const orNone = <T extends z.ZodType>(of: T) =>
  z
    .array(of)
    .nullish()
    .transform((list) => list ?? [])

export const page = z.object({ rows: orNone(row), head: z.number() })
export const survey = z.object({ count: z.number(), marks: z.array(z.number()), every: z.number(), head: z.number() })
export type Survey = z.infer<typeof survey>

const head = z.object({ log: z.string(), number: z.number(), hash: z.string() })
export const source = z.object({
  id: z.string(),
  kind: z.enum(['own', 'log', 'export']),
  path: z.string(),
  name: line,
  title: line,
  head,
  signs: z.boolean(),
  partial: z.boolean(),
})
/** A log that is looked at. Everything but `own` is read-only. */
export type Source = z.infer<typeof source>

export const names = z.object({
  functions: z.array(z.string()),
  models: z.array(z.string()),
  decisions: z.array(z.string()),
  deciders: z.array(z.string()),
  outcomes: z.array(z.string()),
})
export type Names = z.infer<typeof names>

const counts = z.record(z.string(), z.number())
const functionStats = z.object({
  fn: z.string(),
  calls: z.number(),
  approved: z.number(),
  rejected: z.number(),
  by: counts,
  outcomes: counts,
  waitedMs: z.number(),
  ms: z.number(),
})
const span = z.object({
  at: z.string(),
  free: z.number(),
  approved: z.number(),
  rejected: z.number(),
  refused: z.number(),
})
export const stats = z.object({
  calls: z.number(),
  runs: z.number(),
  first: z.string(),
  last: z.string(),
  approved: z.number(),
  rejected: z.number(),
  undecided: z.number(),
  outcomes: counts,
  functions: z.array(functionStats),
  activity: z.object({ unit: z.enum(['month', 'day', 'hour', 'minute']), spans: z.array(span) }),
  waits: z.object({
    decisions: z.number(),
    medianMs: z.number(),
    longestMs: z.number(),
    bars: z.array(z.object({ label: z.string(), belowMs: z.number(), approved: z.number(), rejected: z.number() })),
  }),
})
export type Stats = z.infer<typeof stats>

const reason = z.object({ name: line, message: lines })
const runCall = row.extend({
  line: z.number().optional(),
  card: z.string().optional(),
  requestedAt: z.string().optional(),
  decidedAt: z.string().optional(),
  startedAt: z.string().optional(),
  settledAt: z.string().optional(),
})
export type RunCall = z.infer<typeof runCall>
export const run = z.object({
  runId: z.string(),
  began: z
    .object({
      request: lines,
      code: z.string(),
      model: line,
      version: z.string().optional(),
      engine: z.string().optional(),
    })
    .nullable(),
  at: z.string(),
  ended: z.object({ status: z.string(), error: reason.nullish(), unknown: z.array(z.string()).nullish() }).nullable(),
  endedAt: z.string().optional(),
  pauses: z.array(z.object({ at: z.string(), kind: z.string() })),
  calls: z.array(runCall),
})
export type Run = z.infer<typeof run>

const entry = z.object({
  number: z.number(),
  at: z.string(),
  kind: z.string(),
  body: lines,
  previous: z.string(),
  hash: z.string(),
  fits: z.boolean(),
})
export type Entry = z.infer<typeof entry>
export const detail = z.object({
  row,
  line: z.number().optional(),
  input: z.string(),
  value: z.string(),
  error: reason.nullish(),
  decision: z
    .object({
      verdict: z.string(),
      by: z.string(),
      reason: lines.optional(),
      shown: line.optional(),
      waitedMs: z.number(),
    })
    .nullish(),
  card: z.object({ id: z.string(), title: line, request: lines, rows: z.array(row) }).nullish(),
  same: z.object({ state: z.string(), text: z.string(), digest: z.string().optional() }),
  notes: z.array(z.object({ finding: z.string(), reason: lines.optional(), at: z.string(), words: line })),
  points: z.array(z.object({ weight: z.enum(['bad', 'doubt', 'plain']), title: line, text: lines })),
  entries: orNone(entry),
  run: run.nullish(),
})
export type Detail = z.infer<typeof detail>

export const ends = z.object({
  runs: z.array(
    z.object({
      runId: z.string(),
      at: z.string(),
      model: line,
      request: line,
      waiting: z.number(),
      words: z.string(),
    }),
  ),
  unknown: orNone(row),
  noted: orNone(row),
  faults: z.array(z.object({ at: z.string().optional(), text: lines })),
})
export type Ends = z.infer<typeof ends>

const weight = z.enum(['good', 'doubt', 'bad'])
export type Weight = z.infer<typeof weight>
export const verifying = z.object({
  step: z.number(),
  running: z.boolean(),
  done: z.number(),
  total: z.number(),
  at: z.string().optional(),
  tookMs: z.number().optional(),
  report: z
    .object({
      state: z.string(),
      message: lines,
      entries: z.number(),
      number: z.number().optional(),
      head,
      anchor: head.nullish(),
      checkpoint: z.object({ number: z.number(), at: z.string() }).nullish(),
      anchoredIn: z.string().optional(),
      key: z.string().optional(),
      notes: z.array(z.string()).nullish(),
    })
    .nullish(),
  meaning: z.object({ title: z.string(), text: z.string(), weight }).nullish(),
  failure: z.string().optional(),
})
/** How far verifying has come, or what it found. */
export type Verifying = z.infer<typeof verifying>

export const headNote = head.extend({ at: z.string(), text: z.string() })
export type HeadNote = z.infer<typeof headNote>
export const comparison = z.object({ finding: z.string(), text: lines, weight, given: head, head })
export type Comparison = z.infer<typeof comparison>

export const exported = z.object({
  path: z.string(),
  calls: z.number(),
  entries: z.number(),
  bytes: z.number(),
  signed: z.boolean(),
})
export type Exported = z.infer<typeof exported>

export const savedFilters = orNone(z.object({ name: z.string(), filter }))
export type SavedFilter = z.infer<typeof savedFilters>[number]

export const ready = z.object({ ready: z.boolean(), done: z.number(), total: z.number() })
export type Ready = z.infer<typeof ready>
