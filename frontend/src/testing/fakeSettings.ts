/** Go's side of the settings in memory: enough for pages that read them and ask for changes. */

import { BridgeError } from '../bridge/bridgeError'
import type { Loosening, Settings, SettingsState } from '../settings/shapes'

export const someLimits = {
  wallClockMs: 60_000,
  busyMs: 10_000,
  calls: 256,
  inFlight: 32,
  sourceBytes: 262_144,
  inputBytes: 1_048_576,
  outputBytes: 4_194_304,
  logLines: 1000,
  logBytes: 262_144,
}

export const someDefaults: Settings = {
  model: { provider: 'offline', baseURL: '', name: '' },
  folders: [],
  hosts: [],
  mcp: [],
  limits: someLimits,
  approval: 'batch',
  tighten: [],
  theme: 'system',
}

export interface FakeSettings {
  ask: (op: string, args: unknown, signal?: AbortSignal) => Promise<unknown>
  state(): SettingsState
  /** What another hand does: the file is edited. */
  become(more: Partial<SettingsState>): void
}

/** `loosens` says what a change loosens; nothing, without it. `others` answers every other operation. */
export const fakeSettings = (
  first: Partial<SettingsState> = {},
  loosens: (before: Settings, after: Settings) => Loosening[] = () => [],
  others: (op: string, args: unknown) => unknown = () => {
    throw new BridgeError('BadRequest', 'no such operation')
  },
): FakeSettings => {
  let state: SettingsState = {
    revision: 1,
    path: '/home/ada/.config/countersign/settings.jsonc',
    exists: false,
    fixed: false,
    inForce: 'defaults',
    settings: someDefaults,
    defaults: someDefaults,
    problems: [],
    ...first,
  }
  const watching = new Set<() => void>()
  const become = (more: Partial<SettingsState>): void => {
    state = { ...state, ...more, revision: state.revision + 1 }
    for (const wake of [...watching]) wake()
    watching.clear()
  }
  const operations: Record<string, (args: never) => unknown> = {
    'settings.read': () => state,
    'settings.watch': async ({ since }: { since: number }) => {
      while (state.revision === since) await new Promise<void>((wake) => watching.add(wake))
      return state
    },
    'settings.reload': () => state,
    'settings.aside': () => {
      become({ problems: [], inForce: 'file' })
      return state
    },
    'settings.change': ({
      revision,
      settings,
      confirmed,
    }: {
      revision: number
      settings: Settings
      confirmed: boolean
    }) => {
      if (revision !== state.revision) throw new BridgeError('BadRequest', 'the settings have changed in the meantime')
      const loosened = loosens(state.settings, settings)
      if (loosened.length > 0 && !confirmed) return { applied: false, loosened, state }
      // Go shows no value that is secret.
      const mcp = settings.mcp.map((server) => ({ ...server, env: hide(server.env), headers: hide(server.headers) }))
      become({ settings: { ...settings, mcp }, exists: true, inForce: 'file' })
      return { applied: true, loosened, state }
    },
  }
  return {
    ask: async (op, args) => {
      const known = operations[op]
      return known ? known(args as never) : others(op, args)
    },
    state: () => state,
    become,
  }
}

const hide = (pairs: Record<string, unknown>): Record<string, null> =>
  Object.fromEntries(Object.keys(pairs).map((name) => [name, null]))
