/**
 * Requests to Go. What is asked in one tick travels in one envelope, and while one is
 * under way so does what the tasks ask that are queued then: the calls of a program
 * come in a task each. While anything is outstanding one call is always under way, in
 * which Go delivers whatever is done first. An answer may come in any call, not only
 * its own.
 */

import type { Connection } from '../bindings'
import { BridgeError } from './bridgeError'

/** Asks Go for one operation. An aborted request rejects with the signal's reason. */
export type Ask = (op: string, args: unknown, signal?: AbortSignal) => Promise<unknown>

export interface Bridge extends Ask {
  /**
   * Sends what was asked so far without waiting for the end of the tick: that of a script which
   * is run for the first time comes when all of the script has run.
   */
  now(): void
}

interface Request {
  id: number
  op: string
  args: unknown
}

interface Waiting {
  settle(outcome: { ok: unknown } | { error: Error }): void
}

export const createBridge = ({ send, secret, soon = queueMicrotask }: Connection): Bridge => {
  let lastId = 0
  /** What is not sent yet. */
  let queue: (Request & Waiting)[] = []
  let underWay = 0
  /** What was sent and Go has not answered yet. The page may have lost interest in some. */
  const waiting = new Map<number, Waiting>()

  const fail = (ids: Iterable<number>, error: Error): void => {
    for (const id of [...ids]) {
      const request = waiting.get(id)
      waiting.delete(id)
      request?.settle({ error })
    }
  }

  const exchange = async (submit: Request[]): Promise<void> => {
    // An answer that leaves these out, with no other on its way, has lost them.
    const asked = [...waiting.keys()]
    underWay++
    try {
      const done = readAnswer(await send(JSON.stringify({ secret, submit })))
      for (const { id, ...outcome } of done) {
        waiting.get(id)?.settle(outcome)
        waiting.delete(id)
      }
      if (done.length === 0 && underWay === 1) {
        const why = 'The app has lost this request: it was neither answered nor refused. Try again.'
        fail(
          asked.filter((id) => waiting.has(id)),
          new BridgeError('Internal', why),
        )
      }
    } catch (error) {
      // A poll speaks for everything that was outstanding, a submit for its own.
      fail(submit.length > 0 ? submit.map(({ id }) => id) : asked, asBridgeError(error))
    } finally {
      underWay--
    }
    if (waiting.size > 0 && underWay === 0) void exchange([])
  }

  const flush = (): void => {
    const due = queue
    queue = []
    // Only now: a poll that comes back meanwhile knows nothing of them, and has not lost them.
    for (const { id, settle } of due) waiting.set(id, { settle })
    if (due.length > 0) void exchange(due.map(({ id, op, args }) => ({ id, op, args })))
  }

  const enqueue = (request: Request, settle: Waiting['settle']): void => {
    if (queue.length === 0) (underWay > 0 ? soon : queueMicrotask)(flush)
    queue.push({ ...request, settle })
  }

  const ask: Ask = (op, args, signal) => {
    if (signal?.aborted) return Promise.reject(signal.reason)
    const id = ++lastId
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        reject(signal?.reason)
        if (queue.some((request) => request.id === id)) {
          queue = queue.filter((request) => request.id !== id)
        } else if (waiting.has(id)) {
          enqueue({ id: ++lastId, op: 'cancel', args: { id } }, () => {})
        }
      }
      signal?.addEventListener('abort', abort, { once: true })
      enqueue({ id, op, args }, (outcome) => {
        signal?.removeEventListener('abort', abort)
        if ('error' in outcome) reject(outcome.error)
        else resolve(outcome.ok)
      })
    })
  }
  return Object.assign(ask, { now: flush })
}

type Done = { id: number } & ({ ok: unknown } | { error: Error })

/** Reads an envelope from Go. Throws when it refuses, or is none. */
const readAnswer = (text: string): Done[] => {
  const answer: unknown = JSON.parse(text)
  if (isObject(answer) && isObject(answer.refused)) throw bridgeErrorOf(answer.refused)
  if (!isObject(answer) || !Array.isArray(answer.done)) {
    throw new BridgeError('Internal', `Expected { done: […] } from the app, got ${text.slice(0, 200)}`)
  }
  return answer.done.map((entry: unknown): Done => {
    if (!isObject(entry) || typeof entry.id !== 'number') {
      throw new BridgeError(
        'Internal',
        `Expected { id, ok } or { id, error } from the app, got ${JSON.stringify(entry)}`,
      )
    }
    return isObject(entry.error) ? { id: entry.id, error: bridgeErrorOf(entry.error) } : { id: entry.id, ok: entry.ok }
  })
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const bridgeErrorOf = ({ code, message }: Record<string, unknown>): BridgeError =>
  new BridgeError(
    typeof code === 'string' ? code : 'Internal',
    typeof message === 'string' && message !== '' ? message : 'The app gave no reason.',
  )

const asBridgeError = (error: unknown): BridgeError =>
  error instanceof BridgeError
    ? error
    : new BridgeError(
        'Internal',
        `The app could not be reached: ${error instanceof Error ? error.message : String(error)}`,
      )
