// The doors of the channel: whatever comes is checked as a whole, from unknown,
// before any of it is looked at. Each realm has the table of what it may get.
// The worker's runs beside the program, so nothing here reads what that may patch.

import { create, hasOwn, isArray, keys } from './intrinsics.js'
import type { Limits } from './limits.js'
import {
  type Fault,
  type FromFrame,
  logLevels,
  recordsMax,
  type Thrown,
  type ToFrame,
  type ToPage,
  type ToWorker,
} from './protocol.js'

type Check = (value: unknown) => boolean
type Fields<Message> = { [field in Exclude<keyof Message, 'type' | 'nonce'>]-?: Check }
/** For each message its fields and what each must be; the nonce is whoever holds it to check. */
type Shapes<Message extends { type: string }> = {
  [type in Message['type']]: Fields<Extract<Message, { type: type }>>
}

const isSafeInteger = Number.isSafeInteger
const natural: Check = (value) => isSafeInteger(value) && (value as number) >= 0
const positive: Check = (value) => natural(value) && value !== 0
const text: Check = (value) => typeof value === 'string'
const flag: Check = (value) => typeof value === 'boolean'
const number: Check = (value) => typeof value === 'number'
export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const anything: Check = () => true
const buffer: Check = (value) => value instanceof ArrayBuffer
/* @__NO_SIDE_EFFECTS__ */
const oneOf =
  (words: readonly unknown[]): Check =>
  (value) => {
    for (let i = 0; i < words.length; i++) if (words[i] === value) return true
    return false
  }
/* @__NO_SIDE_EFFECTS__ */
const list =
  (check: Check): Check =>
  (value) => {
    if (!isArray(value)) return false
    for (let i = 0; i < value.length; i++) if (!check(value[i])) return false
    return true
  }

/** What a worker takes by one message. */
const few: Check = (value) => list(isObject)(value) && (value as unknown[]).length <= recordsMax

/** Tells whether a value has each of the fields as its own, and each is what it must be. */
/* @__NO_SIDE_EFFECTS__ */
const fits = (fields: { readonly [field: string]: Check }): Check => {
  const names = keys(fields)
  return (value) => {
    if (!isObject(value)) return false
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as string
      if (!hasOwn(value as object, name) || !(fields[name] as Check)((value as Record<string, unknown>)[name]))
        return false
    }
    return true
  }
}

const typed = fits({ type: text })

/** A door for these messages: gives the message, or undefined where it is not a whole one. Further fields are not looked at. */
/* @__NO_SIDE_EFFECTS__ */
const door = <Message extends { type: string }>(shapes: Shapes<Message>) => {
  const checks = create(null) as Record<string, Check>
  for (const type of keys(shapes)) checks[type] = fits(shapes[type as Message['type']])
  return (value: unknown): Message | undefined => {
    if (!typed(value)) return
    const check = checks[(value as Message).type]
    return check?.(value) ? (value as Message) : undefined
  }
}

/** The limits that the worker counts too, so that it never floods; the page counts all of them. */
const counted = { calls: number, inputBytes: number, outputBytes: number, logLines: number, logBytes: number }
const fault = fits({ name: text, message: text, line: natural, column: natural, stack: text })
const thrownError = fits({ error: flag, name: text, message: text, cause: (value) => value === null || text(value) })
const thrownValue = fits({ value: anything })
const isCounted = fits(counted)
const limits: Check = (value) => isCounted(value) && number((value as Partial<Limits>).inFlight)
const seeds = fits({ now: number, words: list(natural) })

/** Whether a failed body's value says what was thrown. */
export const isFault = (value: unknown): value is Fault => fault(value)

/** Whether what a call came to can be thrown. */
export const isThrown = (value: unknown): value is Thrown =>
  ((value as Thrown | null)?.error === false ? thrownValue : thrownError)(value)

export const asToFrame = door<ToFrame>({
  init: {},
  spawn: { worker: positive },
  post: { worker: positive, records: few, buffers: list(buffer) },
  stop: { worker: positive },
})

export const asFromFrame = door<FromFrame>({
  ready: { build: text },
  refused: { reason: text },
  relay: { worker: positive, records: list(anything) },
  fault: { worker: natural, reason: text },
  stopped: { worker: positive },
})

export const asToWorker = door<ToWorker>({
  start: {
    code: text,
    names: list(text),
    marked: list(text),
    given: flag,
    input: anything,
    limits,
    seeds: (value) => value === null || seeds(value),
    repeats: flag,
  },
  settle: {
    id: positive,
    state: oneOf(['ok', 'error', 'rejected', 'pending']),
    value: anything,
    errors: flag,
    at: number,
    after: natural,
  },
  fire: { id: natural },
  digested: { id: positive, ok: flag, value: anything },
})

export const asToPage = door<ToPage>({
  up: { left: list(text) },
  call: { id: positive, seen: natural, fn: text, input: anything, bytes: natural, line: natural },
  log: { level: oneOf(logLevels), text },
  digest: { id: positive, algorithm: text, data: buffer },
  fired: { id: positive, seen: natural },
  cut: { seen: natural },
  limit: {
    limit: (value) => text(value) && hasOwn(counted, value as string),
    figure: (value) => number(value) && (value as number) > 0,
  },
  body: { ok: flag, value: anything, bytes: natural, open: list(positive) },
  stall: {},
  end: { seen: natural },
  broken: {},
})
