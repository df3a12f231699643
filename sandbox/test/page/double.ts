// A frame whose worker is in an attacker's hands: it speaks the frame's side of
// the channel and sends whatever records the test's script says. It stands in
// for a program that has broken out of its realm entirely.
// It knows the name of the build, as any attacker may.
declare const build: string
const nonce = window.name
const script = decodeURIComponent(location.hash.slice(1))
const tell = (message: unknown) => parent.postMessage(message, '*')

const up = (worker: number) => tell({ type: 'relay', nonce, worker, records: [{ type: 'up', left: [] }] })

addEventListener('message', ({ data }) => {
  if (data?.nonce !== nonce) return
  if (data.type === 'spawn') up(data.worker)
  if (data.type === 'post') {
    const send = (record: unknown) => tell({ type: 'relay', nonce, worker: data.worker, records: [record] })
    for (const record of data.records) {
      const key = record?.type === 'start' ? 'start' : 'answer'
      new Function('when', 'record', 'send', 'tell', 'nonce', 'worker', script)(
        key,
        record,
        send,
        tell,
        nonce,
        data.worker,
      )
    }
  }
})
tell({ type: 'ready', nonce, build })
up(1)
