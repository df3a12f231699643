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
}

export const createScenePlayer = (operations: Operations, { request }: Scene): ScenePlayer => {
  const transcript = createTranscript(operations)
  let state: 'ready' | 'playing' | 'over' = 'ready'
  let lastRun: RunView | undefined
  let failed = false
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
      if (state !== 'playing') return
      state = 'over'
      // An answer without a program is not how a demo ends well.
      const status = failed ? 'error' : (lastRun?.standing ?? 'error')
      transcript.done(status).catch(() => {}) // nobody is left to be told
    },
  }
}
