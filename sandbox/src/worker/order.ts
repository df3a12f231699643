// What the engine calls in its own time: timers, time-outs of signals, digests.
// Outcomes come sooner in a pass that repeats them, and later where an approved
// call runs: so the page is told what fired between which outcomes, and where
// that is repeated each fires when the page says that it is its turn. Timers need
// not wait for their time then: nothing tells the program that it is not there.

import { mapDelete, mapEach, mapGet, mapSet, NativeMap } from '../shared/intrinsics.js'
import { firedMax, ownTime } from '../shared/limits.js'
import { send } from './channel.js'
import { pass } from './state.js'

export interface Firing {
  id: number
  /** Absent while a digest is not there. */
  act: (() => void) | undefined
  /** It fires more than once. */
  again: boolean
  /** The engine has called it, and it was not its turn. */
  called: boolean
  /** What the engine knows it by. */
  native: unknown
}

const all = new NativeMap<unknown, Firing>()
let count = ownTime
let sent = 0
let changed: () => void

/** `listener` is told when something may have its turn. */
export const onExpected = (listener: () => void): void => {
  changed = listener
}

/** Numbers what will fire, and act then. */
export const expect = (act?: () => void, again = false): Firing => {
  const firing: Firing = { id: ++count, act, again, called: false, native: undefined }
  mapSet(all, count, firing)
  if (pass.repeats) changed()
  return firing
}

/** It fires no more. */
export const forget = (id: unknown): Firing | undefined => {
  const firing = mapGet(all, id) as Firing | undefined
  mapDelete(all, id)
  return firing
}

const fire = (id: number): void => {
  const firing = forget(id)
  if (!firing) return
  firing.called = false
  if (firing.again) mapSet(all, id, firing)
  if (sent++ < firedMax) send({ type: 'fired', id, seen: pass.seen })
  firing.act?.()
}

/** The engine calls it, and gives what is to be done where that was not known. */
export const called = (firing: Firing, act?: () => void): void => {
  firing.act ??= act
  firing.called = true
  if (pass.repeats) changed()
  else fire(firing.id)
}

/** Whether something is on its way. */
export const isComing = (): boolean => {
  let coming = false
  mapEach(all, ({ act }) => {
    coming ||= !act
  })
  return coming
}
/** Whether what has this number can have its turn. */
export const canFire = (id: number): boolean => id <= ownTime || !pass.repeats || !!mapGet(all, id)?.act

/** Lets what has this number have its turn; `keep` is given what the engine had called where all do in their own time. */
export const fires = (id: number, keep: (id: number) => void): void => {
  if (id > ownTime) fire(id)
  else if (id) {
    pass.repeats = false
    mapEach(all, ({ id, called }) => {
      if (called) keep(id)
    })
  } else pass.last = true
}
