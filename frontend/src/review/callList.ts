import type { Log } from './operations'
import type { Filter, Row } from './shapes'

/** How many calls a page has; Go's marks are that far apart. */
export const pageSize = 100
/** How many pages are kept, so that memory stays flat however far one scrolls. */
const maxPages = 24

/** What is known of the calls that a filter chooses. A state never changes. */
export interface CallListState {
  /** How many there are; undefined while they are being counted. */
  count: number | undefined
  /** How many can be shown so far. */
  shown: number
  /** Number of the log's last entry when it was read. */
  head: number | undefined
  failure: string | undefined
  /** Nothing was read yet. */
  opening: boolean
}

export interface CallList {
  subscribe(listener: () => void): () => void
  get(): CallListState
  /** The call at a place of the list, the newest at 0; undefined while it is not here. */
  at(place: number): Row | undefined
  /** Asks for the calls from one place to another, the last one not included. */
  need(from: number, to: number): void
  stop(): void
}

/**
 * The calls that a filter chooses, by pages that begin behind a number and never
 * by an offset. The first page comes at once; with the count come the numbers at
 * which every page begins, and from then on any place can be shown.
 */
export const createCallList = (log: Log, filter: Filter): CallList => {
  const listeners = new Set<() => void>()
  const over = new AbortController()
  const pages = new Map<number, Row[]>()
  const asked = new Map<number, AbortController>()
  let marks: number[] | undefined
  /** What is in sight. */
  let sight: [from: number, to: number] = [0, 1]
  let state: CallListState = { count: undefined, shown: 0, head: undefined, failure: undefined, opening: true }

  const show = (next: Partial<CallListState>): void => {
    state = { ...state, ...next }
    for (const tell of listeners) tell()
  }
  const fail = (error: unknown): void => {
    if (!over.signal.aborted) show({ failure: error instanceof Error ? error.message : String(error), opening: false })
  }

  const before = (page: number): number | undefined => {
    if (page === 0) return state.head === undefined ? 0 : state.head + 1
    return marks?.[page - 1] ?? (pages.get(page - 1)?.length === pageSize ? pages.get(page - 1)?.at(-1)?.id : undefined)
  }

  const load = async (page: number): Promise<void> => {
    const from = before(page)
    if (from === undefined || pages.has(page) || asked.has(page)) return
    const mine = new AbortController()
    asked.set(page, mine)
    try {
      const answer = await log.calls(filter, from, pageSize, AbortSignal.any([over.signal, mine.signal]))
      if (asked.get(page) !== mine) return
      asked.delete(page)
      pages.delete(page)
      pages.set(page, answer.rows)
      for (const old of pages.keys()) {
        if (pages.size <= maxPages) break
        pages.delete(old)
      }
      const known = page * pageSize + answer.rows.length
      show({ shown: state.count ?? Math.max(state.shown, known), head: state.head ?? answer.head, opening: false })
    } catch (error) {
      if (asked.get(page) === mine) asked.delete(page)
      if (!mine.signal.aborted) fail(error)
    }
  }

  const count = async (): Promise<void> => {
    const answer = await log.count(filter, over.signal)
    if (answer.head !== state.head && state.head !== undefined) {
      // Calls were added in between: the pages begin elsewhere.
      for (const request of asked.values()) request.abort()
      asked.clear()
      pages.clear()
    }
    marks = answer.marks
    show({ count: answer.count, shown: answer.count, head: answer.head })
    need(...sight)
  }

  const need = (from: number, to: number): void => {
    sight = [from, to]
    const first = Math.floor(Math.max(from, 0) / pageSize)
    const last = Math.floor(Math.max(to - 1, 0) / pageSize)
    for (const [page, request] of asked) {
      // Whoever drags the scrollbar passes by pages that nobody will see.
      if (page < first - 1 || page > last + 1) {
        request.abort()
        asked.delete(page)
      }
    }
    for (let page = first; page <= last; page++) {
      const rows = pages.get(page)
      if (rows) {
        pages.delete(page) // to the end: used last
        pages.set(page, rows)
      } else void load(page)
    }
  }

  void load(0)
  count().catch(fail)
  return {
    subscribe: (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    get: () => state,
    at: (place) => pages.get(Math.floor(place / pageSize))?.[place % pageSize],
    need,
    stop: () => over.abort(new DOMException('another list is shown', 'AbortError')),
  }
}
