/**
 * The person's settings as the page has them: Go owns them, follows the file and decides; the page
 * shows them, asks for changes, and hears of those that come from elsewhere.
 */

import type { z } from 'zod/mini'
import type { Ask } from '../bridge/bridge'
import { BridgeError } from '../bridge/bridgeError'
import { changed, type Loosening, type Settings, type SettingsState, state } from './shapes'

export interface SettingsStore {
  current(): SettingsState
  /** Calls back after each change; ready for useSyncExternalStore. */
  subscribe(listener: () => void): () => void
  /**
   * Asks Go to make these the settings. What loosens must be confirmed: without it Go changes
   * nothing and says what would. Rejects with a sentence when Go refuses.
   */
  change(wanted: Settings, confirmed: boolean): Promise<{ applied: boolean; loosened: Loosening[] }>
  /** Reads the file again. */
  reload(): Promise<void>
  /** Puts a file with mistakes aside and writes what is in force in its place. */
  putAside(): Promise<void>
}

/** How long to wait before asking again after a failure, in ms. */
const rest = 2000

export const createSettings = async (ask: Ask): Promise<SettingsStore> => {
  const listeners = new Set<() => void>()
  let now = read(state, 'settings.read', await ask('settings.read', {}))

  const take = (next: SettingsState): void => {
    if (next.revision === now.revision) return
    now = next
    for (const listener of [...listeners]) listener()
  }
  const watch = async (): Promise<never> => {
    for (;;) {
      try {
        take(read(state, 'settings.watch', await ask('settings.watch', { since: now.revision })))
      } catch {
        // The app closes, or it will answer again.
        await new Promise((resolve) => setTimeout(resolve, rest))
      }
    }
  }
  void watch()

  return {
    current: () => now,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    change: async (wanted, confirmed) => {
      const args = { revision: now.revision, settings: wanted, confirmed }
      const { state: next, ...result } = read(changed, 'settings.change', await ask('settings.change', args))
      take(next)
      return result
    },
    reload: async () => take(read(state, 'settings.reload', await ask('settings.reload', {}))),
    putAside: async () => take(read(state, 'settings.aside', await ask('settings.aside', {}))),
  }
}

const read = <T>(shape: z.ZodMiniType<T>, op: string, answer: unknown): T => {
  const result = shape.safeParse(answer)
  if (result.success) return result.data
  throw new BridgeError('Internal', `The app's answer to “${op}” has an unexpected shape: ${result.error.message}`)
}
