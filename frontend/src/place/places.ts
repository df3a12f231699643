/**
 * Where the person is in the window. A conversation without an id is the new one.
 * Any part may send the person somewhere: a run to its entries, an entry to its
 * conversation.
 */
export type Place =
  | { at: 'conversation'; id?: string }
  /** The log; with `run`, the entries of that run; with `tab`, whether it is whole. */
  | { at: 'log'; run?: string; tab?: 'trust' }
  | { at: 'demos' }
  /** The settings; with `section`, at that one. */
  | { at: 'settings'; section?: 'isolation' }

export interface Places {
  subscribe(listener: () => void): () => void
  /** Where the person is; the same object until they go somewhere else. */
  get(): Place
  go(place: Place): void
}

export const createPlaces = (first: Place = { at: 'conversation' }): Places => {
  const listeners = new Set<() => void>()
  let place = first
  return {
    subscribe: (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    get: () => place,
    go: (next) => {
      if (JSON.stringify(next) === JSON.stringify(place)) return
      place = next
      for (const tell of listeners) tell()
    },
  }
}
