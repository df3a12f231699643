// What a further pass does with the recorded calls of the pass before.

import type { Verdict } from './decisions.js'
import type { Entry } from './journal.js'
import type { LogLine } from './result.js'
import type { Stage } from './run.js'
import { same } from './same.js'

/** Most outcomes, and most bytes of them (but for the last one), that are on their way before their calls are made. */
const aheadMax = 512
const aheadBytes = 1 << 20

/**
 * Lets the program have a recorded outcome, for the call of this number in the pass, when so many calls are
 * made; gives its place among the settlements.
 */
type Send = (recorded: Entry, id: number, after: number) => number

/** Lets what has this number fire, behind all that was sent; without one: everything, from now on. */
type Fire = (id?: number) => void

/** Settles a call when so many calls are made in the pass; 0: at once. */
type Settle = (after: number) => void

/**
 * What the next call of a replaying program is in the journal. Until the
 * program is free the calls must be the recorded ones, in their order; then
 * each recorded call may still be used once, wherever it comes.
 */
export class Replay {
  /** What is decided now, by callId; nothing is in a check pass. */
  readonly verdicts: ReadonlyMap<string, Verdict> | undefined
  #all: readonly Entry[]
  #entries: readonly Entry[]
  #fired: readonly number[]
  #cut: boolean
  #used = new Set<Entry>()
  #next = 0
  #send: Send = () => 0
  #fire: Fire = () => {}
  /** Indices of the recorded calls by their place among the settlements. */
  #settled: ReadonlyMap<number, number>
  /** By the place of an outcome, how many calls were made before the program got it. */
  #before: readonly number[]
  /** Those whose outcome was sent before they were made in this pass, with its place in this pass. */
  #ahead = new Map<Entry, number>()
  #bytes = 0
  #turn = 0
  /** The place in what fired. */
  #place = 0
  #ready = new Map<number, Settle>()
  /** Lines of the pass before, undefined once they came again. */
  #lines: (LogLine | undefined)[]
  /** Outcomes settle as they come: the program may go its own way. */
  released = false

  /** `cut`: the recorded pass was cut, so the program may go on behind its last call. */
  constructor({ entries, cut, fired, logs }: Stage, verdicts?: ReadonlyMap<string, Verdict>) {
    this.#all = entries
    this.#entries = entries.filter(({ order }) => order >= 0)
    this.#fired = fired
    this.#lines = [...logs]
    this.#cut = cut
    this.verdicts = verdicts
    this.#settled = new Map(this.#entries.map(({ order }, index) => [order, index]))
    let made = 0
    this.#before = this.#entries.map((_, order) => {
      // Behind the last one nothing is so.
      while ((this.#entries[made]?.seen as number) <= order) made++
      return made
    })
  }

  /** Begins to send ahead what is known. */
  begin(send: Send, fire: Fire): void {
    this.#send = send
    this.#fire = fire
    this.#goOn()
  }

  /** The recorded call was made: the place of its outcome, where that was sent ahead. */
  made(recorded: Entry): number | undefined {
    const place = this.#ahead.get(recorded)
    if (place === undefined) return
    this.#ahead.delete(recorded)
    this.#bytes -= recorded.bytes ?? 0
    this.#goOn()
    return place
  }

  /** How many calls come before this one's outcome, in the order that was recorded: a timer may have made some meanwhile. */
  madeBefore({ order }: Entry): number {
    return this.released ? 0 : (this.#before[order] ?? 0)
  }

  /** Whether it is decided now what this call comes to. */
  decides({ state, callId }: Entry): Verdict | undefined {
    return state === 'pending' ? this.verdicts?.get(callId) : undefined
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
    if (entry ? !free && !equal(entry) : !free && !(this.#cut && this.verdicts))
      return this.mismatch(`it called sdk.${fn}${fn === this.#entries[this.#next]?.fn ? ' with another input' : ''}`)
    if (!entry) return undefined
    if (!free) this.#next++
    this.#used.add(entry)
    return entry
  }

  /** The text of a mismatch when the program comes to its end, or is cut, before it has made every recorded call. */
  atEnd(): string | undefined {
    return this.#entries[this.#next] && this.mismatch('it ended')
  }

  /** What was not made again: part of what happened, without a place in it; what waits is void. */
  get unused(): Entry[] {
    return this.#all
      .filter((entry) => !this.#used.has(entry))
      .map((entry) => ({ ...entry, order: -1, state: entry.state === 'pending' ? 'cancelled' : entry.state }))
  }

  /**
   * Whether a person has seen a line: it gives no second event. By what it says, since lines do not always come in
   * the same order: an engine may report a rejection that nobody handled later than it did.
   */
  shown({ level, text }: LogLine): boolean {
    const at = this.#lines.findIndex((line) => line?.level === level && line.text === text)
    if (at >= 0) this.#lines[at] = undefined
    return at >= 0
  }

  /** Settles in the recorded order: waits until everything recorded before has been settled. */
  inOrder(order: number, settle: Settle): void {
    if (this.released) return settle(0)
    this.#ready.set(order, settle)
    this.#goOn()
  }

  /**
   * Settles what is ready and has its turn, and sends ahead what is known: everything but what is decided now.
   * No further than a program can be behind, and many at a time, since they travel together.
   */
  #goOn(): void {
    let room = this.#ahead.size > aheadMax / 2 ? 0 : aheadMax - this.#ahead.size
    while (!this.released) {
      for (; this.#fired[this.#place] === this.#turn; this.#place += 2)
        this.#fire(this.#fired[this.#place + 1] as number)
      const settle = this.#ready.get(this.#turn)
      const index = this.#settled.get(this.#turn) ?? -1
      const known = this.#entries[index]
      const before = this.#before[this.#turn] ?? 0
      if (settle) {
        this.#ready.delete(this.#turn++)
        settle(before)
      } else if (known && room-- > 0 && this.#bytes < aheadBytes && !this.decides(known)) {
        this.#turn++
        this.#bytes += known.bytes ?? 0
        this.#ahead.set(known, this.#send(known, index + 1, before))
      } else break
    }
  }

  release(): void {
    if (this.released) return
    this.released = true
    this.#fire()
    for (const order of [...this.#ready.keys()].sort((a, b) => a - b)) this.#ready.get(order)?.(0)
    this.#ready.clear()
  }

  /** Why a replay differs, for a person; `came`: what it did instead. */
  mismatch(came: string): string {
    const expected = this.#entries[this.#next]
    const was = expected ? `sdk.${expected.fn} (call ${expected.seq})` : 'its end'
    return `The program did not repeat itself: where it had come to ${was}, ${came}. What was approved is not what it does now.`
  }
}
