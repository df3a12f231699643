import type { Result, Sandbox } from '@faustine-ai/browser-sandbox'
import { describe, expect, it, vi } from 'vitest'
import { until } from '../testing/until'
import type { Check } from './check'
import { createIsolation, whyOff } from './isolation'
import { live } from './live'
import { quick } from './quick'
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
    } as unknown as Parameters<typeof selfTest>[0]
    await selfTest(bench)
    expect(reports.at(-1)).toEqual({ done: checks.length })
    const passed = reports.flatMap(({ check }) => (check?.passed ? [check.claim] : []))
    // Vitest runs outside a browser: no policy and no routes stand here either.
    expect(passed).toEqual([])
  })
})

describe('what a start is checked for', () => {
  const sandbox = () => {
    const ran: string[] = []
    return {
      ran,
      run: async ({ code }: { code: string }) => {
        ran.push(code)
        return { status: 'ok', value: 1 }
      },
      resume: async () => ({ status: 'ok' }),
      dispose: () => {},
    } as never as Sandbox & { ran: string[] }
  }
  const check = (passes: boolean | Promise<boolean>): Check => ({
    group: 'g',
    claim: 'the policy is in force',
    tried: 't',
    expected: true,
    run: () => Promise.resolve(passes),
  })
  const isolationOf = (sandbox: Sandbox, checks: Check[]) => createIsolation(async () => ({ sandbox, checks }))
  const program = { code: 'return 1', functions: {} }

  it('is the policies, the realm, and that a program ends: a part of what can be checked live', () => {
    expect(new Set(quick.map(({ group }) => group))).toEqual(new Set(['policy', 'realm', 'networks', 'termination']))
    expect(live.length).toBeGreaterThanOrEqual(60)
  })

  it('lets programs run when it holds, and not before it is known', async () => {
    let know = (_: boolean): void => {}
    const inner = sandbox()
    const isolation = isolationOf(inner, [check(new Promise((resolve) => (know = resolve)))])
    expect(isolation.get()).toEqual({ state: 'checking' })
    const running = isolation.sandbox.run(program)
    await new Promise((resolve) => setImmediate(resolve))
    expect(inner.ran).toEqual([])
    know(true)
    await expect(running).resolves.toMatchObject({ status: 'ok' })
    expect(isolation.get()).toEqual({ state: 'holds' })
  })

  it('turns programs off when one check has failed, and says which', async () => {
    const inner = sandbox()
    const isolation = isolationOf(inner, [check(true), check(false)])
    const why = /Programs are turned off.*the policy is in force/
    await expect(isolation.sandbox.run(program)).rejects.toThrow(why)
    await expect(isolation.sandbox.resume({}, { functions: {}, decisions: { all: 'approve' } })).rejects.toThrow(why)
    expect(inner.ran).toEqual([])
    expect(whyOff(isolation.get())).toMatch(why)
  })

  it('lets nothing run while a check cannot be made, and makes it again before the next program', async () => {
    const inner = sandbox()
    let tries = 0
    const slow: Check = {
      ...check(true),
      run: async () => {
        if (++tries < 3) throw new Error('no frame started in time')
        return true
      },
    }
    const isolation = isolationOf(inner, [slow])
    await expect(isolation.sandbox.run(program)).rejects.toThrow(
      'Programs cannot run yet, since it is not known whether they are kept in: 1 check could not be made (the policy is in force).',
    )
    expect(isolation.get()).toMatchObject({ state: 'unchecked' })
    expect(inner.ran).toEqual([])
    // Two that come together wait for the same checks.
    await Promise.all([isolation.sandbox.run(program), isolation.sandbox.run(program)])
    expect(tries).toBe(3)
    expect(isolation.get()).toEqual({ state: 'holds' })
  })

  it('takes a sandbox that does not start for a check that could not be made', async () => {
    const away = { status: 'error', error: { name: 'SandboxUnavailable', message: 'too slow' } } as unknown as Result
    const isolation = isolationOf({ ...sandbox(), run: async () => away }, quick.slice(-1))
    await expect(isolation.sandbox.run(program)).rejects.toThrow('could not be made')
  })

  it('takes a sandbox that cannot be loaded for one that could not be checked, and loads it again', async () => {
    const inner = sandbox()
    const confined = vi.fn(async () => ({ sandbox: inner as Sandbox, checks: [check(true)] }))
    confined.mockRejectedValueOnce(new Error('it could not be loaded'))
    const isolation = createIsolation(confined)
    expect(confined).not.toHaveBeenCalled() // not before it is told to
    isolation.begin()
    isolation.begin()
    await until(() => isolation.get().state === 'unchecked')
    expect(confined).toHaveBeenCalledTimes(1)
    expect(isolation.get()).toMatchObject({ failed: [{ answered: 'it could not be loaded' }] })
    await expect(isolation.sandbox.run(program)).resolves.toMatchObject({ status: 'ok' })
  })

  it('does not let a slow check have the last word over a later look', async () => {
    let know = (_: boolean): void => {}
    const isolation = isolationOf(sandbox(), [check(new Promise((resolve) => (know = resolve)))])
    const running = isolation.sandbox.run(program)
    isolation.found([{ group: 'g', claim: 'c', tried: 't', expected: 'e', answered: 'a', passed: false }])
    know(true)
    await expect(running).rejects.toThrow('turned off')
    await expect(isolation.sandbox.run(program)).rejects.toThrow('turned off')
  })

  it('follows what a later look has found', async () => {
    const isolation = isolationOf(sandbox(), [check(true)])
    await isolation.sandbox.run(program)
    isolation.found([{ group: 'g', claim: 'c', tried: 't', expected: 'e', answered: 'a', passed: false }])
    await expect(isolation.sandbox.run(program)).rejects.toThrow('turned off')
    isolation.found([])
    await expect(isolation.sandbox.run(program)).resolves.toMatchObject({ status: 'ok' })
  })
})
