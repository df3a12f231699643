// Decisions are taken as a whole or not at all.

import type { Decisions } from './result.js'

export interface Verdict {
  approve: boolean
  reason: string | undefined
}

// A copy: what is loaded on demand shares no module with what is loaded at once.
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/**
 * Checks decisions against the calls that wait. Throws a TypeError, and
 * changes nothing, unless every one of them is decided exactly once.
 */
export const verdictsOf = (decisions: Decisions, waiting: readonly string[]): Map<string, Verdict> => {
  const refuse = (why: string): never => {
    throw new TypeError(
      `${why}. Decide every pending call once: { all: 'approve' | 'reject' } or { approve: [callId], reject: [callId], reasons? }.`,
    )
  }
  const checkWaits = (id: unknown) => {
    if (!waiting.includes(id as string)) refuse(`“${String(id)}” is not a pending call of this run`)
  }
  if (!isObject(decisions)) refuse('Decisions must be an object')
  const { all, approve, reject, reasons = {}, ...rest } = decisions as { [key: string]: unknown }
  for (const strange of Object.keys(rest)) refuse(`Decisions have no “${strange}”`)
  if (!isObject(reasons)) refuse('reasons must be an object of texts by callId')
  const texts = new Map<unknown, string>()
  for (const [id, text] of Object.entries(reasons as object)) {
    checkWaits(id)
    if (typeof text !== 'string') refuse(`The reason for “${id}” must be a string`)
    texts.set(id, text)
  }
  if (all !== undefined) {
    if (all !== 'approve' && all !== 'reject') refuse("all must be 'approve' or 'reject'")
    if (approve !== undefined || reject !== undefined) refuse('all stands alone')
  }
  const lists = all === undefined ? { approve, reject } : { [all as string]: waiting }
  const verdicts = new Map<string, Verdict>()
  for (const [word, ids = []] of Object.entries(lists)) {
    if (!Array.isArray(ids)) refuse(`${word} must be an array of callIds`)
    for (const id of ids as string[]) {
      checkWaits(id)
      if (verdicts.has(id)) refuse(`“${id}” was decided twice`)
      verdicts.set(id, { approve: word === 'approve', reason: texts.get(id) })
    }
  }
  const open = waiting.find((id) => !verdicts.has(id))
  if (open !== undefined) refuse(`“${open}” was left undecided`)
  return verdicts
}
