import { type Check, programs } from './check'

const gone = (names: string): string => `
const found = []
for (let o = globalThis; o; o = Object.getPrototypeOf(o))
  for (const name of ${JSON.stringify(names.split(' '))}) if (Object.getOwnPropertyDescriptor(o, name)) found.push(name)
return found`

const storage = programs('storage', [
  ['there is no Cache API', gone('caches Cache CacheStorage'), []],
  ['there is no IndexedDB', gone('indexedDB IDBFactory IDBDatabase'), []],
  ['there is no local or session storage, no cookie', gone('localStorage sessionStorage cookieStore Storage'), []],
  [
    'there is no file system',
    gone('FileSystemHandle FileSystemFileHandle FileSystemDirectoryHandle showOpenFilePicker'),
    [],
  ],
  [
    'nothing is kept from one run to the next',
    'const before = globalThis.kept; globalThis.kept = 1; Object.prototype.kept = 2; return before ?? "nothing"',
    'nothing',
  ],
  ['the same program finds nothing when it runs again', 'return globalThis.kept ?? ({}).kept ?? "nothing"', 'nothing'],
])

const realm = programs('realm', [
  [
    'no network interface is left on the chain of the global',
    gone('fetch XMLHttpRequest WebSocket EventSource WebTransport RTCPeerConnection Request Response'),
    [],
  ],
  ['no way to start other realms is left', gone('Worker SharedWorker ServiceWorker importScripts Worklet'), []],
  [
    'no channel to other realms is left',
    gone('BroadcastChannel MessageChannel MessagePort postMessage onmessage addEventListener dispatchEvent'),
    [],
  ],
  ['no WebAssembly, no shared memory', gone('WebAssembly SharedArrayBuffer Atomics'), []],
  [
    'no location, no navigator, no close',
    gone('location navigator WorkerLocation WorkerNavigator close origin name'),
    [],
  ],
  [
    'no window, no document, no parent',
    'return [typeof window, typeof document, typeof parent, typeof top, typeof frames]',
    Array(5).fill('undefined'),
  ],
  [
    'no object addresses can be made',
    'return [typeof URL.createObjectURL, typeof URL.revokeObjectURL]',
    ['undefined', 'undefined'],
  ],
  [
    '`self` is the global object and nothing more',
    'return self === globalThis && Object.keys(self).filter((name) => /fetch|port|secret|harness/i.test(name)).length === 0',
    true,
  ],
])

const constructors = programs('constructors', [
  [
    'constructors of every kind of function see the same bare realm',
    `const out = []
for (const f of [function () {}, async () => {}, function* () {}, async function* () {}]) {
  let made = f.constructor('return typeof window + typeof fetch + typeof postMessage')()
  if (made.next) made = await made.next(); else made = await made
  out.push(made.value ?? made)
}
return out`,
    Array(4).fill('undefinedundefinedundefined'),
  ],
  [
    'indirect eval sees the same bare realm',
    `return (0, eval)('typeof window + typeof fetch + typeof importScripts')`,
    'undefinedundefinedundefined',
  ],
  [
    'nothing that the harness made leads to another realm',
    `return [sdk, console, console.log, setTimeout, crypto, structuredClone].map((o) => (o.constructor?.constructor ?? (() => () => 'undefinedundefined'))('return typeof window + typeof fetch')())`,
    Array(6).fill('undefinedundefined'),
  ],
  [
    'neither `this` nor `arguments` nor a caller leads to the harness',
    `const seen = (function () { return [this === undefined || this === globalThis, arguments.length, (() => { try { return String(arguments.callee.caller) } catch { return 'null' } })()] })(); return seen`,
    [true, 0, 'null'],
  ],
  [
    'an error of the harness is an error of the program’s own realm',
    `try { structuredClone(() => {}) } catch (e) { return [e instanceof Error, e.constructor.constructor('return typeof window')()] }`,
    [true, 'undefined'],
  ],
  [
    'patched prototypes get none of the harness’ messages',
    `const seen = []
for (const [o, name] of [[Array.prototype, 'push'], [Function.prototype, 'call'], [Map.prototype, 'get'], [Promise.prototype, 'then']]) {
  const real = o[name]
  o[name] = function (...a) { for (const x of a) if (x && typeof x === 'object' && ('nonce' in x || 'port' in x)) seen[seen.length] = name; return Reflect.apply(real, this, a) }
}
console.log('x'); await null
return seen.length`,
    0,
  ],
  [
    'the tree of functions is frozen',
    `try { sdk.extra = 1 } catch {} return [Object.isFrozen(sdk), 'extra' in sdk, typeof sdk.constructor]`,
    [true, false, 'undefined'],
  ],
])

export const realms: Check[] = [...storage, ...realm, ...constructors]
