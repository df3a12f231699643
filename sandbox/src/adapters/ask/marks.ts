// Which functions need approval, told by name, since the packages drop what a
// tool declares before an adapter sees it.

import type { FunctionEntry, HostFunction } from '../../index.js'

/**
 * Names of marked functions, tools that may declare `needsApproval`, or a
 * predicate on the function's name, where only exactly `false` unmarks.
 */
export type Marks =
  | Iterable<string | { readonly name: string; readonly needsApproval?: unknown }>
  | ((fn: string) => unknown)

/** Whether a tool says of itself that it needs approval: `true`, or a function that decides. */
const declares = (tool: object): boolean => ((tool as { needsApproval?: unknown }).needsApproval ?? false) !== false

export interface Marker {
  /**
   * The entry of one function. `names`: every name by which a host may know
   * it, the full one first; `tool`: what may declare `needsApproval`.
   */
  entry(names: readonly string[], tool: object, call: HostFunction): FunctionEntry
  /** Throws for a mark that names no function: a misspelt one would let a call run unasked. */
  check(): void
}

/** Reads the marks for one set of functions. */
export const makeMarker = (marks: Marks | undefined): Marker => {
  const marked = new Set<string>()
  const unknown = new Set<string>()
  if (typeof marks !== 'function') {
    for (const mark of marks ?? []) {
      if (typeof mark === 'string') {
        marked.add(mark)
        unknown.add(mark)
      } else if (declares(mark)) marked.add(mark.name)
    }
  }
  const known: string[] = []
  return {
    entry(names, tool, call) {
      const fn = names[0] as string
      known.push(fn)
      for (const name of names) unknown.delete(name)
      const declared = declares(tool)
      if (declared && !marks) {
        return {
          call() {
            throw new Error(`${fn} needs a person's approval, and was not run: the host gave no \`marks\`.`)
          },
        }
      }
      return {
        call,
        approval:
          declared || (typeof marks === 'function' && marks(fn) !== false) || names.some((name) => marked.has(name)),
      }
    },
    check() {
      for (const name of unknown)
        throw new TypeError(`\`marks\` names “${name}”; the functions are ${known.join(', ')}.`)
    },
  }
}
