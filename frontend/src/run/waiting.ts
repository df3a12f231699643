import type { Operations, WaitingRun } from '../bridge/operations'
import type { Reopened } from './resumeRun'
import { programs, type Runs } from './runs'

/** A run that waits for the person since another start of the app, or another load of the page. */
export interface WaitingView {
  runId: string
  request: string
  /** Of its card: “Cancel 3 orders?” */
  title: string
  calls: number
  /** ms since 1970 */
  since: number
  /** Why it cannot go on; it can only be dismissed then. */
  problem?: string
  busy: boolean
  /** Why the last thing that was wished of it did not happen. */
  failure?: string
}

/** A waiting run whose card was opened here. */
export interface OpenedView {
  /** Its key among the runs. */
  key: string
  request: string
  code: string
}

/** What waits for the person, and what became of it here. A view never changes. */
export interface WaitingState {
  waiting: WaitingView[]
  opened: OpenedView[]
  /** Why it cannot be said what waits. */
  failure?: string
}

export interface WaitingRuns {
  subscribe(listener: () => void): () => void
  get(): WaitingState
  /** Opens the card of one and goes on with it. Never rejects. */
  open(runId: string): Promise<void>
  /** Ends one undecided. Never rejects. */
  dismiss(runId: string): Promise<void>
}

type Waiters = Pick<Operations, 'waiting' | 'waitingRead' | 'waitingDismiss'>

/** Where a waiting run came from, and goes on when it is opened. */
export interface WaitingHome {
  reopen(kept: Reopened): Promise<void>
  /** It was dismissed. */
  dismissed(): Promise<void>
}

/**
 * Asks at once what waits, and again when the functions change: a run whose server
 * was not there yet can go on when it is. A run whose conversation is there goes on
 * in it; any other is shown by itself.
 */
export const createWaitingRuns = (
  operations: Waiters,
  runs: Runs,
  homeOf: (runId: string) => Promise<WaitingHome | undefined> = async () => undefined,
  functionsChange: (listener: () => void) => unknown = () => {},
): WaitingRuns => {
  const listeners = new Set<() => void>()
  let state: WaitingState = { waiting: [], opened: [] }
  let opens = 0

  const show = (next: Partial<WaitingState>): void => {
    state = { ...state, ...next }
    for (const tell of listeners) tell()
  }
  const change = (runId: string, to: Partial<WaitingView>): void =>
    show({ waiting: state.waiting.map((run) => (run.runId === runId ? { ...run, ...to } : run)) })

  const refresh = async (): Promise<void> => {
    try {
      const list = await operations.waiting()
      const before = new Map(state.waiting.map((run) => [run.runId, run]))
      const waiting = list.map((run) => {
        const { busy = false, failure } = before.get(run.runId) ?? {}
        return { ...viewOf(run), busy, ...(failure === undefined ? {} : { failure }) }
      })
      show({ waiting, failure: undefined })
    } catch (error) {
      show({ failure: textOf(error) })
    }
  }

  const open = async (runId: string): Promise<void> => {
    const run = state.waiting.find((other) => other.runId === runId)
    if (!run || run.busy) return
    change(runId, { busy: true, failure: undefined })
    try {
      const { readKept } = await programs.load()
      const kept = readKept(await operations.waitingRead(runId))
      const home = await homeOf(runId)
      const key = `waiting ${++opens} ${runId}`
      show({
        waiting: state.waiting.filter((other) => other !== run && other.runId !== runId),
        opened: home ? state.opened : [...state.opened, { key, request: run.request, code: kept.code }],
      })
      await (home ? home.reopen(kept) : runs.reopen(key, kept))
    } catch (error) {
      change(runId, { busy: false, failure: textOf(error) })
    }
    await refresh() // a run that could not be opened waits on
  }

  const dismiss = async (runId: string): Promise<void> => {
    const run = state.waiting.find((other) => other.runId === runId)
    if (!run || run.busy) return
    change(runId, { busy: true, failure: undefined })
    try {
      const home = await homeOf(runId)
      await operations.waitingDismiss(runId)
      await home?.dismissed()
      show({ waiting: state.waiting.filter((other) => other.runId !== runId) })
    } catch (error) {
      change(runId, { busy: false, failure: textOf(error) })
    }
  }

  void refresh()
  functionsChange(() => void refresh())
  return {
    subscribe: (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    get: () => state,
    open,
    dismiss,
  }
}

const viewOf = ({ runId, request, title, calls, since, problem }: WaitingRun): Omit<WaitingView, 'busy'> => ({
  runId,
  request,
  title,
  calls,
  since: Date.parse(since),
  ...(problem === undefined ? {} : { problem }),
})

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
