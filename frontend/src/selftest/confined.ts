import { createSandbox, type Sandbox } from '@faustine-ai/browser-sandbox'
import type { Check } from './check'
import { quick } from './quick'

/** The sandbox of this page, and what it must pass before it runs anything. */
export interface Confined {
  sandbox: Sandbox
  checks: Check[]
}

export const confine = (): Confined => ({
  sandbox: createSandbox({ frame: { url: '/sandbox.html' }, warm: true }),
  checks: quick,
})
