import type { PendingCall } from '@faustine-ai/browser-sandbox'
import type { Operations, Scene } from '../bridge/operations'
import type { RunView } from '../run/runView'
import { createTranscript } from './transcript'

/** A demo that the page plays by itself, telling Go what it shows. */
export interface ScenePlayer {
  /** What happens in runs. */
  readonly runs: {
    program(code: string): void
    waiting(pending: PendingCall[]): void
    ended(run: RunView): void
  }
  onText(text: string): void
  onFailure(text: string): void
  /** Asks for what the scene is about; only once, whatever draws the page again. */
  play(ask: (request: string) => void): void
  /** To be called whenever nothing more will come by itself. */
  rest(): void
  subscribe(listener: () => void): () => void
  /** Whether the scene is over. */
  over(): boolean
}

/**
 * A scene that goes on with what waited since another start asks for nothing. Its
 * conversation is at rest until that run is opened, so it is not over before the
 * run has ended.
 */
export const createScenePlayer = (operations: Operations, { request, reopen }: Scene): ScenePlayer => {
  const transcript = createTranscript(operations)
  const listeners = new Set<() => void>()
  let state: 'ready' | 'playing' | 'over' = reopen ? 'playing' : 'ready'
  let lastRun: RunView | undefined
  let failed = false
  const rest = (): void => {
    if (state !== 'playing') return
    state = 'over'
    // An answer without a program is not how a demo ends well.
    const status = failed ? 'error' : (lastRun?.standing ?? 'error')
    transcript.done(status).catch(() => {}) // nobody is left to be told
    for (const tell of listeners) tell()
  }
  return {
    runs: {
      program: transcript.program,
      waiting: transcript.waiting,
      ended: (run) => {
        lastRun = run
        transcript.ended(run)
      },
    },
    onText: transcript.answer,
    onFailure: (text) => {
      failed = true
      transcript.failure(text)
    },
    play: (ask) => {
      if (state !== 'ready') return
      state = 'playing'
      transcript.request(request)
      ask(request)
    },
    rest: () => {
      if (!reopen || lastRun) rest()
    },
    subscribe: (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    over: () => state === 'over',
  }
}
