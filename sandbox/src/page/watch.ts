// The two clocks of a pass. The wall clock stands still while a person is
// asked; the busy watchdog also while a call is executing. They live in the
// page: a worker's own timers do not fire while it is busy.

import type { Limits } from '../shared/limits.js'
import { after, type Timer } from './timer.js'

/** A time that can stand still, and begin anew. */
const countdown = (ms: number, expire: () => void) => {
  /** What is left of it, when it was looked at last. */
  let left = ms
  /** When it is over, while it goes; 0 where it stands still. */
  let due = 0
  let timer: Timer
  // A timer that is set goes on over stops, and looks when it fires: a new one for each call would cost more than the call's checks.
  const arm = (ms: number) => {
    // Two steps: Firefox lets a timer be late by an eighth of its time (10 ms at most), and one that was set
    // before the worker's loop may sleep on the core that the loop then has. Not a third: engines cut
    // fractions off and fire too soon, and where timers are nested the rest would cost 4 ms.
    timer = after(ms > 24 ? ms - 12 : ms + 1, () => {
      timer = undefined
      if (!due) return
      left = due - performance.now()
      if (left > 0) arm(left)
      else expire()
    })
  }
  return {
    go() {
      if (due) return
      due = performance.now() + left
      if (!timer) arm(left)
    },
    stop() {
      if (!due) return
      left = due - performance.now()
      due = 0
    },
    reset() {
      due = 0
      left = ms
    },
    end() {
      clearTimeout(timer)
    },
  }
}

export interface Watch {
  start(): void
  stop(): void
  /** A call begins to execute, or ends. */
  executing(change: 1 | -1): void
  /** A person is asked, or has answered. */
  asking(change: 1 | -1): void
  /** ms that people took */
  readonly waiting: number
}

export const makeWatch = (limits: Limits, expired: (limit: 'wallClockMs' | 'busyMs') => void): Watch => {
  const wall = countdown(limits.wallClockMs, () => expired('wallClockMs'))
  const busy = countdown(limits.busyMs, () => expired('busyMs'))
  let on = false
  let executing = 0
  let asking = 0
  let askedAt = 0
  let waiting = 0

  const update = () => {
    const runs = on && !asking
    if (runs) wall.go()
    else wall.stop()
    if (runs && !executing) busy.go()
    else busy.reset()
  }
  return {
    start() {
      on = true
      update()
    },
    stop() {
      if (asking) waiting += performance.now() - askedAt
      asking = 0
      on = false
      wall.end()
      busy.end()
    },
    executing(change) {
      executing += change
      update()
    },
    asking(change) {
      if (!on) return
      if (!asking) askedAt = performance.now()
      asking += change
      if (!asking) waiting += performance.now() - askedAt
      update()
    },
    get waiting() {
      return waiting
    },
  }
}
