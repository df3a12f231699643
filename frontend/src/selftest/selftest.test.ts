import { describe, expect, it } from 'vitest'
import type { Bench } from './check'
import { checks, selfTest } from './selftest'

describe('the self-test', () => {
  it('has at least sixty checks, each with a claim of its own', () => {
    expect(checks.length).toBeGreaterThanOrEqual(60)
    expect(new Set(checks.map(({ group, claim }) => `${group} ${claim}`)).size).toBe(checks.length)
  })

  it('reports every check as failed where nothing answers as it should', async () => {
    const reports: { check?: { claim: string; passed: boolean }; done?: number }[] = []
    const refuse = () => Promise.reject(new Error('nothing is here'))
    const bench = {
      connection: { send: refuse, secret: 'x' },
      ask: async (_op: string, args: unknown) => void reports.push(args as never),
      operations: new Proxy({}, { get: () => refuse }),
      definitions: [],
      sandbox: { run: refuse, resume: refuse, dispose: () => {} },
      canary: 'http://127.0.0.1:9/',
    } as unknown as Bench
    await selfTest(bench)
    expect(reports.at(-1)).toEqual({ done: checks.length })
    const passed = reports.flatMap(({ check }) => (check?.passed ? [check.claim] : []))
    // Vitest runs outside a browser: no policy and no routes stand here either.
    expect(passed).toEqual([])
  })
})
