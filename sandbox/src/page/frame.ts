// The page's side of one frame: makes it, waits for its proof, spawns and stops
// workers in it, and carries their records. Whatever is not exactly as expected
// ends the frame, and with it every run in it.

import { asFromFrame, asToPage } from '../shared/guards.js'
import type { ToFrame, ToWorker } from '../shared/protocol.js'

export type FrameSource = { url: string } | { srcdoc: true }

/** One worker, as the page holds it. */
export interface WorkerHandle {
  post(record: ToWorker, buffers?: ArrayBuffer[]): void
  /** Removes the worker; asks nothing of it. */
  stop(): void
  /** Takes the records that follow, and those that came before. */
  attach(receive: (record: unknown) => void, failed: (reason: string) => void): void
}

interface Slot {
  /** records that came from it */
  records: number
  up: boolean
  taken: boolean
  backlog: unknown[]
  failure?: string
  receive?: (record: unknown) => void
  failed?: (reason: string) => void
}

/** `elsewhere`: this frame has ended, and another one may well start. */
type Waiting = { done: (handle: WorkerHandle) => void; failed: (reason: string, elsewhere: boolean) => void }

/** Names this build; the frame document has the same. Put in by the build. */
declare const build: string

const random = () => {
  const words = crypto.getRandomValues(new Uint32Array(4))
  return Array.from(words, (word) => word.toString(36)).join('')
}

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
/** How long the frame may take to say that it stopped a worker, in ms: more is a flood that the stop waits behind. */
const stopMs = 2_000

export class Frame {
  #element: HTMLIFrameElement
  #nonce = random()
  #ready = false
  #loads = 0
  #slots = new Map<number, Slot>()
  #count = 0
  /** Stopped workers that may still be flooding, with the time they have. */
  #flooding = new Map<number, ReturnType<typeof setTimeout>>()
  #late = 0
  #waiting: Waiting[] = []
  #spares: number
  #onDead: () => void
  #presence: ReturnType<typeof setInterval> | undefined
  #proof: ReturnType<typeof setTimeout> | undefined
  dead: string | undefined

  /** `document` is the text of the frame in srcdoc mode; `spares` is how many workers to keep started. */
  constructor(source: { url: string } | { document: string }, spares: number, onDead: () => void) {
    this.#spares = spares
    this.#onDead = onDead
    const element = document.createElement('iframe')
    this.#element = element
    element.setAttribute('sandbox', 'allow-scripts')
    element.name = this.#nonce
    element.hidden = true
    element.tabIndex = -1
    element.setAttribute('aria-hidden', 'true')
    if ('url' in source) element.src = source.url
    else element.srcdoc = source.document
    element.onload = () => {
      if (++this.#loads > 1) return this.end('The frame was loaded again.', true)
      this.#proof = setTimeout(() => {
        if (!this.#ready) {
          this.end(
            "The frame's script did not run: either its address does not serve sandbox.html, or the page's policy, which a srcdoc frame inherits, blocks it (use frame: { url }).",
          )
        }
      }, proofMs)
    }
    addEventListener('message', this.#onMessage)
    addEventListener('messageerror', this.#onUnreadable)
    ;(document.body ?? document.documentElement).append(element)
  }

  get idle(): boolean {
    for (const slot of this.#slots.values()) if (slot.taken) return false
    return !this.#waiting.length
  }

  /** Gives a worker that is up: a spare, or a new one. */
  acquire(waiting: Waiting): () => void {
    if (!this.#element.isConnected) this.end('The frame was removed from the page.', true)
    if (this.dead) waiting.failed(this.dead, true)
    else {
      this.#waiting.push(waiting)
      this.#serve()
      this.#watch()
    }
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== waiting)
    }
  }

  #post(message: ToFrame, buffers: ArrayBuffer[] = []) {
    // The origin is opaque, so it cannot be named; the nonce and the one load are what binds.
    this.#element.contentWindow?.postMessage(message, '*', buffers)
  }

  #serve() {
    // Behind a flood nothing is begun: should it not stop, the frame has to go.
    if (!this.#ready || this.dead || this.#flooding.size) return
    let coming = 0
    for (const [id, slot] of this.#slots) {
      if (slot.taken) continue
      const waiting = slot.up && this.#waiting.shift()
      if (!waiting) {
        coming++
        continue
      }
      slot.taken = true
      waiting.done(this.#handle(id, slot))
    }
    for (let wanted = this.#waiting.length + this.#spares - coming; wanted > 0; wanted--) {
      const worker = ++this.#count
      this.#slots.set(worker, { records: 0, up: false, taken: false, backlog: [] })
      this.#post({ type: 'spawn', nonce: this.#nonce, worker })
    }
  }

  /** Gives the frame some time to say that it stopped this worker. */
  #suspect(worker: number) {
    if (this.#flooding.has(worker)) return
    this.#flooding.set(
      worker,
      setTimeout(() => this.end('A worker floods the frame and could not be stopped in time.', true), stopMs),
    )
  }

