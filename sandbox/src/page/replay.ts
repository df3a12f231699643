// What a further pass does with the recorded calls of the pass before.

import type { Verdict } from './decisions.js'
import type { Entry } from './journal.js'
import { same } from './same.js'

/**
 * What the next call of a replaying program is in the journal. Until the
 * program is free the calls must be the recorded ones, in their order; then
 * each recorded call may still be used once, wherever it comes.
 */
export class Replay {
  /** What is decided now, by callId; nothing is in a check pass. */
  readonly verdicts: ReadonlyMap<string, Verdict> | undefined
  #entries: readonly Entry[]
  #cut: boolean
  #used = new Set<Entry>()
  #next = 0
  #turn = 0
  #ready = new Map<number, () => void>()
  /** Outcomes settle as they come: the program may go its own way. */
  released = false

  /** `cut`: the recorded pass was cut, so the program may go on behind its last call. */
  constructor(entries: readonly Entry[], cut: boolean, verdicts?: ReadonlyMap<string, Verdict>) {
    this.#entries = entries
    this.#cut = cut
    this.verdicts = verdicts
  }

  /**
   * The recorded entry for this call, undefined for a new call, or the text of a mismatch.
   * `free`: the program had something thrown into it that was decided now.
   */
  match(fn: string, input: unknown, free: boolean): Entry | undefined | string {
    const equal = (entry: Entry | undefined) => entry?.fn === fn && same(entry.input, input)
    const entry = free
      ? this.#entries.find((candidate) => !this.#used.has(candidate) && equal(candidate))
      : this.#entries[this.#next]
    if (entry ? !free && !equal(entry) : !free && !(this.#cut && this.verdicts)) return this.mismatch(fn)
    if (!entry) return undefined
    if (!free) this.#next++
    this.#used.add(entry)
    return entry
  }

  /** The text of a mismatch when the program comes to its end, or is cut, before it has made every recorded call. */
  atEnd(): string | undefined {
    return this.#entries[this.#next] && this.mismatch()
  }

  get unused(): Entry[] {
    return this.#entries.filter((entry) => !this.#used.has(entry))
  }

  /** Settles in the recorded order: waits until everything recorded before has been settled. */
  inOrder(order: number, settle: () => void): void {
    if (this.released) return settle()
    this.#ready.set(order, settle)
    for (let next = this.#ready.get(this.#turn); next; next = this.#ready.get(this.#turn)) {
      this.#ready.delete(this.#turn++)
      next()
      if (this.released) break
    }
  }

  release(): void {
    if (this.released) return
    this.released = true
    for (const order of [...this.#ready.keys()].sort((a, b) => a - b)) this.#ready.get(order)?.()
    this.#ready.clear()
  }

  /** Why a replay differs, for a person. */
  mismatch(fn?: string): string {
    const expected = this.#entries[this.#next]
    const was = expected ? `sdk.${expected.fn} (call ${expected.seq})` : 'its end'
    const came =
      fn === undefined ? 'it ended' : `it called sdk.${fn}${fn === expected?.fn ? ' with another input' : ''}`
    return `The program did not repeat itself: where it had come to ${was}, ${came}. What was approved is not what it does now.`
  }
}
