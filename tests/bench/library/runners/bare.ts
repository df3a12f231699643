// The floors: the same work with nothing around it. What the library adds is the
// difference to these, in the same page and the same minute.

import { buffersIn, type FromFrame, type FromWorker, type ToFrame, type ToWorker } from '../floors/messages.js'
import { delay, type Host, type Opened, type Runner, restMs } from '../runner.js'

/** The worker's source, put in by the build. */
declare const workerSource: string

/** One bare worker, however it is reached. */
interface BareWorker {
  up: Promise<void>
  post(record: ToWorker): void
  listen(heard: (record: FromWorker) => void): void
  stop(): Promise<void>
}

const runOn = (worker: BareWorker, code: string, host: Host, transfer: boolean): Promise<unknown> =>
  new Promise((resolve, reject) => {
    worker.listen((record) => {
      if (record.type === 'call') {
        const { id, input } = record
        const value = host(input)
        if (value instanceof Promise) value.then((value) => worker.post({ type: 'settle', id, value }), reject)
        else worker.post({ type: 'settle', id, value })
      } else if (record.type === 'result') resolve(record.value)
      else if (record.type === 'failed') reject(new Error(record.message))
    })
    worker.post({ type: 'run', code, transfer })
  })

/** Keeps one worker ready when asked to, and gives each run one of its own. */
const fromWorkers = (spawn: () => BareWorker, transfer: boolean, close: () => void, first?: BareWorker): Opened => {
  let spare = first
  return {
    ready: async () => {
      spare ??= spawn()
      await spare.up
      await delay(restMs)
    },
    run: async (code, host) => {
      const worker = spare ?? spawn()
      spare = undefined
      try {
        return await runOn(worker, code, host, transfer)
      } finally {
        void worker.stop()
      }
    },
    close,
  }
}

/** A blob worker of the page itself, over its own channel: no isolation at all. */
export const direct: Runner = {
  name: 'bare worker, no frame',
  kind: 'floor',
  open: async () => {
    const source = URL.createObjectURL(new Blob([workerSource], { type: 'text/javascript' }))
    return fromWorkers(
      () => {
        const worker = new Worker(source)
        let heard = (_: FromWorker): void => {}
        const up = new Promise<void>((resolve) => {
          worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
            if (data.type === 'up') resolve()
            else heard(data)
          }
        })
        return {
          up,
          post: (record) => worker.postMessage(record),
          listen: (listener) => {
            heard = listener
          },
          stop: async () => worker.terminate(),
        }
      },
      false,
      () => URL.revokeObjectURL(source),
    )
  },
}

/** A sandboxed frame and its workers, with the rest of the isolation left out. */
export class BareFrame {
  readonly #element = document.createElement('iframe')
  readonly #workers = new Map<number, (record: FromWorker) => void>()
  readonly #stopped = new Map<number, () => void>()
  readonly #listen: (event: MessageEvent<FromFrame>) => void
  readonly #transfer: boolean
  readonly ready: Promise<void>
  #last = 0

  constructor(transfer = false) {
    this.#transfer = transfer
    this.#element.setAttribute('sandbox', 'allow-scripts')
    this.#element.src = '/floor.html'
    this.#element.hidden = true
    let isReady = (): void => {}
    this.ready = new Promise((resolve) => {
      isReady = resolve
    })
    this.#listen = ({ data, source }) => {
      if (source !== this.#element.contentWindow) return
      if (data.type === 'relay') this.#workers.get(data.worker)?.(data.record)
      else if (data.type === 'stopped') this.#stopped.get(data.worker)?.()
      else isReady()
    }
    addEventListener('message', this.#listen)
    document.body.append(this.#element)
  }

  /** The worker that the frame has started by itself, or a further one. */
  worker(by: 'relay' | 'port', own = false): BareWorker {
    const id = own ? 0 : ++this.#last
    const post = (record: ToWorker, extra: Transferable[] = []): void =>
      this.#tell({ type: 'post', worker: id, record, transfer: this.#transfer }, [
        ...extra,
        ...(this.#transfer ? buffersIn(record) : []),
      ])
    let heard = (_: FromWorker): void => {}
    const up = new Promise<void>((resolve) => {
      this.#workers.set(id, (record) => {
        if (record.type === 'up') resolve()
        else heard(record)
      })
    })
    if (!own) this.#tell({ type: 'spawn', worker: id })
    const stop = (): Promise<void> =>
      new Promise((resolve) => {
        this.#stopped.set(id, resolve)
        this.#workers.delete(id)
        this.#tell({ type: 'stop', worker: id })
      })
    const listen = (listener: (record: FromWorker) => void): void => {
      heard = listener
    }
    if (by === 'relay') return { up, post, listen, stop }
    const { port1, port2 } = new MessageChannel()
    post({ type: 'port' }, [port2])
    port1.onmessage = ({ data }: MessageEvent<FromWorker>) => heard(data)
    return {
      up,
      post: (record) => port1.postMessage(record, this.#transfer ? buffersIn(record) : []),
      listen,
      stop: () => {
        port1.close()
        return stop()
      },
    }
  }

  close(): void {
    removeEventListener('message', this.#listen)
    this.#element.remove()
  }

  #tell(message: ToFrame, transfer: Transferable[] = []): void {
    this.#element.contentWindow?.postMessage(message, '*', transfer)
  }
}

const framed = (name: string, by: 'relay' | 'port', transfer = false): Runner => ({
  name,
  kind: 'floor',
  open: async () => {
    const frame = new BareFrame(transfer)
    await frame.ready
    return fromWorkers(
      () => frame.worker(by),
      transfer,
      () => frame.close(),
      frame.worker(by, true),
    )
  },
})

export const relay = framed('bare frame and worker, relay', 'relay')
export const port = framed('bare frame and worker, port', 'port')
export const relayTransferring = framed('bare relay, transferring', 'relay', true)
export const portTransferring = framed('bare port, transferring', 'port', true)
