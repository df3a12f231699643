/** Engines take at most this many ms, and fire at once for more. */
const longest = 2 ** 31 - 1

export type Timer = ReturnType<typeof setTimeout> | undefined

/** A timer that for a time beyond what engines take never fires. */
export const after = (ms: number, act: () => void): Timer => (ms > longest ? undefined : setTimeout(act, ms))
