// Decisions are taken as a whole or not at all.

import type { Decisions } from './result.js'

export interface Verdict {
  approve: boolean
  reason?: string
}

/**
 * Checks decisions against the calls that wait. Throws a TypeError, and
 * changes nothing, unless every one of them is decided exactly once.
 */
export const verdictsOf = (decisions: Decisions, waiting: readonly string[]): Map<string, Verdict> => {
  const refuse = (why: string): never => {
    throw new TypeError(
      `${why} Decide every pending call once: { all: 'approve' | 'reject' } or { approve: [callId], reject: [callId], reasons? }.`,
    )
  }
  if (typeof decisions !== 'object' || decisions === null) refuse(`Decisions must be an object, and were ${decisions}.`)
  const { all, approve, reject, reasons, ...rest } = decisions as {
    all?: unknown
    approve?: unknown
    reject?: unknown
    reasons?: unknown
  }
  const strange = Object.keys(rest)[0]
  if (strange !== undefined) refuse(`Decisions have no “${strange}”.`)
  const texts = new Map<string, string>()
  if (reasons !== undefined) {
    if (typeof reasons !== 'object' || reasons === null) refuse('`reasons` must be an object of texts by callId.')
    for (const [id, text] of Object.entries(reasons as object)) {
      if (!waiting.includes(id)) refuse(`A reason was given for “${id}”, which is not pending.`)
      if (typeof text !== 'string') refuse(`The reason for “${id}” must be a string.`)
      texts.set(id, text)
    }
  }
  const verdicts = new Map<string, Verdict>()
  const decide = (id: unknown, approve: boolean) => {
    if (typeof id !== 'string' || !waiting.includes(id))
      return refuse(`“${String(id)}” is not a pending call of this run.`)
    if (verdicts.has(id)) refuse(`“${id}” was decided twice.`)
    const reason = texts.get(id)
    verdicts.set(id, reason === undefined ? { approve } : { approve, reason })
  }
  if (all !== undefined) {
    if (all !== 'approve' && all !== 'reject') refuse(`\`all\` must be 'approve' or 'reject', and was ${String(all)}.`)
    if (approve !== undefined || reject !== undefined) refuse('`all` stands alone.')
    for (const id of waiting) decide(id, all === 'approve')
  } else {
    for (const [ids, approved] of [
      [approve, true],
      [reject, false],
    ] as const) {
      if (ids === undefined) continue
      if (!Array.isArray(ids)) refuse(`\`${approved ? 'approve' : 'reject'}\` must be an array of callIds.`)
      for (const id of ids as unknown[]) decide(id, approved)
    }
  }
  const open = waiting.find((id) => !verdicts.has(id))
  if (open !== undefined) refuse(`“${open}” was left undecided.`)
  return verdicts
}
