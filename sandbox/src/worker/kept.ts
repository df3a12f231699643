// What has its turn in a recorded pass and is not taken in the task in which it
// came: its call, or another that was made before it, is not made yet, its timer
// is not set, or others are kept before it. All are taken in the order in which
// they came, each in a task of its own, as if the page had sent each when it was due.

import { uncurry } from '../shared/intrinsics.js'
import type { ToWorker } from '../shared/protocol.js'
import { send } from './channel.js'
import { later } from './later.js'
import { isComing } from './order.js'
import { pass } from './state.js'

export type Outcome = Extract<ToWorker, { type: 'settle' }>
export type Due = Outcome | Extract<ToWorker, { type: 'fire' }>

interface Kept {
  due: Due
  next: Kept | undefined
}

/** Most turns asked for at once: WebKit takes 0.2 ms for one alone, and 3 µs for one of many. */
const turnsMax = 32
const setTimer = uncurry(setTimeout as (this: unknown, act: () => void, ms: number) => number)

/** How long a program must do nothing, with no timer set, before it is said that it waits in vain, in ms. */
const stallMs = 250

/**
 * What has its turn later waits by `keep`; `isDue` tells whether that has come: every call was made that comes before
 * an outcome, its own included, or a timer was set. `give` lets the program have it; `endsEarly`: the program has
 * ended, and more is to come.
 */
export const makeKept = (isDue: (due: Due) => boolean, give: (due: Due) => void, endsEarly: () => boolean) => {
  let first: Kept | undefined
  let last: Kept | undefined
  let turns = 0
  /** Something else comes first. */
  let held = false
  let looking = false
  /** At the last look nothing could make a call. */
  let still = false

  const ask = () => {
    if (!first || held || turns >= turnsMax) return
    turns++
    later(turn)
  }
  const turn = () => {
    turns--
    if (!first || held || pass.over) return
    if (!isDue(first.due)) return look()
    const { due, next } = first
    first = next
    give(due)
    ask()
    ask()
  }
  const waits = () => !pass.over && (first ? !isDue(first.due) : endsEarly())
  /**
   * A program that differs may wait for an outcome that comes behind calls which it does not make, or for the turn
   * of a timer that it does not set: that is said when nothing is left that could make them.
   */
  const look = () => {
    if (looking || !waits()) return
    looking = true
    const at = pass.seen
    setTimer(
      undefined,
      () => {
        looking = false
        const idle = waits() && !isComing() && at === pass.seen
        if (idle && still) send({ type: 'stall' })
        still = idle
        look()
      },
      stallMs,
    )
  }
  const check = () => {
    if (first && isDue(first.due)) ask()
    else look()
  }
  return {
    /** Whether what comes now has to wait. */
    waits: (): boolean => held || first !== undefined,
    keep(due: Due) {
      const added: Kept = { due, next: undefined }
      if (first) (last as Kept).next = added
      else first = added
      last = added
      if (first === added) check()
    },
    check,
    /** A call was made. */
    made() {
      if (first && !turns && isDue(first.due)) ask()
    },
    /** What was thrown into the program may be left unhandled: the engine's report of it comes before the next outcome. */
    thrown() {
      held = true
      later(() =>
        later(() => {
          held = false
          ask()
        }),
      )
    },
  }
}
