/** What a bare worker is told. `port`: the rest comes over the port that is with it. */
export type ToWorker =
  | { type: 'run'; code: string; transfer: boolean }
  | { type: 'settle'; id: number; value: unknown }
  | { type: 'port' }

/** What a bare worker tells. */
export type FromWorker =
  | { type: 'up' }
  | { type: 'call'; id: number; input: unknown }
  | { type: 'result'; value: unknown }
  | { type: 'failed'; message: string }

/** Page → bare frame: start a worker, hand it something, terminate it. */
export type ToFrame =
  | { type: 'spawn'; worker: number }
  | { type: 'post'; worker: number; record: ToWorker; transfer: boolean }
  | { type: 'stop'; worker: number }

/** Bare frame → page. */
export type FromFrame =
  | { type: 'ready' }
  | { type: 'relay'; worker: number; record: FromWorker }
  | { type: 'stopped'; worker: number }

/** The buffer of the bytes that a message carries as its input or value, to transfer instead of to clone. */
export const buffersIn = (message: object): ArrayBuffer[] => {
  const { input, value } = message as { input?: unknown; value?: unknown }
  const bytes = input ?? value
  return bytes instanceof Uint8Array ? [bytes.buffer as ArrayBuffer] : []
}
