/**
 * Stands in for the sandbox where there is no browser: it compiles the program
 * right here and holds marked calls until they are decided, by running the
 * program again with what is known. The real one is tested in real engines, in
 * sandbox/test.
 */

import type { CallRecord, Decisions, Result, RunEvent, Sandbox } from '@faustine-ai/browser-sandbox'

type RunOptions = Parameters<Sandbox['run']>[0]
type Continuation = { runId: string; code: string; calls: CallRecord[] }
type Entry = Readonly<{ call: (input: unknown, ctx: never) => unknown; approval?: unknown }>

const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => (sdk: unknown) => Promise<unknown>

export const fakeSandbox = (): Sandbox => {
  let runs = 0
  return {
    run: (options: RunOptions) => pass(options, `run-${++runs}`, new Map(), new Map()),
    resume: (continuation: Continuation, options: RunOptions & { decisions: Decisions }) => {
      const { runId, code, calls } = structuredClone(continuation)
      const journal = new Map(calls.map((call) => [call.seq, call]))
      const { approve = [] } = options.decisions as { approve?: string[] }
      const waiting = calls.filter(({ state }) => state === 'pending')
      const verdicts = new Map(waiting.map(({ seq, callId }) => [seq, approve.includes(callId)]))
      return pass({ ...options, code }, runId, journal, verdicts)
    },
    dispose: () => {},
  } as unknown as Sandbox
}

const pass = async (
  options: RunOptions,
  runId: string,
  journal: Map<number, CallRecord>,
  verdicts: Map<number, boolean>,
): Promise<Result> => {
  const { code, signal, onEvent = () => {} } = options
  const functions = options.functions as unknown as Record<string, Entry>
  const logs: Result['logs'] = []
  let lastSeq = 0
  const emit = (event: RunEvent): void => onEvent(event)
  emit({ type: 'status', status: 'starting', runId })
  emit({ type: 'status', status: 'running', runId })

  const call = async (fn: string, input: unknown): Promise<unknown> => {
    const seq = ++lastSeq
    const callId = `${runId}-${seq}`
    const known = journal.get(seq)
    if (known && known.state !== 'pending') return outcome(known)
    const record: CallRecord = { callId, seq, fn, input, state: 'pending', ms: 0 }
    journal.set(seq, record)
    const end = (change: Partial<CallRecord>): unknown => {
      Object.assign(record, change)
      emit({ type: 'call', phase: 'end', runId, callId, seq, fn, input, state: record.state, ms: record.ms })
      return outcome(record)
    }
    const entry = functions[fn] as Entry
    const { approval } = entry
    const marked = typeof approval === 'function' ? (await approval(input)) !== false : approval === true
    if (marked && options.approval?.mode === 'deny') {
      return end({ state: 'denied', error: { name: 'ApprovalRejected', message: 'Nobody is asked.' } })
    }
    if (marked && options.approval?.mode === 'pause') {
      emit({ type: 'call', phase: 'pending', runId, callId, seq, fn, input })
      const asked = { callId, seq, fn, input, signal: signal ?? new AbortController().signal }
      verdicts.set(seq, (await options.approval.onApproval(asked)) === 'approve')
    }
    if (marked && !verdicts.has(seq)) {
      emit({ type: 'call', phase: 'pending', runId, callId, seq, fn, input })
      return {}
    }
    if (verdicts.get(seq) === false) {
      return end({ state: 'rejected', error: { name: 'ApprovalRejected', message: 'The person rejected this call.' } })
    }
    emit({ type: 'call', phase: 'start', runId, callId, seq, fn, input })
    try {
      const ctx = { runId, callId, seq, fn, signal: signal ?? new AbortController().signal }
      return end({ value: await entry.call(input, ctx as never), state: 'ok', ms: 1 })
    } catch (error) {
      const { name, message } = error as Error
      return end({ error: { name, message }, state: 'error', ms: 1 })
    }
  }

  const conclude = (result: Result): Result => {
    emit({ type: 'status', status: result.status, runId })
    return result
  }
  const common = () => ({
    runId,
    logs,
    calls: [...journal.values()],
    timings: { boot: 1, run: 1, waiting: 0, host: 1, total: 3 },
  })
  const log = (text: string): void => {
    const line = { level: 'log' as const, text, at: 0 }
    logs.push(line)
    emit({ type: 'log', runId, ...line })
  }
  const body = new AsyncFunction('sdk', 'console', code) as unknown as (...parts: unknown[]) => Promise<unknown>
  const aborted = new Promise<'aborted'>((resolve) => {
    if (signal?.aborted) resolve('aborted')
    signal?.addEventListener('abort', () => resolve('aborted'))
  })
  const ended = await Promise.race([
    aborted,
    body(treeOf(Object.keys(functions), call), { log }).then(
      (value) => ({ ok: true as const, value }),
      (error: Error) => ({ ok: false as const, error }),
    ),
  ])
  const stopped = (by: AbortSignal | undefined): Result => {
    const { calls, ...rest } = common()
    return {
      status: 'aborted',
      error: { name: 'AbortError', message: String((by?.reason as Error | undefined)?.message) },
      ...rest,
      calls: calls.map((each) => (each.state === 'pending' ? { ...each, state: 'cancelled' } : each)),
    }
  }
  if (ended === 'aborted') return conclude(stopped(signal))
  // What this pass did not come to does not wait any more.
  const pending = [...journal.values()].filter(({ state, seq }) => state === 'pending' && seq <= lastSeq)
  if (pending.length > 0) {
    return conclude({
      status: 'pending',
      pending: pending.map(({ callId, seq, fn, input }) => ({ callId, seq, fn, input })),
      continuation: structuredClone({ runId, code, calls: [...journal.values()] } satisfies Continuation),
      resume: (decisions, again) => {
        if (again?.signal?.aborted) return Promise.resolve(conclude(stopped(again.signal)))
        const { approve = [], reject = [] } = decisions as { approve?: string[]; reject?: string[] }
        for (const { callId, seq } of pending) {
          if (approve.includes(callId) === reject.includes(callId))
            throw new TypeError(`“${callId}” is not decided once.`)
          verdicts.set(seq, approve.includes(callId))
        }
        return pass(options, runId, journal, verdicts)
      },
      ...common(),
    })
  }
  if (ended.ok) return conclude({ status: 'ok', value: ended.value, ...common() })
  const { name, message } = ended.error
  return conclude({ status: 'error', error: { name, message: `${name}: ${message}` }, ...common() })
}

const outcome = ({ state, value, error }: CallRecord): unknown => {
  if (state === 'ok') return value
  throw Object.assign(new Error(error?.message), { name: error?.name })
}

/** sdk.orders.list(input) from names with dots. */
const treeOf = (names: string[], call: (fn: string, input: unknown) => unknown): unknown => {
  const tree: Record<string, unknown> = {}
  for (const name of names) {
    const parts = name.split('.')
    const last = parts.pop() as string
    let at = tree
    for (const part of parts) {
      at[part] ??= {}
      at = at[part] as Record<string, unknown>
    }
    at[last] = (input: unknown) => call(name, input)
  }
  return tree
}
