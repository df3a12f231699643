import type { Result, RunOptions, Sandbox } from '@faustine-ai/browser-sandbox'
import type { Connection } from '../bindings'
import type { Ask } from '../bridge/bridge'
import type { Definition, Operations } from '../bridge/operations'
import { runProgram } from '../run/runProgram'

/** A server of the loopback interface that hears whatever gets out of the sandbox. */
export interface Canary {
  address: string
  /** How many connections it has met. */
  heard(): Promise<number>
  /** Connects to it as an escaped program would, to prove that it hears. */
  knock(): Promise<void>
}

/** What a check works with that looks at the sandbox alone. */
export interface Bench {
  sandbox: Sandbox
  canary: Canary
}

/** What a check works with that looks at the way through bridge, gate and log too. */
export interface WholeBench extends Bench {
  connection: Connection
  ask: Ask
  operations: Operations
  definitions: Definition[]
}

/**
 * One check. `run` gives what the engine answered; the check passes when that
 * is `expected`, and fails on anything else, a throw included.
 */
export interface Check<B extends Bench = Bench> {
  group: string
  claim: string
  tried: string
  expected: unknown
  run(bench: B): Promise<unknown>
}

/** What came of a check, for people; `passed` is what counts. */
export interface Found {
  group: string
  claim: string
  tried: string
  expected: string
  answered: string
  passed: boolean
  /** The check could not be made, so nothing is known: the webview was too slow, or no frame started. */
  unmade?: true
}

/** What of a result a check looks at. */
export const outcomeOf = (result: Result): unknown => {
  switch (result.status) {
    case 'ok':
      return result.value
    case 'limit':
      return `limit ${result.error.limit}`
    case 'pending':
      return 'pending'
    default:
      return `${result.status} ${result.error.name}: ${result.error.message}`
  }
}

/** Runs a program in the sandbox alone, without the app's functions. Throws where there is no sandbox to run it in. */
export const alone = async (bench: Bench, code: string, options: Partial<RunOptions> = {}): Promise<Result> => {
  const result = await bench.sandbox.run({ functions: {}, ...options, code })
  if (result.status === 'error' && result.error.name === 'SandboxUnavailable') throw new Error(result.error.message)
  return result
}

/** Runs a program as the app does: through bridge, gate and log. */
export const through = async (
  bench: WholeBench,
  code: string,
  signal = new AbortController().signal,
): Promise<unknown> => {
  const program = { code, request: 'self-test', model: 'self-test' }
  const quiet = { event: () => {}, waiting: () => {}, notice: () => {} }
  const host = { ...bench, definitions: () => bench.definitions }
  return outcomeOf((await runProgram(host, 'self-test', program, signal, quiet)).result)
}

/** Checks that are a program each, run in the sandbox alone. */
export const programs = (group: string, list: [claim: string, code: string, expected: unknown][]): Check[] =>
  list.map(([claim, code, expected]) => ({
    group,
    claim,
    tried: code,
    expected,
    run: async (bench) => outcomeOf(await alone(bench, code)),
  }))

/** Checks that are a program each, run through the whole app. */
export const wholePath = (
  group: string,
  list: [claim: string, code: string, expected: unknown][],
): Check<WholeBench>[] =>
  list.map(([claim, code, expected]) => ({
    group,
    claim,
    tried: code,
    expected,
    run: (bench) => through(bench, code),
  }))
