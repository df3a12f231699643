// The document between page and worker. It proves itself to the page, starts
// workers from one source, and relays their records unread. It never evaluates
// anything, and accepts one init, from its parent, with the page's nonce.

import { asToFrame } from '../shared/guards.js'
import { type FromFrame, recordsMax } from '../shared/protocol.js'

/** The worker's source, put in by the build. */
declare const workerSource: string
/** Names this build; the page has the same. Put in by the build. */
declare const build: string

// In some shells a native bridge is reachable from every frame; no model text
// runs here, and nothing else shall find it either.
const native = (window as unknown as { webkit?: object }).webkit
if (native) Object.defineProperty(native, 'messageHandlers', { value: undefined })
for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'WebTransport'])
  delete (window as unknown as Record<string, unknown>)[name]

// The page chose the nonce and gave it as the frame's name.
const nonce = window.name
const page = window.parent
interface Held {
  worker: Worker
  /** The page has sent it something since it last sent something. */
  answered: boolean
  /** Records that the page has not got yet. */
  sent: unknown[]
}
const workers = new Map<number, Held>()
let ready = false
/** The first worker starts beside the proof: without it the page sends no program. */
let lastWorker = 1

const tell = (message: FromFrame, buffers: ArrayBuffer[] = []) => page.postMessage(message, '*', buffers)

/** Says what went wrong, with a worker or with the frame itself. */
const broken = (reason: string, worker = 0) => tell({ type: 'fault', nonce, worker, reason })

const malformed = () => broken('The page sent a malformed message.')

/** Most buffers in one message of a worker. */
const buffersMax = 1e6

const unread = 'The worker sent something that could not be relayed.'

/** Hands the page what a worker has sent. */
const flush = (id: number, buffers?: ArrayBuffer[]) => {
  const held = workers.get(id)
  const records = held?.sent.splice(0)
  if (!held || !records?.length) return
  held.answered = false
  try {
    tell({ type: 'relay', nonce, worker: id, records }, buffers)
  } catch {
    broken(unread, id)
  }
}

const spawn = (id: number) => {
  const fault = (reason: string) => {
    flush(id)
    broken(reason, id)
  }
  try {
    const worker = new Worker(source)
    const held: Held = { worker, answered: true, sent: [] }
    workers.set(id, held)
    worker.onmessage = ({ data }) => {
      if (workers.get(id) !== held) return
      const { records, buffers } = data ?? {}
      // To go through longer lists would take the page's thread, and no harness sends such.
      if (!(Array.isArray(records) && records.length <= recordsMax && buffers?.length <= buffersMax))
        return fault(unread)
      const count = held.sent.push(...records)
      // What the worker waits with goes at once. A worker that sends more before it hears of the page sends a burst.
      if (held.answered || buffers.length) flush(id, buffers)
      else if (count === records.length) self.postMessage(id, '*')
    }
    worker.onmessageerror = () => fault(unread)
    worker.onerror = (event) => {
      event.preventDefault()
      fault(`The worker failed: ${event.message || 'its script was refused (is blob: allowed by worker-src?)'}`)
    }
  } catch (error) {
    fault(`The browser refused to start a worker here: ${error}`)
  }
}
const source = URL.createObjectURL(new Blob([workerSource], { type: 'text/javascript' }))
spawn(lastWorker)

addEventListener('message', ({ data, source: from }) => {
  if (from === self) return flush(data)
  // What others send is not the page's; what the page sends is one init, and then whole messages only.
  if (from !== page || data?.nonce !== nonce) return
  const message = asToFrame(data)
  if (!message || (message.type === 'init') === ready) return malformed()
  if (message.type === 'init') ready = true
  else if (message.type === 'spawn') {
    if (message.worker <= lastWorker) return broken('The page used the number of a worker again.')
    lastWorker = message.worker
    spawn(lastWorker)
  } else if (message.type === 'post') {
    const held = workers.get(message.worker)
    if (!held) return
    held.answered = true
    try {
      held.worker.postMessage(message.records, message.buffers)
    } catch {
      malformed()
    }
  } else {
    workers.get(message.worker)?.worker.terminate()
    workers.delete(message.worker)
    tell({ type: 'stopped', nonce, worker: message.worker })
  }
})
addEventListener('messageerror', malformed)

const refuse = (reason: string) => {
  workers.get(1)?.worker.terminate()
  workers.clear()
  tell({ type: 'refused', nonce, reason })
}

// Is the policy in force, and the origin opaque? A fetch that must be refused tells.
if (self.origin !== 'null') refuse('The frame has an origin: it must be sandboxed with exactly allow-scripts.')
else {
  fetch('data:,').then(
    () => refuse("The frame's policy is not in force: serve sandbox.html unchanged, with its Content-Security-Policy."),
    () => tell({ type: 'ready', nonce, build }),
  )
}
