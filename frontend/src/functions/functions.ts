import { z } from 'zod/mini'
import type { Ask } from '../bridge/bridge'
import { BridgeError } from '../bridge/bridgeError'
import { type Definition, definition } from '../bridge/operations'

/** The functions that programs may call, which change with the settings and with MCP servers. */
export interface FunctionList {
  /** As Go has them now; the same list until it changes. */
  current(): Definition[]
  subscribe(listener: () => void): () => void
}

const watched = z.object({ revision: z.number(), functions: z.array(definition) })

/** How long to wait before asking again after a failure, in ms. */
const rest = 2000

/** Follows Go's list, beginning with what is known. */
export const createFunctionList = (ask: Ask, first: Definition[], pause = rest): FunctionList => {
  const listeners = new Set<() => void>()
  let now = first
  let revision = 0

  const follow = async (): Promise<never> => {
    for (;;) {
      try {
        const read = watched.safeParse(await ask('functions.watch', { since: revision }))
        if (!read.success) {
          throw new BridgeError('Internal', `functions.watch answered ${z.prettifyError(read.error)}`)
        }
        revision = read.data.revision
        now = read.data.functions
        for (const tell of [...listeners]) tell()
      } catch {
        // The app closes, or it will answer again; until then what is known is what runs are given,
        // and Go refuses what is gone.
        await new Promise((resolve) => setTimeout(resolve, pause))
      }
    }
  }
  void follow()
  return {
    current: () => now,
    subscribe: (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
  }
}
