import { alone, type Check, outcomeOf } from './check'
import { policies } from './policies'

/** What must not be on the global of a program or its chain, whatever the engine calls new things. */
const doors =
  'fetch XMLHttpRequest WebSocket EventSource WebTransport RTCPeerConnection Worker SharedWorker importScripts ' +
  'postMessage BroadcastChannel MessageChannel addEventListener caches indexedDB navigator location close ' +
  'WebAssembly SharedArrayBuffer Atomics webkit chrome external window document parent top'

const program = (group: string, claim: string, code: string, expected: unknown, limits = {}): Check => ({
  group,
  claim,
  tried: code,
  expected,
  run: async (bench) => outcomeOf(await alone(bench, code, { limits })),
})

/**
 * The few checks that are made at each start, in some hundred milliseconds: that
 * both policies are in force, that a program finds no door and no native bridge,
 * that it loads no code, and that it can be ended.
 */
export const quick: Check[] = [
  ...policies.filter(({ tried }) => !tried.includes('srcdoc')),
  program(
    'realm',
    'a program finds no network, no page, no storage and no native bridge',
    `const found = []
for (let o = globalThis; o; o = Object.getPrototypeOf(o))
  for (const name of ${JSON.stringify(doors.split(' '))}) if (Object.getOwnPropertyDescriptor(o, name)) found.push(name)
return found`,
    [],
  ),
  program(
    'networks',
    'a program loads no code',
    `try { await import('data:text/javascript,export default 1'); return 'loaded' } catch { return 'refused' }`,
    'refused',
  ),
  program('termination', 'a loop is ended', 'while (true) {}', 'limit busyMs', { busyMs: 100 }),
]
