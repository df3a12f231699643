// Outcomes of a recorded pass that are not taken in the task in which they came:
// their call is not made yet, or others are kept before them. They are taken in
// the order in which they came, each in a task of its own, as if the page had
// sent each when its call was made.

import { uncurry } from '../shared/intrinsics.js'
import type { ToWorker } from '../shared/protocol.js'
import { later } from './later.js'
import { pass } from './state.js'

export type Outcome = Extract<ToWorker, { type: 'settle' }>

interface Kept {
  outcome: Outcome
  next: Kept | undefined
}

/** Most turns asked for at once: WebKit takes 0.2 ms for one alone, and 3 µs for one of many. */
const turnsMax = 32
const setTimer = uncurry(setTimeout as (this: unknown, act: () => void, ms: number) => number)
const timer = (act: () => void) => setTimer(undefined, act, 0)

/** Outcomes wait by `keep`; `isOpen` tells whether a call waits for its outcome, `give` lets it have that. */
export const makeKept = (isOpen: (id: number) => boolean, give: (outcome: Outcome) => void) => {
  let first: Kept | undefined
  let last: Kept | undefined
  let turns = 0
  /** Something else comes first. */
  let held = false
  /** The timers that the program had set have fired. */
  let timed = false

  const ask = () => {
    if (!first || held || turns >= turnsMax) return
    turns++
    later(turn)
  }
  const turn = () => {
    turns--
    if (!first || held || pass.over || !isOpen(first.outcome.id)) return
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
      if (first === added && isOpen(outcome.id)) ask()
    },
    /** A call was made. */
    made(id: number) {
      if (first?.outcome.id === id && !turns) ask()
    },
    /** What was thrown into the program may be left unhandled: the engine's report of it comes before the next outcome. */
    thrown: () => behind(later, 2),
  }
}
