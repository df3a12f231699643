import type { PendingCall } from '@faustine-ai/browser-sandbox'
import type { Operations } from '../bridge/operations'
import type { RunView } from '../run/runView'
import { inline } from '../value/print'

/** What a demo without a display prints: the page tells Go what it shows. */
export interface Transcript {
  request(text: string): void
  program(code: string): void
  waiting(pending: PendingCall[]): void
  ended(run: RunView): void
  answer(text: string): void
  failure(text: string): void
  /** Tells that the scene is over, once everything before has arrived. */
  done(status: string): Promise<void>
}

/** Lines go one after the other: Go runs each request on its own. */
export const createTranscript = (operations: Operations): Transcript => {
  let last: Promise<unknown> = Promise.resolve()
  const tell = (send: () => Promise<void>): Promise<void> => {
    // A line that cannot be delivered must not hold up the others.
    const sent = last.then(send)
    last = sent.catch(() => {})
    return sent
  }
  const say = (kind: Parameters<Operations['transcript']>[0], text: string): void => {
    tell(() => operations.transcript(kind, text)).catch(() => {})
  }
  return {
    request: (text) => say('request', text),
    program: (code) => say('program', code),
    waiting: (pending) => say('rows', pending.map(({ fn, input }) => `${fn}(${inline(input, 200)})`).join('\n')),
    ended: ({ standing, result, notices }) => {
      for (const notice of notices) say('error', notice)
      if (result && 'error' in result) say('error', result.error.message)
      say('status', standing)
    },
    answer: (text) => say('answer', text),
    failure: (text) => say('error', text),
    done: (status) => tell(() => operations.sceneDone(status)),
  }
}
