// A caller's mistake is a TypeError that says what was expected and what came.

export { isObject } from '../shared/guards.js'

import { brief } from '../shared/text.js'

export const mistake = (why: string): never => {
  throw new TypeError(why)
}

/** Throws a TypeError unless `ok`: `name` says what is looked at, `what` which values it may have. */
export const demand: (ok: boolean, name: string, what: string, value: unknown) => asserts ok = (
  ok,
  name,
  what,
  value,
) => {
  if (!ok) mistake(`${name} must be ${what}, and was ${brief(value)}.`)
}

export const isPositive = (value: unknown): value is number => typeof value === 'number' && value > 0
/** Whether an option is left out, or of this type. */
export const mayBe = (value: unknown, type: 'boolean' | 'function' | 'string'): boolean =>
  value === undefined || typeof value === type
