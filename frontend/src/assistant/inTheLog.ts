import { z } from 'zod/mini'
import type { Ask } from '../bridge/bridge'

const run = z.object({
  ended: z.nullable(
    z.object({
      status: z.string(),
      error: z.nullish(z.object({ message: z.string() })),
      unknown: z.nullish(z.array(z.string())),
    }),
  ),
  calls: z.array(z.object({ callId: z.string(), outcome: z.string() })),
})

/** What the log knows of a run that the page lost sight of. */
export interface InTheLog {
  /** How it ended, in a sentence; none where it has not. */
  ending?: string
  /** What came of each call, as the log says it. */
  outcomes: ReadonlyMap<string, string>
}

/** Asks the app's own log about a run. Rejects where it cannot be read. */
export const askTheLog =
  (ask: Ask) =>
  async (runId: string): Promise<InTheLog> => {
    const { ended, calls } = run.parse(await ask('log.run', { source: 'own', runId }))
    const outcomes = new Map(calls.map(({ callId, outcome }) => [callId, outcome]))
    return ended?.error ? { ending: ended.error.message, outcomes } : { outcomes }
  }
