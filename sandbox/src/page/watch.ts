// The two clocks of a pass. The wall clock stands still while a person is
// asked; the busy watchdog also while a call is executing. They live in the
// page: a worker's own timers do not fire while it is busy.

import type { Limits } from '../shared/limits.js'
import { after, type Timer } from './timer.js'

class Countdown {
  #left: number
  #since = 0
  #timer: Timer
  #expire: () => void

  constructor(ms: number, expire: () => void) {
    this.#left = ms
    this.#expire = expire
  }

  go() {
    if (this.#timer !== undefined) return
    this.#since = performance.now()
    this.#timer = after(this.#left, this.#expire)
  }

  stop() {
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#left = Math.max(0, this.#left - (performance.now() - this.#since))
  }

  reset(ms: number) {
    this.stop()
    this.#left = ms
  }
}

export class Watch {
  #wall: Countdown
  #busy: Countdown
  #limits: Limits
  #executing = 0
  #asking = 0
  #on = false
  #askedAt = 0
  /** ms that people took */
  waiting = 0

  constructor(limits: Limits, expired: (limit: 'wallClockMs' | 'busyMs') => void) {
    this.#limits = limits
    this.#wall = new Countdown(limits.wallClockMs, () => expired('wallClockMs'))
    this.#busy = new Countdown(limits.busyMs, () => expired('busyMs'))
  }

  #update() {
    if (this.#on && !this.#asking) this.#wall.go()
    else this.#wall.stop()
    if (this.#on && !this.#asking && !this.#executing) this.#busy.go()
    else this.#busy.reset(this.#limits.busyMs)
  }

  start() {
    this.#on = true
    this.#update()
  }

  stop() {
    if (this.#asking) this.waiting += performance.now() - this.#askedAt
    this.#asking = 0
    this.#on = false
    this.#update()
  }

  executing(change: 1 | -1) {
    this.#executing += change
    this.#update()
  }

  asking(change: 1 | -1) {
    if (!this.#on) return
    if (!this.#asking) this.#askedAt = performance.now()
    this.#asking += change
    if (!this.#asking) this.waiting += performance.now() - this.#askedAt
    this.#update()
  }
}
