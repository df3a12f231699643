// The page's side of one frame: makes it, waits for its proof, spawns and stops
// workers in it, and carries their records. Whatever is not exactly as expected
// ends the frame, and with it every run in it.

import { asFromFrame, asToPage } from '../shared/guards.js'
import { recordsMax, type ToFrame, type ToWorker } from '../shared/protocol.js'
import type { Timer } from './timer.js'

export type FrameSource = { url: string } | { srcdoc: true }

/** One worker, as the page holds it. */
export interface WorkerHandle {
  /** Posts a record, together with the others of this turn. */
  post(record: ToWorker, buffers?: ArrayBuffer[]): void
  /** Removes the worker; asks nothing of it. */
  stop(): void
  /** Takes the records that follow, and those that came before. */
  attach(receive: (record: unknown) => void, failed: (reason: string) => void): void
}

interface Slot {
  /** records that came from it */
  records: number
  up?: true
  taken?: true
  /** 0: its program is not on the way yet; 1: it has only just begun; 2: it has run for a while, or its run will go on. */
  age: number
  backlog: unknown[]
  failure?: string
  receive?: (record: unknown) => void
  failed?: (reason: string) => void
}

const newSlot = (): Slot => ({ records: 0, age: 0, backlog: [] })

/** `elsewhere`: this frame has ended, and another one may well start. */
type Waiting = { done: (handle: WorkerHandle) => void; failed: (reason: string, elsewhere: boolean) => void }

export interface Frame {
  /** Gives a worker that is up: a spare, or a new one. Returns how to stop waiting for it. */
  acquire(waiting: Waiting): () => void
  /**
   * Removes the frame and all its workers; every run in it gets the reason.
   * `elsewhere`: those that still wait for a worker may have it from a new frame.
   */
  end(why: string, elsewhere?: boolean): void
}

/** Names this build; the frame document has the same. Put in by the build. */
declare const build: string

const random = () => crypto.getRandomValues(new Uint32Array(4)).join('x')

/** How often a frame with work is looked for in the document, in ms. */
const presenceMs = 100
/** How long after its load event a frame may take to prove itself, in ms: a blocked script never does. */
const proofMs = 1_000
/** Records that a worker may have unread at the page: more is a flood, and ends the frame. */
const backlogMax = 20_000
/** Longest reason that is passed on, in characters. */
const reasonMax = 1_000
/** Records after which a stopped worker may be a flood. */
const floodRecords = 500
/** How long a program runs before a spare is started beside it, in ms: most have ended by then. */
const youngMs = 50
/** How long the frame may take to say that it stopped a worker, in ms: more is a flood that the stop waits behind. */
const stopMs = 2_000

