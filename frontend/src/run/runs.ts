import type { PendingCall } from '@faustine-ai/browser-sandbox'
import { part } from '../part/part'
import type { Reopened } from './resumeRun'
import type { Ended, Program, RunHost, RunWatcher } from './runProgram'
import { afterEvent, afterNotice, afterResult, newRunView, type RunView, reopenedRunView } from './runView'

/** What happens in runs, for those who do not draw it. */
export interface RunListener {
  program?(code: string): void
  waiting?(pending: PendingCall[]): void
  ended?(run: RunView): void
}

/** The runs of this page. A run has the id of the tool call that asked for it, or another key of its own. */
export interface Runs {
  subscribe(listener: () => void): () => void
  get(key: string): RunView | undefined
  /**
   * Runs a program; gives what the model may see of it. Never rejects. `owner`: the conversation it
   * is for. It ends when the signal fires, too.
   */
  start(key: string, program: Program, owner?: string, signal?: AbortSignal): Promise<unknown>
  /** Runs the program of a run once more, as a new run below it. Never rejects. */
  again(key: string, program: Program, owner?: string): Promise<void>
  /** The keys of the runs that repeated one, in order. The same list until there is one more. */
  againOf(key: string): readonly string[]
  /** Opens the card of a waiting run and goes on with it; gives what the model may see of it. Never rejects. */
  reopen(key: string, waiting: Reopened, owner?: string): Promise<unknown>
  /** Shows a run as it was kept. */
  restore(key: string, view: RunView): void
  /** Stops what runs for a conversation, and what belongs to none. */
  stop(owner?: string): void
  /** Whether anything runs for a conversation, or for none; still so when what came of it is being handed over. */
  busy(owner?: string): boolean
}

/** How long calls and lines may gather before they are told of, in ms. */
const pause = 40

/** What runs programs and goes on with those that waited. */
export const programs = part('running programs', () => import('./running'))

const none: readonly string[] = []
const apart = ' again '

export const createRuns = (host: RunHost, listener: RunListener = {}, now = () => performance.now()): Runs => {
  const views = new Map<string, RunView>()
  const repeats = new Map<string, readonly string[]>()
  const listeners = new Set<() => void>()
  const running = new Map<AbortController, string | undefined>()

  let due: ReturnType<typeof setTimeout> | undefined
  const tellAll = (): void => {
    clearTimeout(due)
    due = undefined
    for (const tell of listeners) tell()
  }
  /** A program may make hundreds of calls at once: they are drawn together. */
  const tellSoon = (): void => {
    due ??= setTimeout(tellAll, pause)
  }
  const repeat = (key: string): string => {
    const before = repeats.get(key) ?? none
    const next = `${key}${apart}${before.length + 1}`
    repeats.set(key, [...before, next])
    return next
  }
  const ofOwner = (owner: string | undefined): AbortController[] =>
    [...running].filter(([, of]) => of === undefined || of === owner).map(([stop]) => stop)

  const follow = async (
    key: string,
    first: RunView,
    owner: string | undefined,
    outer: AbortSignal | undefined,
    run: (signal: AbortSignal, on: RunWatcher) => Promise<Ended>,
  ): Promise<unknown> => {
    const stop = new AbortController()
    running.set(stop, owner)
    const began = now()
    let view = first
    const show = (next: RunView, tell = tellAll): void => {
      view = next
      views.set(key, next)
      tell()
    }
    show(view)
    listener.program?.(first.code)
    try {
      const { result, output } = await run(outer ? AbortSignal.any([outer, stop.signal]) : stop.signal, {
        event: (event) => show(afterEvent(view, event, now() - began), event.type === 'status' ? tellAll : tellSoon),
        waiting: (pending) => listener.waiting?.(pending),
        notice: (text) => show(afterNotice(view, text)),
      })
      show(afterResult(view, result, now() - began))
      return output
    } catch (failure) {
      // The sandbox refused the run as such: a fault of this page's, not of the program's.
      const { name, message } = failure instanceof Error ? failure : new Error(String(failure))
      show({ ...afterNotice(view, message), standing: 'error', elapsed: now() - began })
      return { status: 'error', error: { name, message } }
    } finally {
      listener.ended?.(view)
      // Whoever asked for the run hears of it first and may go on at once: if it were over before
      // that, what offers to stop would go for a moment, and with it a click that is being made.
      setTimeout(() => {
        running.delete(stop)
        tellAll()
      })
    }
  }

  const start: Runs['start'] = (key, program, owner, signal) =>
    follow(key, newRunView(program.code), owner, signal, async (stop, on) =>
      (await programs.load()).runProgram(host, key, program, stop, on),
    )

  return {
    subscribe: (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    get: (key) => views.get(key),
    start,
    again: async (key, program, owner) => void (await start(repeat(key), program, owner)),
    againOf: (key) => repeats.get(key) ?? none,
    reopen: (key, waiting, owner) =>
      follow(key, reopenedRunView(waiting), owner, undefined, async (stop, on) =>
        (await programs.load()).resumeRun(host, waiting, stop, on),
      ),
    restore: (key, view) => {
      const [of, nth] = key.split(apart)
      if (of !== undefined && nth !== undefined && !views.has(key)) repeat(of)
      views.set(key, view)
      tellAll()
    },
    stop: (owner) => {
      for (const stop of ofOwner(owner)) stop.abort(new Error('Stopped by the person.'))
    },
    busy: (owner) => ofOwner(owner).length > 0,
  }
}