  #handle(worker: number, slot: Slot): WorkerHandle {
    return {
      post: (record, buffers = []) =>
        this.#post({ type: 'post', nonce: this.#nonce, worker, record, buffers }, buffers),
      stop: () => {
        if (!this.#slots.delete(worker) || this.dead) return
        if (slot.records > floodRecords) this.#suspect(worker)
        this.#post({ type: 'stop', nonce: this.#nonce, worker })
        this.#watch()
      },
      attach: (receive, failed) => {
        slot.receive = receive
        slot.failed = failed
        if (slot.failure !== undefined) return failed(slot.failure)
        for (const record of slot.backlog.splice(0)) receive(record)
      },
    }
  }

  #onMessage = (event: MessageEvent) => {
    if (event.source !== this.#element.contentWindow || !event.source || this.dead) return
    if (event.data?.nonce !== this.#nonce) return this.end('A message from the frame did not carry its nonce.')
    const message = asFromFrame(event.data)
    if (!message) return this.end('The frame sent a malformed message.')
    switch (message.type) {
      case 'ready':
        if (this.#ready) return this.end('The frame said twice that it is ready.')
        if (message.build !== build)
          return this.end(
            'sandbox.html is of another build of the library than this page: serve the one that came with it.',
          )
        this.#ready = true
        clearTimeout(this.#proof)
        this.#post({ type: 'init', nonce: this.#nonce })
        return this.#serve()
      case 'refused':
        return this.end(message.reason)
      case 'fault': {
        const slot = this.#slots.get(message.worker)
        if (!slot) return message.worker ? undefined : this.end(message.reason)
        slot.failure = message.reason.slice(0, reasonMax)
        if (slot.taken) return slot.failed?.(slot.failure)
        // A worker that cannot start will not start the next time either.
        this.#slots.delete(message.worker)
        return slot.up ? this.#serve() : this.end(slot.failure)
      }
      case 'relay': {
        const slot = this.#slots.get(message.worker)
        // A record of a worker that was stopped is late, not wrong.
        if (!slot) {
          if (++this.#late % floodRecords === 0) this.#suspect(message.worker)
          return
        }
        slot.records++
        if (slot.receive) return slot.receive(message.record)
        if (!slot.up) return this.#up(slot, message.record)
        if (slot.backlog.push(message.record) > backlogMax) this.end('A worker flooded the page.')
        return
      }
      case 'stopped':
        clearTimeout(this.#flooding.get(message.worker))
        this.#flooding.delete(message.worker)
        return this.#serve()
    }
  }

  #onUnreadable = ({ source }: MessageEvent) => {
    if (source === this.#element.contentWindow) this.end('A message from the frame could not be read.')
  }

  #up(slot: Slot, record: unknown) {
    const up = asToPage(record)
    if (up?.type !== 'up') return this.end('The worker did not say that it is up.')
    if (up.left.length)
      return this.end(`This browser keeps names that the sandbox must take away: ${up.left.join(', ')}.`)
    slot.up = true
    this.#serve()
  }

  /** Looks whether the frame is still in the document, as long as somebody depends on it. */
  #watch() {
    if (this.idle) {
      clearInterval(this.#presence)
      this.#presence = undefined
    } else
      this.#presence ??= setInterval(() => {
        if (!this.#element.isConnected) this.end('The frame was removed from the page.', true)
        else this.#watch()
      }, presenceMs)
  }

  /**
   * Removes the frame and all its workers; every run in it gets the reason.
   * `elsewhere`: those that still wait for a worker may have it from a new frame.
   */
  end(why: string, elsewhere = false): void {
    if (this.dead) return
    const reason = why.slice(0, reasonMax)
    this.dead = reason
    removeEventListener('message', this.#onMessage)
    removeEventListener('messageerror', this.#onUnreadable)
    clearInterval(this.#presence)
    clearTimeout(this.#proof)
    for (const timer of this.#flooding.values()) clearTimeout(timer)
    this.#element.onload = null
    this.#element.remove()
    this.#onDead()
    const slots = [...this.#slots.values()]
    this.#slots.clear()
    for (const waiting of this.#waiting.splice(0)) waiting.failed(reason, elsewhere)
    for (const slot of slots) {
      slot.failure = reason
      slot.failed?.(reason)
    }
  }
}
