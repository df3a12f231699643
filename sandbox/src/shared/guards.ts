// The door for records from a worker: checked as a whole, from unknown.

import { defaultLimits, type LimitName } from './limits.js'
import { type Fault, logLevels, type ToPage } from './protocol.js'

const natural = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0
const positive = (value: unknown) => natural(value) && value !== 0
const text = (value: unknown) => typeof value === 'string'
const flag = (value: unknown) => typeof value === 'boolean'
const anything = () => true

/** Limits that the worker notices too, so that it never floods; the page counts all of them. */
const noticed: readonly LimitName[] = ['calls', 'inputBytes', 'outputBytes', 'logLines', 'logBytes']

const shapes: { [type: string]: { [field: string]: (value: unknown) => boolean } } = {
  call: { id: positive, seen: natural, fn: text, input: anything, bytes: natural, line: natural },
  log: { level: (value) => logLevels.includes(value as string), text },
  digest: { id: positive, algorithm: text, data: (value) => value instanceof ArrayBuffer },
  cut: { seen: natural },
  limit: {
    limit: (value) => noticed.includes(value as LimitName),
    figure: (value) => typeof value === 'number' && value > 0,
  },
  body: {
    seen: natural,
    ok: flag,
    value: anything,
    bytes: natural,
    open: (value) => Array.isArray(value) && Array.from(value).every(positive),
  },
  end: {},
  broken: {},
}

/** The record, or undefined where it is not one. Fields beyond the shape are not looked at. */
export const asRecord = (value: unknown): Exclude<ToPage, { type: 'up' }> | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  const record = value as Record<string, unknown>
  const type = Object.hasOwn(record, 'type') && record.type
  if (typeof type !== 'string' || !Object.hasOwn(shapes, type)) return undefined
  const shape = shapes[type] as (typeof shapes)[string]
  for (const field of Object.keys(shape))
    if (!Object.hasOwn(record, field) || !shape[field]?.(record[field])) return undefined
  return value as Exclude<ToPage, { type: 'up' }>
}

/** Whether a failed body's value says what was thrown. */
export const isFault = (value: unknown): value is Fault => {
  const { name, message, line, column, stack } = (value ?? {}) as Fault
  return text(name) && text(message) && natural(line) && natural(column) && text(stack)
}

/** Whether the name is one of the limits. */
export const isLimit = (name: string): name is LimitName => Object.hasOwn(defaultLimits, name)
