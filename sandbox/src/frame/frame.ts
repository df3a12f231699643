// The document between page and worker. It proves itself to the page, starts
// workers from one source, and relays their records unread. It never evaluates
// anything, and accepts one init, from its parent, with the page's nonce.

import { asToFrame } from '../shared/guards.js'
import type { FromFrame } from '../shared/protocol.js'

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
  /** What it sent and the page has not got yet. */
  sent: Sent[]
}
const workers = new Map<number, Held>()
let ready = false
/** The first worker starts beside the proof: without it the page sends no program. */
let lastWorker = 1

const tell = (message: FromFrame, buffers: ArrayBuffer[] = []) => page.postMessage(message, '*', buffers)

/** Says what went wrong, with a worker or with the frame itself. */
const broken = (reason: string, worker = 0) => tell({ type: 'fault', nonce, worker, reason })

/** What a worker sends: its record, and the buffers in it that are transferred. */
interface Sent {
  record: unknown
  buffers: ArrayBuffer[]
}

/** Hands what a worker sent to the page together, or where that fails, each alone: what came before a bad one is not lost. */
const relay = (worker: number, sent: Sent[]) => {
  try {
    const records = sent.map(({ record }) => record)
    tell(
      { type: 'relay', nonce, worker, records },
      sent.flatMap(({ buffers }) => buffers),
    )
  } catch {
    if (sent.length > 1) for (const each of sent) relay(worker, [each])
    else broken('The worker sent something that could not be relayed.', worker)
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
      held.sent.push(data)
      // What the worker waits with goes at once. A worker that sends more before it hears of the page sends a burst.
      if (held.answered) flush(id)
      else if (held.sent.length === 1) self.postMessage(id, '*')
    }
    worker.onmessageerror = () => fault('A message from the worker could not be read.')
    worker.onerror = (event) => {
      event.preventDefault()
      fault(`The worker failed: ${event.message || 'its script was refused (is blob: allowed by worker-src?)'}`)
    }
  } catch (error) {
    fault(`The browser refused to start a worker here: ${error}`)
  }
}
const flush = (id: number) => {
  const held = workers.get(id)
  if (!held?.sent.length) return
  held.answered = false
  relay(id, held.sent.splice(0))
}
const source = URL.createObjectURL(new Blob([workerSource], { type: 'text/javascript' }))
spawn(lastWorker)

addEventListener('message', ({ data, source: from }) => {
  if (from === self) return flush(data)
  // What others send is not the page's; what the page sends is one init, and then whole messages only.
  if (from !== page || data?.nonce !== nonce) return
  const message = asToFrame(data)
  if (!message || (message.type === 'init') === ready) return broken('The page sent a malformed message.')
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
      // Each is a message of its own: between two outcomes the program goes as far as it can.
      for (const { record, buffers } of message.records) held.worker.postMessage(record, buffers)
    } catch {
      broken('A message to the worker could not be relayed.', message.worker)
    }
  } else {
    workers.get(message.worker)?.worker.terminate()
    workers.delete(message.worker)
    tell({ type: 'stopped', nonce, worker: message.worker })
  }
})
addEventListener('messageerror', () => broken('A message from the page could not be read.'))

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