/** `source` is an address, or the text of the frame's document; `spares` is how many workers to keep started. */
export const openFrame = (
  source: { url: string } | { document: string },
  spares: number,
  onDead: () => void,
): Frame => {
  const nonce = random()
  /** The frame starts the first worker by itself, while it proves itself. */
  const slots = new Map([[1, newSlot()]])
  /** Stopped workers that may still be flooding, with the time they have. */
  const flooding = new Map<number, Timer>()
  let waitings: Waiting[] = []
  let ready = false
  let loads = 0
  let count = 1
  let late = 0
  /** Stops that the frame has not answered. */
  let stopping = 0
  let presence: ReturnType<typeof setInterval> | undefined
  let proof: Timer
  let dead: string | undefined

  const element = document.createElement('iframe')
  element.setAttribute('sandbox', 'allow-scripts')
  element.setAttribute('aria-hidden', 'true')
  element.name = nonce
  element.hidden = true
  element.tabIndex = -1
  if ('url' in source) element.src = source.url
  else element.srcdoc = source.document

  const post = (message: ToFrame, buffers: ArrayBuffer[] = []) =>
    // The origin is opaque, so it cannot be named; the nonce and the one load are what binds.
    element.contentWindow?.postMessage(message, '*', buffers)

  const end = (why: string, elsewhere = false) => {
    if (dead) return
    const reason = why.slice(0, reasonMax)
    dead = reason
    removeEventListener('message', onMessage)
    removeEventListener('messageerror', onUnreadable)
    clearInterval(presence)
    clearTimeout(proof)
    for (const timer of flooding.values()) clearTimeout(timer)
    element.onload = null
    element.remove()
    onDead()
    const ended = [...slots.values()]
    slots.clear()
    for (const waiting of waitings.splice(0)) waiting.failed(reason, elsewhere)
    for (const slot of ended) fail(slot, reason)
  }

  const strange = () => end('The frame sent what no frame of this library sends.')

  const fail = (slot: Slot, reason: string) => {
    slot.failure = reason
    slot.failed?.(reason)
  }

  const serve = () => {
    // Behind a flood nothing is begun: should it not stop, the frame has to go.
    if (!ready || dead || flooding.size) return
    let coming = 0
    let begins = false
    for (const [worker, slot] of slots) {
      const waiting = slot.up && !slot.taken && waitings.shift()
      if (waiting) {
        slot.taken = true
        waiting.done(handle(worker, slot))
      }
      if (!slot.taken) coming++
      else if (slot.age < (stopping ? 1 : 2)) begins = true
    }
    // A worker that starts takes the thread and a core from a program, which may be over sooner. A spare
    // has time, unless somebody waits or runs follow one another.
    if (begins && !waitings.length) return
    for (let wanted = waitings.length + spares - coming; wanted > 0; wanted--) {
      const worker = ++count
      slots.set(worker, newSlot())
      post({ type: 'spawn', nonce, worker })
    }
  }

  /** Gives the frame some time to say that it stopped this worker. */
  const suspect = (worker: number) => {
    if (flooding.has(worker)) return
    const tooLate = () => end('A worker floods the frame and could not be stopped in time.', true)
    flooding.set(worker, setTimeout(tooLate, stopMs))
  }

  const handle = (worker: number, slot: Slot): WorkerHandle => {
    /** What was posted in this turn: it travels together. */
    let records: ToWorker[] = []
    let buffers: ArrayBuffer[] = []
    const flush = () => {
      const message: ToFrame = { type: 'post', nonce, worker, records, buffers }
      records = []
      buffers = []
      if (!message.records.length || slots.get(worker) !== slot || dead) return
      try {
        post(message, message.buffers)
      } catch (error) {
        fail(slot, `A record could not be sent to the worker: ${error}`)
      }
      if (slot.age) return
      slot.age = 1
      setTimeout(grow, youngMs)
      serve()
    }
    const grow = () => {
      slot.age = 2
      serve()
    }
    return {
      post(record, own = []) {
        buffers = buffers.concat(own)
        const count = records.push(record)
        if (count === 1) queueMicrotask(flush)
        else if (count === recordsMax) flush()
        // Its run goes on in further workers, perhaps at once.
        if ((record as { state?: unknown }).state === 'pending') queueMicrotask(grow)
      },
      stop() {
        if (!slots.delete(worker) || dead) return
        if (slot.records > floodRecords) suspect(worker)
        stopping++
        post({ type: 'stop', nonce, worker })
        watch()
      },
      attach(receive, failed) {
        slot.receive = receive
        slot.failed = failed
        if (slot.failure !== undefined) failed(slot.failure)
        else for (const record of slot.backlog.splice(0)) receive(record)
      },
    }
  }

  /** Whether the frame is gone from the document; that ends it. */
  const isGone = () => {
    if (!element.isConnected) end('The frame was removed from the page.', true)
    return dead
  }

  /** Looks whether the frame is still in the document, as long as somebody depends on it. */
  const watch = () => {
    if (waitings.length || [...slots.values()].some((slot) => slot.taken))
      presence ??= setInterval(() => isGone() || watch(), presenceMs)
    else {
      clearInterval(presence)
      presence = undefined
    }
  }

  const onUp = (slot: Slot, record: unknown) => {
    const up = asToPage(record)
    if (up?.type !== 'up') return strange()
    if (up.left.length) return end(`This browser keeps names that the sandbox must take away: ${up.left.join(', ')}.`)
    slot.up = true
    serve()
  }

  const onRecord = (worker: number, record: unknown) => {
    const slot = slots.get(worker)
    // A record of a worker that was stopped is late, not wrong.
    if (!slot) {
      if (++late % floodRecords === 0) suspect(worker)
      return
    }
    slot.records++
    if (slot.receive) slot.receive(record)
    else if (!slot.up) onUp(slot, record)
    else if (slot.backlog.push(record) > backlogMax) end('A worker flooded the page.')
  }

  const onMessage = ({ source, data }: MessageEvent) => {
    if (source !== element.contentWindow || !source || dead) return
    if (data?.nonce !== nonce) return strange()
    const message = asFromFrame(data)
    switch (message?.type) {
      case 'ready':
        if (ready) return strange()
        if (message.build !== build)
          return end('sandbox.html is of another build of the library than this page: serve the one that came with it.')
        ready = true
        clearTimeout(proof)
        post({ type: 'init', nonce })
        return serve()
      case 'refused':
        return end(message.reason)
      case 'fault': {
        const { worker, reason } = message
        const slot = slots.get(worker)
        if (!slot) return worker ? undefined : end(reason)
        fail(slot, reason.slice(0, reasonMax))
        if (slot.taken) return
        // A worker that cannot start will not start the next time either.
        slots.delete(worker)
        return slot.up ? serve() : end(reason)
      }
      case 'relay':
        for (const record of message.records) onRecord(message.worker, record)
        return
      case 'stopped':
        clearTimeout(flooding.get(message.worker))
        flooding.delete(message.worker)
        stopping--
        return serve()
      default:
        return strange()
    }
  }

  const onUnreadable = ({ source }: MessageEvent) => {
    if (source === element.contentWindow) strange()
  }

  element.onload = () => {
    if (++loads > 1) return end('The frame was loaded again.', true)
    proof = setTimeout(() => {
      if (!ready)
        end(
          "The frame's script did not run: its address does not serve sandbox.html, or the page's policy, which a srcdoc frame inherits, blocks it (use frame: { url }).",
        )
    }, proofMs)
  }
  addEventListener('message', onMessage)
  addEventListener('messageerror', onUnreadable)
  ;(document.body ?? document.documentElement).append(element)

  return {
    end,
    acquire(waiting) {
      const reason = isGone()
      if (reason) waiting.failed(reason, true)
      else {
        waitings.push(waiting)
        serve()
        watch()
      }
      return () => {
        waitings = waitings.filter((other) => other !== waiting)
      }
    },
  }
}
