import type { Sandbox } from '@faustine-ai/browser-sandbox'
import type { Found } from './check'
import type { Confined } from './confined'
import { outcome } from './outcome'

/**
 * Whether what programs are kept in holds in this webview, as far as is known.
 * `broken`: a check was answered otherwise than it must be. `unchecked`: one could
 * not be made, as on a machine that is too busy to start a frame in time.
 */
export type Isolated =
  | { state: 'checking' }
  | { state: 'holds' }
  | { state: 'broken'; failed: Found[] }
  | { state: 'unchecked'; failed: Found[] }

/** The checks at the start, and what follows from them. */
export interface Isolation {
  /** Makes the checks, unless they have begun. The first program does so too. */
  begin(): void
  subscribe(listener: () => void): () => void
  get(): Isolated
  /** What a later look at everything has found: it counts in place of the start's. */
  found(failed: Found[]): void
  /** A sandbox that runs nothing before the checks have passed, and nothing at all when one has not. */
  sandbox: Sandbox
}

const notThere = (error: Error): Found => ({
  group: 'sandbox',
  claim: 'programs are kept in',
  tried: 'loading the sandbox',
  expected: 'it is there',
  answered: error.message,
  passed: false,
  unmade: true,
})

const noCanary = { address: '', heard: async () => 0, knock: async () => {} }

/**
 * Checks when it is told to, and before the first program at the latest. A check
 * that is answered wrongly turns programs off; one that cannot be made holds them
 * back, and is made again before the next program. `confined` is asked for the
 * sandbox then; while it rejects, nothing could be checked.
 */
export const createIsolation = (confined: () => Promise<Confined>): Isolation => {
  const listeners = new Set<() => void>()
  let state: Isolated = { state: 'checking' }
  let checked: Promise<void> | undefined
  let looks = 0 // at what programs are kept in; only the latest counts

  const become = (next: Isolated): void => {
    state = next
    for (const tell of listeners) tell()
  }
  const found = (failed: Found[]): void => {
    const wrong = failed.filter(({ unmade }) => !unmade)
    if (failed.length === 0) become({ state: 'holds' })
    else if (wrong.length > 0) become({ state: 'broken', failed: wrong })
    else become({ state: 'unchecked', failed })
  }
  const look = async (): Promise<Found[]> => {
    const failed: Found[] = []
    const { sandbox, checks } = await confined()
    for (const one of checks) {
      const found = await outcome(one, { sandbox, canary: noCanary })
      if (!found.passed) failed.push(found)
    }
    return failed
  }
  const check = async (): Promise<void> => {
    const own = ++looks
    const failed = await look().catch((error: Error) => [notThere(error)])
    if (own === looks) found(failed)
  }
  const begin = (): Promise<void> => {
    checked ??= check()
    return checked
  }

  /** The sandbox, for one program. Rejects when none may run. */
  const demand = async (): Promise<Sandbox> => {
    await begin()
    // Whoever comes first makes them again; the others wait for what that gives.
    if (state.state === 'unchecked') {
      become({ state: 'checking' })
      checked = undefined
    }
    await begin()
    if (state.state !== 'holds') throw new Error(whyOff(state))
    return (await confined()).sandbox
  }
  return {
    begin: () => void begin(),
    subscribe: (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    get: () => state,
    found: (failed) => {
      looks++
      checked = Promise.resolve()
      found(failed)
    },
    sandbox: {
      run: async (options) => (await demand()).run(options),
      resume: async (continuation, options) => (await demand()).resume(continuation, options),
      dispose: () =>
        void confined().then(
          ({ sandbox }) => sandbox.dispose(),
          () => {}, // there is none
        ),
    },
  }
}

/** Why nothing runs, in a sentence for the person and the model. */
export const whyOff = (isolated: Isolated): string => {
  switch (isolated.state) {
    case 'broken':
      return `Programs are turned off, since this webview does not keep them in: ${brief(isolated.failed, 'failed')}`
    case 'unchecked':
      return `Programs cannot run yet, since it is not known whether they are kept in: ${brief(isolated.failed, 'could not be made')}. The next program has the checks made again`
    default:
      return 'Programs cannot run yet: whether this webview keeps them in is being checked'
  }
}

/** How many checks came to that, and the first of them: “3 checks failed (the policy is in force, and 2 more)”. */
export const brief = (found: Found[], cameTo: string): string => {
  const more = found.length > 1 ? `, and ${found.length - 1} more` : ''
  return `${found.length} ${found.length === 1 ? 'check' : 'checks'} ${cameTo} (${found[0]?.claim}${more})`
}
