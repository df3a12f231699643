// Every message of the channel, named by direction. PROTOCOL.md documents each
// with its literal form; a test fails when the two differ.
//
//   page ⇄ frame   window.postMessage, source and nonce checked at both ends
//   frame ⇄ worker the worker's own channel, relayed by the frame unread

import type { LimitName, Limits } from './limits.js'

/** page → frame */
export type ToFrame =
  | { type: 'init'; nonce: string }
  | { type: 'spawn'; nonce: string; worker: number }
  | { type: 'post'; nonce: string; worker: number; records: ToWorker[]; buffers: ArrayBuffer[] }
  | { type: 'stop'; nonce: string; worker: number }

/** Most records in one message to a worker, or from it. */
export const recordsMax = 32

/** frame → page */
export type FromFrame =
  | { type: 'ready'; nonce: string; build: string }
  | { type: 'refused'; nonce: string; reason: string }
  | { type: 'relay'; nonce: string; worker: number; records: unknown[] }
  | { type: 'fault'; nonce: string; worker: number; reason: string }
  | { type: 'stopped'; nonce: string; worker: number }

/** What was thrown, as text and position; made by the worker, shown by the page. */
export interface Fault {
  name: string
  message: string
  /** Counted from 1 in the program as it was given; 0 where the engine does not tell. */
  line: number
  column: number
  /** The program's frames only: “at line L:C”, one a line. */
  stack: string
}

/** A frozen clock and seeded generators: what every pass of a run repeats. */
export interface Seeds {
  /** ms since 1970 at the start of the first pass */
  now: number
  /** eight random 32-bit words */
  words: number[]
}

/** page → worker */
// biome-ignore format: one message, one line, as in PROTOCOL.md
export type ToWorker =
  | { type: 'start'; code: string; names: string[]; marked: string[]; given: boolean; input: unknown; limits: Limits; seeds: Seeds | null; repeats: boolean }
  | { type: 'settle'; id: number; state: Settled; value: unknown; errors: boolean; at: number; after: number }
  | { type: 'fire'; id: number }
  | { type: 'digested'; id: number; ok: boolean; value: unknown }

/** How a call settles in the worker. The value of `error` is what was thrown: an ErrorText, or `{ value }`. */
export type Settled = 'ok' | 'error' | 'rejected' | 'pending'

/**
 * worker → page. `seen` is how many settlements the worker had taken: whether a
 * rejection had been thrown into the program by then. `open` of body lists the calls that had not settled for
 * the program when the body settled: an answer may have been on its way.
 */
export type ToPage =
  | { type: 'up'; left: string[] }
  | { type: 'call'; id: number; seen: number; fn: string; input: unknown; bytes: number; line: number }
  | { type: 'log'; level: LogLevel; text: string }
  | { type: 'digest'; id: number; algorithm: string; data: ArrayBuffer }
  | { type: 'fired'; id: number; seen: number }
  | { type: 'cut'; seen: number }
  | { type: 'limit'; limit: LimitName; figure: number }
  | { type: 'body'; ok: boolean; value: unknown; bytes: number; open: number[] }
  | { type: 'stall' }
  | { type: 'end'; seen: number }
  | { type: 'broken' }

/** A thrown Error on its way to the program: its name, message and, as text, its cause; or any other thrown value. */
export type Thrown =
  | { error: true; name: string; message: string; cause: string | null }
  | { error: false; value: unknown }

export type LogLevel = 'debug' | 'log' | 'info' | 'warn' | 'error'
export const logLevels: readonly string[] = ['debug', 'log', 'info', 'warn', 'error']
