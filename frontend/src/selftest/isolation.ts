import type { Sandbox } from '@faustine-ai/browser-sandbox'
import type { Found } from './check'
import { outcome } from './outcome'
import { quick } from './quick'

/** Whether what programs are kept in holds in this webview, as far as the start has shown. */
export type Isolated = { state: 'checking' } | { state: 'holds' } | { state: 'broken'; failed: Found[] }

/** The checks at the start, and what follows from them. */
export interface Isolation {
  subscribe(listener: () => void): () => void
  get(): Isolated
  /** What a later look at everything has found: it counts in place of the start's. */
  found(failed: Found[]): void
  /** A sandbox that runs nothing before the checks have passed, and nothing at all when one has not. */
  sandbox: Sandbox
}

const noCanary = { address: '', heard: async () => 0, knock: async () => {} }

/** Checks at once. A check that cannot be made has failed. */
export const createIsolation = (sandbox: Sandbox, checks = quick): Isolation => {
  const listeners = new Set<() => void>()
  let state: Isolated = { state: 'checking' }

  const found = (failed: Found[]): void => {
    state = failed.length === 0 ? { state: 'holds' } : { state: 'broken', failed }
    for (const tell of listeners) tell()
  }
  const check = async (): Promise<void> => {
    const failed: Found[] = []
    for (const one of checks) {
      const found = await outcome(one, { sandbox, canary: noCanary })
      if (!found.passed) failed.push(found)
    }
    found(failed)
  }
  const checked = check()

  const demand = async (): Promise<void> => {
    await checked
    if (state.state !== 'holds') throw new Error(whyOff(state))
  }
  return {
    subscribe: (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    get: () => state,
    found,
    sandbox: {
      run: async (options) => {
        await demand()
        return sandbox.run(options)
      },
      resume: async (continuation, options) => {
        await demand()
        return sandbox.resume(continuation, options)
      },
      dispose: () => sandbox.dispose(),
    },
  }
}

/** Why nothing runs, in a sentence for the person and the model. */
export const whyOff = (isolated: Isolated): string =>
  `Programs are turned off, since this webview does not keep them in: ${
    isolated.state === 'broken'
      ? isolated.failed.map(({ claim }) => `it failed that ${claim}`).join('; ')
      : 'it was not checked'
  }`
