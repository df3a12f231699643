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
  calls: z.array(
    z.object({
      callId: z.string(),
      seq: z.number(),
      fn: z.string(),
      outcome: z.enum(['ok', 'error', 'rejected', 'refused', 'waiting', 'approved', 'unknown']),
      failure: z.optional(z.string()),
    }),
  ),
})

/** A call of a run, as the log has it. */
export type LoggedCall = z.infer<typeof run>['calls'][number]

/** What the log knows of a run that the page lost sight of. */
export interface InTheLog {
  /** How it ended, in a sentence; none where it has not. */
  ending?: string
  /** Its calls, in their order. */
  calls: readonly LoggedCall[]
}

/** Asks the app's own log about a run. Rejects where it cannot be read. */
export const askTheLog =
  (ask: Ask) =>
  async (runId: string): Promise<InTheLog> => {
    const { ended, calls } = run.parse(await ask('log.run', { source: 'own', runId }))
    return ended?.error ? { ending: ended.error.message, calls } : { calls }
  }
