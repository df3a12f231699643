// Outcomes of a recorded pass that are not taken in the task in which they came:
// their call, or another that was made before them, is not made yet, or others are
// kept before them. They are taken in the order in which they came, each in a task
// of its own, as if the page had sent each when it was due.

import { uncurry } from '../shared/intrinsics.js'
import type { ToWorker } from '../shared/protocol.js'
import { send } from './channel.js'
import { later } from './later.js'
import { pass } from './state.js'
import { timersSet } from './timers.js'

export type Outcome = Extract<ToWorker, { type: 'settle' }>

interface Kept {
  outcome: Outcome
  next: Kept | undefined
}

/** Most turns asked for at once: WebKit takes 0.2 ms for one alone, and 3 µs for one of many. */
const turnsMax = 32
const setTimer = uncurry(setTimeout as (this: unknown, act: () => void, ms: number) => number)
const timer = (act: () => void) => setTimer(undefined, act, 0)

/** How long a program must do nothing, with no timer set, before it is said that it waits in vain, in ms. */
const stallMs = 250

/**
 * Outcomes wait by `keep`; `isDue` tells whether every call was made that comes before one, its own included,
 * and `give` lets it have it.
 */
export const makeKept = (isDue: (outcome: Outcome) => boolean, give: (outcome: Outcome) => void) => {
  let first: Kept | undefined
  let last: Kept | undefined
  let turns = 0
  /** Something else comes first. */
  let held = false
  /** The timers that the program had set have fired. */
  let timed = false
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
    if (!isDue(first.outcome)) return look()
    if (pass.timers && !timed) {
      timed = true
      return behind(timer, 1)
    }
    const { outcome, next } = first
    first = next
    timed = false
    give(outcome)
    ask()
    ask()
  }
  /**
   * A program that differs may wait for an outcome that comes behind calls which it does not make: that is said
   * when nothing is left that could make them.
   */
  const look = () => {
    if (looking) return
    looking = true
    const at = pass.seen
    setTimer(
      undefined,
      () => {
        looking = false
        if (!first || pass.over || isDue(first.outcome)) {
          still = false
          return
        }
        const idle = !timersSet() && at === pass.seen
        if (idle && still) send({ type: 'stall' })
        still = idle
        look()
      },
      stallMs,
    )
  }
  /** Goes on when so many tasks of this kind, one asked for in the other, have passed. */
  const behind = (task: (act: () => void) => void, rounds: number) => {
    held = true
    const step = () => {
      if (rounds--) return task(step)
      held = false
      ask()
    }
    step()
  }
  return {
    /** Whether what comes now has to wait. */
    waits: (): boolean => held || first !== undefined,
    keep(outcome: Outcome) {
      const added: Kept = { outcome, next: undefined }
      if (first) (last as Kept).next = added
      else first = added
      last = added
      if (first !== added) return
      if (isDue(outcome)) ask()
      else look()
    },
    /** A call was made. */
    made() {
      if (first && !turns && isDue(first.outcome)) ask()
    },
    /** What was thrown into the program may be left unhandled: the engine's report of it comes before the next outcome. */
    thrown: () => behind(later, 2),
  }
}
