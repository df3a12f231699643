import type { CallRecord, LogLine, RunEvent } from '@faustine-ai/browser-sandbox'
import type { FinalResult } from './runProgram'

export type { LogLine }

/** How a call stands. `waiting`: for the person. `unknown`: the page went before it had an outcome. */
export type CallStanding = 'running' | 'waiting' | 'unknown' | Exclude<CallRecord['state'], 'pending'>

/** One call as the timeline shows it. Times are ms since the run was started. */
export interface CallView {
  callId: string
  seq: number
  fn: string
  input: unknown
  standing: CallStanding
  /** Whether the person was asked about it. */
  asked?: boolean
  /** how long the function took */
  ms?: number
  value?: unknown
  error?: { name: string; message: string }
  /** when the program called */
  at: number
  /** when it began to execute, after any wait */
  began?: number
  /** when it had its outcome */
  ended?: number
}

/** `interrupted`: the app or its page went while it was on, and what it came to is not known here. */
export type RunStanding = 'starting' | 'running' | 'waiting' | 'interrupted' | FinalResult['status']

/** A time in which everything waited for the person, in ms since the run was started. */
export interface Wait {
  from: number
  /** Not set while it lasts. */
  to?: number
}

/** Everything the page shows of one run. */
export interface RunView {
  code: string
  /** Its id in the log, once it has one. */
  runId?: string
  standing: RunStanding
  calls: CallView[]
  logs: LogLine[]
  waits: Wait[]
  /** Set where values were too large to be kept with the conversation: the log has them. */
  shortened?: boolean
  /** How an interrupted run ended, as the log has it. */
  ending?: string
  /** What went wrong around the run, for the person. */
  notices: string[]
  result?: FinalResult
  /** ms that the run took, until now or to its end, when known */
  elapsed: number
}

export const newRunView = (code: string): RunView => ({
  code,
  standing: 'starting',
  calls: [],
  logs: [],
  waits: [],
  notices: [],
  elapsed: 0,
})

/** A run whose card is opened again: of its earlier calls the result will tell. */
export const reopenedRunView = ({
  runId,
  code,
  calls,
}: {
  runId: string
  code: string
  calls: Pick<CallView, 'callId' | 'seq' | 'fn' | 'input'>[]
}): RunView => ({
  ...newRunView(code),
  runId,
  standing: 'waiting',
  waits: [{ from: 0 }],
  calls: calls.map((call) => ({ ...call, standing: 'waiting', asked: true, at: 0 })),
})

/** Whether nothing more will happen in it. */
export const isOver = ({ standing }: RunView): boolean => !['starting', 'running', 'waiting'].includes(standing)

/** Whether the person was asked, and nothing that they were asked about has run. */
export const isAllRejected = ({ calls }: RunView): boolean =>
  calls.some(({ standing }) => standing === 'rejected') &&
  calls.every(({ asked, standing }) => !asked || standing === 'rejected' || standing === 'cancelled')

/** The run after an event that came `at` ms after it was started. */
export const afterEvent = (run: RunView, event: RunEvent, at: number): RunView => {
  switch (event.type) {
    case 'status': {
      const { runId } = event
      // A resumed pass starts a worker again; the person has seen the start.
      if (event.status === 'starting' && run.calls.length > 0) return { ...run, runId, elapsed: at }
      const standing = event.status === 'pending' ? 'waiting' : event.status
      return { ...run, runId, standing, waits: afterStanding(run.waits, standing, at), elapsed: at }
    }
    case 'log':
      return { ...run, logs: [...run.logs, { level: event.level, text: event.text, at: event.at }], elapsed: at }
    case 'call':
      return { ...run, calls: afterCall(run.calls, event, at), elapsed: at }
  }
}

const afterStanding = (waits: Wait[], standing: RunStanding, at: number): Wait[] => {
  const last = waits.at(-1)
  const lasts = last !== undefined && last.to === undefined
  if (standing === 'waiting') return lasts ? waits : [...waits, { from: at }]
  return lasts ? [...waits.slice(0, -1), { ...last, to: at }] : waits
}

const afterCall = (calls: CallView[], event: RunEvent & { type: 'call' }, at: number): CallView[] => {
  const { callId, seq, fn, input } = event
  const known = calls.find((call) => call.callId === callId)
  const call: CallView = known ?? { callId, seq, fn, input, at, standing: 'running' }
  const changed = { ...call, ...changeOf(event, call, at) }
  return known ? calls.map((other) => (other === known ? changed : other)) : [...calls, changed]
}

const changeOf = (event: RunEvent & { type: 'call' }, call: CallView, at: number): Partial<CallView> => {
  switch (event.phase) {
    case 'start':
      return { standing: 'running', began: at }
    case 'pending':
      return { standing: 'waiting', asked: true }
    case 'end': {
      const standing = standingOf(event.state, call)
      // A call that was not executed has no time of its own.
      return { standing, ended: at, ...(call.began === undefined ? {} : { ms: event.ms ?? at - call.began }) }
    }
  }
}

/** How a call stands that has ended: of one that had begun and was cut off, nobody knows what it came to. */
const standingOf = (state: CallRecord['state'] | undefined, seen: CallView | undefined): CallStanding => {
  if (state !== undefined && state !== 'pending' && state !== 'cancelled') return state
  return seen?.began === undefined ? 'cancelled' : 'unknown'
}

/**
 * The run with its result, which has the last word on every call and line. What the person was asked about
 * and the program did not come to has not run, and is no call of the result.
 */
export const afterResult = (run: RunView, result: FinalResult, at: number): RunView => {
  const made = new Set(result.calls.map(({ callId }) => callId))
  const notMade = run.calls.filter(({ asked, callId }) => asked && !made.has(callId))
  return {
    ...run,
    runId: result.runId,
    standing: result.status,
    waits: afterStanding(run.waits, result.status, at),
    result,
    logs: result.logs,
    elapsed: at,
    calls: [
      ...result.calls.map((record) => afterRecord(run, record, at)),
      ...notMade.map((call): CallView => ({ ...call, standing: 'cancelled', ended: call.ended ?? at })),
    ].sort((a, b) => a.seq - b.seq),
  }
}

const afterRecord = (run: RunView, record: CallRecord, at: number): CallView => {
  const seen = run.calls.find(({ callId }) => callId === record.callId)
  const standing = standingOf(record.state, seen)
  return {
    ...(seen ?? { at, ended: at }),
    callId: record.callId,
    seq: record.seq,
    fn: record.fn,
    input: record.input,
    standing,
    ...(seen?.began === undefined && standing !== 'ok' ? {} : { ms: record.ms }),
    ...('value' in record ? { value: record.value } : {}),
    ...(record.error ? { error: record.error } : {}),
    ended: seen?.ended ?? at,
  }
}

/** The run after a wish to say something beside its result. */
export const afterNotice = (run: RunView, text: string): RunView => ({ ...run, notices: [...run.notices, text] })
