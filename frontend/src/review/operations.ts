import { z } from 'zod'
import type { Ask } from '../bridge/bridge'
import type { Filter } from './shapes'
import * as shapes from './shapes'

export type Format = 'jsonl' | 'csv' | 'entries'
export type Finding = 'took effect' | 'took no effect' | 'cannot be known'

/** Asks Go about one log. Each rejects with what Go says, or with the signal's reason. */
export const createLog = (ask: Ask, source: string) => {
  const asked = async <T extends z.ZodType>(
    shape: T,
    op: string,
    args: object,
    signal?: AbortSignal,
  ): Promise<z.output<T>> => {
    const read = shape.safeParse(await ask(op, args, signal))
    if (read.success) return read.data
    throw new Error(`The app's answer to “${op}” has an unexpected shape: ${z.prettifyError(read.error)}`)
  }
  return {
    source,
    /** How far its calls are listed; to be asked again until it is ready. */
    ready: (signal?: AbortSignal) => asked(shapes.ready, 'log.ready', { source }, signal),
    /** Waits until there are entries behind `since`. */
    watch: (since: number, signal?: AbortSignal) =>
      asked(z.object({ head: z.number() }), 'log.watch', { source, since }, signal),
    /** A page, the newest first: calls with a number below `before` (0: all). */
    calls: (filter: Filter, before: number, limit: number, signal?: AbortSignal) =>
      asked(shapes.page, filter.text ? 'log.search' : 'log.calls', { source, filter, before, limit }, signal),
    count: (filter: Filter, signal?: AbortSignal) => asked(shapes.survey, 'log.count', { source, filter }, signal),
    stats: (filter: Filter, signal?: AbortSignal) => asked(shapes.stats, 'log.stats', { source, filter }, signal),
    names: (signal?: AbortSignal) => asked(shapes.names, 'log.names', { source }, signal),
    call: (id: number, signal?: AbortSignal) => asked(shapes.detail, 'log.call', { source, id }, signal),
    ends: (signal?: AbortSignal) => asked(shapes.ends, 'log.ends', { source }, signal),
    /** Notes a finding on a call whose outcome is unknown; the app's own log only. */
    note: (id: number, finding: Finding, reason: string) =>
      asked(z.object({}), 'log.note', { source, id, finding, reason }),
    /** Begins to verify, or waits for news behind the step `since`. */
    verify: (start: boolean, key: string, since: number, signal?: AbortSignal) =>
      asked(shapes.verifying, 'log.verify', { source, start, key, since }, signal),
    head: (signal?: AbortSignal) => asked(shapes.headNote, 'log.head', { source }, signal),
    compare: (text: string) => asked(shapes.comparison, 'log.compare', { source, text }),
    /** The person chooses where; path is "" when they chose nothing. */
    export: (filter: Filter, format: Format) => asked(shapes.exported, 'log.export', { source, filter, format }),
  }
}
export type Log = ReturnType<typeof createLog>

/** Asks Go which logs are open, opens others, and keeps filters. */
export const createLogs = (ask: Ask) => ({
  sources: async () => z.array(shapes.source).parse(await ask('log.sources', {})),
  /** The person chooses a file; null when they chose none. */
  open: async () => z.object({ source: shapes.source.nullable() }).parse(await ask('log.open', {})).source,
  close: async (source: string) => void (await ask('log.close', { source })),
  filters: async () => shapes.savedFilters.parse(await ask('log.filters.list', {})),
  saveFilter: async (name: string, filter: Filter) =>
    shapes.savedFilters.parse(await ask('log.filters.save', { name, filter })),
  deleteFilter: async (name: string) => shapes.savedFilters.parse(await ask('log.filters.delete', { name })),
})
export type Logs = ReturnType<typeof createLogs>
