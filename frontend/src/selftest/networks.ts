import { alone, type Check, outcomeOf } from './check'
import { InWords } from './inWords'

/** Ways out, each a program text that may throw; `$` stands for the canary. */
const ways: [claim: string, attempt: string][] = [
  ['fetch reaches nothing', 'await fetch("$")'],
  [
    'an asynchronous XMLHttpRequest reaches nothing',
    `const x = new XMLHttpRequest(); x.open('GET', '$'); await new Promise((a, b) => { x.onload = a; x.onerror = b; x.send() })`,
  ],
  [
    'a synchronous XMLHttpRequest reaches nothing',
    `const x = new XMLHttpRequest(); x.open('GET', '$', false); x.send()`,
  ],
  [
    'a WebSocket reaches nothing',
    `const s = new WebSocket('$'.replace('http', 'ws')); await new Promise((a, b) => { s.onopen = a; s.onerror = b })`,
  ],
  [
    'an EventSource reaches nothing',
    `const s = new EventSource('$'); await new Promise((a, b) => { s.onopen = a; s.onerror = b })`,
  ],
  ['a beacon reaches nothing', `if (!navigator.sendBeacon('$')) throw 0`],
  ['importScripts reaches nothing', `importScripts('$')`],
  ['a dynamic import reaches nothing', `await import('$')`],
  ['a dynamic import from made code reaches nothing', `await (() => {}).constructor('return import("$")')()`],
  ['a dynamic import from eval reaches nothing', `await (0, eval)('import("$")')`],
  ['code in a data: address is not loaded', `await import('data:text/javascript,export default 1')`],
  ['a nested worker does not start', `new Worker('data:text/javascript,fetch("$")')`],
  ['a font face loads nothing', `await new FontFace('f', 'url($)').load()`],
  ['a WebTransport reaches nothing', `await new WebTransport('$'.replace('http:', 'https:')).ready`],
  ['a peer connection cannot be made', `new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1' }] })`],
  ['the app’s own page is not reached', `await fetch('wails://wails/')`],
]

export const networks: Check[] = [
  {
    group: 'networks',
    claim: 'the canary hears what reaches it (the control of this group)',
    tried: 'a request that Go makes to the canary',
    expected: true,
    run: async (bench) => {
      const before = await bench.canary.heard()
      await bench.canary.knock()
      return (await bench.canary.heard()) > before
    },
  },
  ...ways.map(
    ([claim, attempt]): Check => ({
      group: 'networks',
      claim,
      tried: attempt,
      expected: { program: 'refused', canary: 0 },
      run: async (bench) => {
        const before = await bench.canary.heard()
        const code = `try { ${attempt.replaceAll('$', bench.canary.address)}; return 'reached' } catch (e) { return 'refused: ' + e }`
        const words = String(outcomeOf(await alone(bench, code, { limits: { busyMs: 3000 } })))
        return new InWords({ program: words.split(':')[0], canary: (await bench.canary.heard()) - before }, words)
      },
    }),
  ),
  {
    group: 'networks',
    claim: 'the page itself connects to nothing but the app',
    tried: 'fetch(canary) in the page',
    expected: { page: 'refused', canary: 0 },
    run: async (bench) => {
      const before = await bench.canary.heard()
      const page = await fetch(bench.canary.address, { mode: 'no-cors' }).then(
        () => 'reached',
        () => 'refused',
      )
      return { page, canary: (await bench.canary.heard()) - before }
    },
  },
]
