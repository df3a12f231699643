import { createIsolation, type Isolation } from '../selftest/isolation'
import { fakeSandbox } from './fakeSandbox'

/** An isolation of which one check has been made, and passed. */
export const fakeIsolation = (passes = true): Isolation =>
  createIsolation(async () => ({
    sandbox: fakeSandbox(),
    checks: [{ group: 'test', claim: 'the test says so', tried: '', expected: true, run: async () => passes }],
  }))
