// The barest worker that runs a program: no checks, no limits, nothing removed.
// It talks over its own channel, or over a port that it is handed.

import { buffersIn, type FromWorker, type ToWorker } from './messages.js'

interface Channel {
  postMessage(message: FromWorker, transfer: Transferable[]): void
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null
}

const AsyncFunction = (async () => {}).constructor as new (
  name: string,
  code: string,
) => (host: (input: unknown) => Promise<unknown>) => Promise<unknown>

const serve = (channel: Channel): void => {
  const waiting = new Map<number, (value: unknown) => void>()
  let last = 0
  let transfer = false
  const tell = (message: FromWorker): void => channel.postMessage(message, transfer ? buffersIn(message) : [])
  const host = (input: unknown): Promise<unknown> =>
    new Promise((resolve) => {
      waiting.set(++last, resolve)
      tell({ type: 'call', id: last, input })
    })
  channel.onmessage = ({ data, ports }) => {
    if (data.type === 'settle') {
      const resolve = waiting.get(data.id)
      waiting.delete(data.id)
      resolve?.(data.value)
    } else if (data.type === 'port') {
      serve(ports[0] as unknown as Channel)
    } else {
      transfer = data.transfer
      new AsyncFunction('host', data.code)(host).then(
        (value) => tell({ type: 'result', value }),
        (error) => tell({ type: 'failed', message: String(error) }),
      )
    }
  }
}

serve(self as unknown as Channel)
;(self as unknown as Channel).postMessage({ type: 'up' }, [])
