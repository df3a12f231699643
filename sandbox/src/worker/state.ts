// Where the pass stands. Once it is over nothing the program does has effect.

import type { LimitName, Limits } from '../shared/limits.js'
import { send } from './channel.js'

export const pass = {
  over: false,
  /** Settlements taken so far: what the program can know. */
  seen: 0,
  /** Whether the program has set a timer since an outcome was taken. */
  timers: false,
  limits: undefined as unknown as Limits,
}

/** Ends the pass because the program observed a pending value; throws, for the trap that noticed. */
export const cut = (): never => {
  if (!pass.over) {
    pass.over = true
    send({ type: 'cut', seen: pass.seen })
  }
  throw new CutError('The program looked at the result of a call that waits for approval; this pass ends here.')
}
const CutError = Error

/** Ends the pass because a limit was exceeded, by this figure. */
export const exceed = (limit: LimitName, figure: number): void => {
  if (pass.over) return
  pass.over = true
  send({ type: 'limit', limit, figure })
}
