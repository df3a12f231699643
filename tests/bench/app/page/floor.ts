// The floor of everything that goes from a program to Go: a bare frame and worker
// by relay, and Wails' own bound call, with nothing around either.

import type { FromWorker, ToWorker } from '../../library/floors/messages'

/** The worker's source, put in by the build. */
declare const workerSource: string

/** The barest bound call of Wails. */
export const boundCall = (text: string): Promise<string> => {
  const { shell } = window.go as unknown as { shell: { Driver: { Echo(text: string): Promise<string> } } }
  return shell.Driver.Echo(text)
}

// The test build's open frame runs what it is sent: here, the starting of a worker
// and the relaying of its messages.
const relayCode = (): string => `
  const buffers = (message) => message.value instanceof Uint8Array ? [message.value.buffer] : []
  const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(workerSource)}])))
  worker.onmessage = ({ data }) => parent.postMessage({ record: data }, '*')
  addEventListener('message', ({ data }) => { if (data.record) worker.postMessage(data.record, buffers(data.record)) })
`

export interface BareRelay {
  /** Runs a program in the kept worker. */
  run(code: string, host: (input: unknown) => unknown): Promise<unknown>
}

export const openRelay = async (): Promise<BareRelay> => {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.src = '/desktoptest/frame.html'
  frame.hidden = true
  let heard = (_: FromWorker): void => {}
  const up = new Promise<void>((resolve) => {
    addEventListener('message', ({ data, source }) => {
      if (source !== frame.contentWindow) return
      if (data === 'ready') frame.contentWindow?.postMessage(relayCode(), '*')
      else if (data.record?.type === 'up') resolve()
      else if (data.record) heard(data.record)
    })
  })
  document.body.append(frame)
  await up
  const post = (record: ToWorker): void => {
    const value = record.type === 'settle' ? record.value : undefined
    frame.contentWindow?.postMessage({ record }, '*', value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : [])
  }
  return {
    run: (code, host) =>
      new Promise((resolve, reject) => {
        heard = (record) => {
          if (record.type === 'call')
            Promise.resolve(host(record.input)).then((value) => post({ type: 'settle', id: record.id, value }), reject)
          else if (record.type === 'result') resolve(record.value)
          else if (record.type === 'failed') reject(new Error(record.message))
        }
        post({ type: 'run', code, transfer: false })
      }),
  }
}
