// Every limit, and beside its default the attack it is for.

export const defaultLimits = {
  /** ms of a pass, not counting the wait for a person: a program that never ends. */
  wallClockMs: 60_000,
  /** ms of one stretch with no call executing and no person asked: `while (true) {}`, a promise that nothing settles. */
  busyMs: 10_000,
  /** calls in a pass: a loop that calls for ever. */
  calls: 256,
  /** calls executing at once, further ones wait: a burst that swamps the host. */
  inFlight: 32,
  /** UTF-8 bytes of the program: a text that is slow to compile. */
  sourceBytes: 256 * 1024,
  /** bytes of one call's input, and 16 times that for all inputs of a pass: inputs nobody can read, or that fill memory. */
  inputBytes: 1024 * 1024,
  /** bytes of the returned value: a result that fills the page or the model's context. */
  outputBytes: 4 * 1024 * 1024,
  /** lines logged in a pass: a log flood. */
  logLines: 1_000,
  /** bytes logged in a pass; the line that exceeds is kept, cut. */
  logBytes: 256 * 1024,
}

export type Limits = typeof defaultLimits
export type LimitName = keyof Limits

/** How many may fire in a pass that is to be repeated: what is told to the page, and kept there, of a flood of timers. */
export const firedMax = 20_000
/** Where a pass was cut: from there on everything fires in its own time. Timers have higher numbers; 0 is the end. */
export const ownTime = 1

/** All inputs of a pass together may take this many times `inputBytes`. */
export const inputsFactor = 16

/**
 * Most values around a value that crosses, and it. Chromium writes and reads by recursion: in a worker it writes about
 * 1,050 at most, and of what is deeper than about 1,150 it reads nothing, and says nothing. The other engines go
 * further; a program comes to the same in all of them.
 */
export const deepest = 1_000
