// Where the pass stands. Once it is over nothing the program does has effect.

import type { LimitName, Limits } from '../shared/limits.js'
import { send } from './channel.js'

export const pass = {
  over: false,
  /** Settlements taken so far: what the program can know. */
  seen: 0,
  /** Whether timers wait for their turn. */
  repeats: false,
  /** Whether the recorded pass had come to its end here. */
  last: false,
  /** Whether the body has settled. */
  body: false,
  limits: undefined as unknown as Limits,
}

/** Ends the pass because the program observed a pending value; throws, for the trap that noticed, what nobody gets to see. */
export const cut = (): never => {
  if (!pass.over) {
    pass.over = true
    send({ type: 'cut', seen: pass.seen })
  }
  throw new CutError()
}
const CutError = Error

/** Ends the pass because a limit was exceeded, by this figure. */
export const exceed = (limit: LimitName, figure: number): void => {
  if (pass.over) return
  pass.over = true
  send({ type: 'limit', limit, figure })
}
