// Which functions need approval, told by name, since the packages drop what a
// tool declares before an adapter sees it.

/**
 * Names of marked functions, tools that may declare `needsApproval`, or a
 * predicate on the function's name, where only exactly `false` unmarks.
 */
export type Marks = Iterable<string | { readonly name: string; readonly needsApproval?: unknown }> | ((fn: string) => unknown)

/** Whether a tool says of itself that it needs approval: `true`, or a function that decides. */
export const declares = (tool: unknown): boolean => {
  const { needsApproval } = (tool ?? {}) as { needsApproval?: unknown }
  return needsApproval !== undefined && needsApproval !== null && needsApproval !== false
}

/** Decides for one set of functions. */
export interface Marker {
  /** `spellings`: every name by which a host may know the function, the full one first. */
  isMarked(spellings: readonly string[], declared: boolean): boolean
  /** Whether a function that declares `needsApproval` must not run at all: nobody said who is to be asked. */
  refuses(declared: boolean): boolean
  /** Throws for a name that marks none of the functions: a misspelt mark would let a call run unasked. */
  check(): void
}

export const makeMarker = (marks: Marks | undefined): Marker => {
  const names = new Set<string>()
  const tools = new Set<string>()
  const used = new Set<string>()
  const known: string[] = []
  if (typeof marks !== 'function') {
    for (const mark of marks ?? []) {
      if (typeof mark === 'string') names.add(mark)
      else if (declares(mark)) tools.add(mark.name)
    }
  }
  return {
    isMarked(spellings, declared) {
      known.push(spellings[0] as string)
      let marked = declared || (typeof marks === 'function' && marks(spellings[0] as string) !== false)
      for (const name of spellings) {
        if (names.has(name)) used.add(name)
        marked ||= names.has(name) || tools.has(name)
      }
      return marked
    },
    refuses: (declared) => declared && marks === undefined,
    check() {
      for (const name of names) {
        if (!used.has(name)) throw new TypeError(`\`marks\` names “${name}”, and there is no such function. The functions are ${known.join(', ') || 'none'}.`)
      }
    },
  }
}

/** Throws for a call that may not run because nobody can be asked. */
export const refusal = (fn: string) => (): never => {
  throw new Error(`${fn} needs a person's approval, and was not run: the host gave no \`marks\`, so nobody can be asked.`)
}
