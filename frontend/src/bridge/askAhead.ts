import type { Ask } from './bridge'

/** An Ask that has asked some operations already; each answer is given once, to whoever asks for it first. */
export const askAhead = (ask: Ask, ops: readonly string[]): Ask => {
  const asked = new Map(ops.map((op) => [op, ask(op, {})]))
  for (const answer of asked.values()) answer.catch(() => {}) // whoever takes it hears of it
  return (op, args, signal) => {
    const answer = asked.get(op)
    asked.delete(op)
    return answer ?? ask(op, args, signal)
  }
}
