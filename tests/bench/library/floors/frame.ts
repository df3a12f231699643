// The barest frame: starts a worker as soon as it is there, relays what comes.

import { buffersIn, type FromFrame, type FromWorker, type ToFrame } from './messages.js'

/** The worker's source, put in by the build. */
declare const workerSource: string

const source = URL.createObjectURL(new Blob([workerSource], { type: 'text/javascript' }))
const workers = new Map<number, Worker>()
let transfer = false

const tell = (message: FromFrame, buffers: Transferable[] = []): void => parent.postMessage(message, '*', buffers)

const spawn = (id: number): void => {
  const worker = new Worker(source)
  workers.set(id, worker)
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) =>
    tell({ type: 'relay', worker: id, record: data }, transfer ? buffersIn(data) : [])
}

addEventListener('message', ({ data, ports }: MessageEvent<ToFrame>) => {
  if (data.type === 'spawn') spawn(data.worker)
  else if (data.type === 'post') {
    transfer = data.transfer
    workers.get(data.worker)?.postMessage(data.record, [...ports, ...(transfer ? buffersIn(data.record) : [])])
  } else {
    workers.get(data.worker)?.terminate()
    workers.delete(data.worker)
    tell({ type: 'stopped', worker: data.worker })
  }
})

spawn(0)
tell({ type: 'ready' })
