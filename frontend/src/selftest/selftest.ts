import type { Connection } from '../bindings'
import type { Ask } from '../bridge/bridge'
import type { Definition, Operations } from '../bridge/operations'
import { type Check, through, type WholeBench } from './check'
import { gates } from './gate'
import { live } from './live'
import { outcome } from './outcome'

/** Every check, through the whole app: the self-test of the command line. */
export const checks: Check<WholeBench>[] = [...live, ...gates]

interface Parts {
  connection: Connection
  ask: Ask
  operations: Operations
  definitions: Definition[]
  sandbox: WholeBench['sandbox']
  /** The address of the canary that Go has opened. */
  canary: string
}

/** Runs every check in this page, one after another, and reports each to Go. */
export const selfTest = async ({ canary, ...parts }: Parts): Promise<void> => {
  const bench: WholeBench = {
    ...parts,
    canary: {
      address: canary,
      heard: async () => Number(await through(bench, 'return await sdk.probe.heard()')),
      knock: async () => void (await through(bench, 'return await sdk.probe.knock()')),
    },
  }
  for (const check of checks) await bench.ask('selftest.report', { check: await outcome(check, bench) })
  await bench.ask('selftest.report', { done: checks.length })
}
