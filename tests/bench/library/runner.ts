/** ours: the library; floor: what the browser costs without it; peer: another library. */
export type Kind = 'ours' | 'floor' | 'peer'

/** What a program's calls reach. It may answer at once. */
export type Host = (input: unknown) => unknown

export const echo: Host = (input) => input

/** A way of running programs. A program is the body of an async function in which `host(input)` is a call. */
export interface Runner {
  name: string
  kind: Kind
  /** Starts from nothing: what it makes is not shared with an earlier one. */
  open(): Promise<Opened>
}

export interface Opened {
  /** Waits until what is kept ready for the next run is there. Not timed. */
  ready(): Promise<void>
  /** Runs a program to its end; rejects when it does not end well. */
  run(code: string, host: Host): Promise<unknown>
  close(): void
}

/**
 * How long everything rests before a sample, in ms: what is kept ready gets the
 * time to start, and nobody has the advantage of a processor that is still warm.
 */
export const restMs = 100

export const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Rejects when work takes longer: a peer that hangs must not hang the others. */
export const within = async <T>(ms: number, work: Promise<T>): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no result within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
