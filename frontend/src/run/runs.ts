import { type PendingCall, toToolOutput } from '@faustine-ai/browser-sandbox'
import { type Reopened, resumeRun } from './resumeRun'
import { type FinalResult, type Program, type RunHost, type RunWatcher, runProgram } from './runProgram'
import { afterEvent, afterNotice, afterResult, newRunView, type RunView, reopenedRunView } from './runView'

/** What happens in runs, for those who do not draw it. */
export interface RunListener {
  program?(code: string): void
  waiting?(pending: PendingCall[]): void
  ended?(run: RunView): void
}

/** The runs of this page, by the id of the tool call that asked for each. */
export interface Runs {
  subscribe(listener: () => void): () => void
  get(toolCallId: string): RunView | undefined
  /** Runs a program; gives what the model may see of it. Never rejects. */
  start(toolCallId: string, program: Program): Promise<unknown>
  /** Opens the card of a waiting run and goes on with it, under a key of its own. Never rejects. */
  reopen(key: string, waiting: Reopened): Promise<void>
  /** Stops everything that runs. */
  stop(): void
  /** Whether anything runs. */
  busy(): boolean
}

export const createRuns = (host: RunHost, listener: RunListener = {}, now = () => performance.now()): Runs => {
  const views = new Map<string, RunView>()
  const listeners = new Set<() => void>()
  const stops = new Set<AbortController>()

  const tellAll = (): void => {
    for (const tell of listeners) tell()
  }

  const follow = async (
    key: string,
    first: RunView,
    run: (signal: AbortSignal, on: RunWatcher) => Promise<FinalResult>,
  ): Promise<unknown> => {
    const stop = new AbortController()
    stops.add(stop)
    const began = now()
    let view = first
    const show = (next: RunView): void => {
      view = next
      views.set(key, next)
      tellAll()
    }
    show(view)
    listener.program?.(first.code)
    try {
      const result = await run(stop.signal, {
        event: (event) => show(afterEvent(view, event, now() - began)),
        waiting: (pending) => listener.waiting?.(pending),
        notice: (text) => show(afterNotice(view, text)),
      })
      show(afterResult(view, result, now() - began))
      return toToolOutput(result)
    } catch (failure) {
      // The sandbox refused the run as such: a fault of this page's, not of the program's.
      const { name, message } = failure instanceof Error ? failure : new Error(String(failure))
      show({ ...afterNotice(view, message), standing: 'error', elapsed: now() - began })
      return { status: 'error', error: { name, message } }
    } finally {
      stops.delete(stop)
      tellAll() // busy has changed
      listener.ended?.(view)
    }
  }

  return {
    subscribe: (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    get: (toolCallId) => views.get(toolCallId),
    start: (toolCallId, program) =>
      follow(toolCallId, newRunView(program.code), (signal, on) => runProgram(host, program, signal, on)),
    reopen: async (key, waiting) =>
      void (await follow(key, reopenedRunView(waiting.code, waiting.calls), (signal, on) =>
        resumeRun(host, waiting, signal, on),
      )),
    stop: () => {
      for (const stop of stops) stop.abort(new Error('You stopped it.'))
    },
    busy: () => stops.size > 0,
  }
}
