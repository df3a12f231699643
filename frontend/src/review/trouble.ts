import { z } from 'zod/mini'
import type { Ask } from '../bridge/bridge'

const answer = z.object({ trouble: z.nullable(z.object({ title: z.string(), text: z.string(), do: z.string() })) })

/** What the person should know of the app's own log from its start on: that it is not intact, say. */
export interface Trouble {
  title: string
  text: string
  /** What comes of it, and what to do. */
  do: string
  /** The person has been where it is shown. It is no better for that. */
  seen: boolean
}

export interface LogTrouble {
  subscribe(listener: () => void): () => void
  /** Undefined: there is none, or the log is still being verified. */
  get(): Trouble | undefined
  /** The person looks at it. */
  look(): void
}

/** Asks what the start has found, which may take as long as the log is verified. */
export const createLogTrouble = (ask: Ask): LogTrouble => {
  const listeners = new Set<() => void>()
  let trouble: Trouble | undefined
  const show = (next: Trouble): void => {
    trouble = next
    for (const tell of listeners) tell()
  }
  ask('log.atStart', {}).then(
    (given) => {
      const found = answer.parse(given).trouble
      if (found) show({ ...found, seen: false })
    },
    (error: unknown) =>
      show({
        title: 'Whether the log is intact is not known',
        text: error instanceof Error ? error.message : String(error),
        do: 'Verify it in the log, under Trust.',
        seen: false,
      }),
  )
  return {
    subscribe: (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    get: () => trouble,
    look: () => {
      if (trouble && !trouble.seen) show({ ...trouble, seen: true })
    },
  }
}
