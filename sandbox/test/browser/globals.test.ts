// SPEC §7: what the worker's global object holds, on its whole chain.
import { assert } from 'chai'
import { returned, shared } from '../fixture/sandbox.js'

// The ECMAScript built-ins without WebAssembly, SharedArrayBuffer, Atomics.
const LANGUAGE = [
  'Infinity',
  'NaN',
  'undefined',
  'globalThis',
  'eval',
  'isFinite',
  'isNaN',
  'parseFloat',
  'parseInt',
  'decodeURI',
  'decodeURIComponent',
  'encodeURI',
  'encodeURIComponent',
  'escape',
  'unescape',
  'AggregateError',
  'Array',
  'ArrayBuffer',
  'AsyncDisposableStack',
  'BigInt',
  'BigInt64Array',
  'BigUint64Array',
  'Boolean',
  'DataView',
  'Date',
  'DisposableStack',
  'Error',
  'EvalError',
  'FinalizationRegistry',
  'Float16Array',
  'Float32Array',
  'Float64Array',
  'Function',
  'Int8Array',
  'Int16Array',
  'Int32Array',
  'Intl',
  'Iterator',
  'JSON',
  'Map',
  'Math',
  'Number',
  'Object',
  'Promise',
  'Proxy',
  'RangeError',
  'ReferenceError',
  'Reflect',
  'RegExp',
  'Set',
  'String',
  'SuppressedError',
  'Symbol',
  'SyntaxError',
  'Temporal',
  'TypeError',
  'Uint8Array',
  'Uint8ClampedArray',
  'Uint16Array',
  'Uint32Array',
  'URIError',
  'WeakMap',
  'WeakRef',
  'WeakSet',
]
const HELPERS = [
  'self',
  'structuredClone',
  'atob',
  'btoa',
  'TextEncoder',
  'TextDecoder',
  'URL',
  'URLSearchParams',
  'Blob',
  'File',
  'AbortController',
  'AbortSignal',
  'DOMException',
  'queueMicrotask',
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'crypto',
  'performance',
]
const OURS = ['sdk', 'console']
// Chromium does not let go of these constants.
const STUCK = ['TEMPORARY', 'PERSISTENT']
// Firefox's own class of its stack overflow.
const KNOWN = new Set(['InternalError', ...LANGUAGE, ...HELPERS, ...OURS, ...STUCK])

// Members that every object has, or that the chain of the global brings.
const PLAIN = new Set([
  'constructor',
  'toString',
  'toLocaleString',
  'valueOf',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  '__proto__',
  '__defineGetter__',
  '__defineSetter__',
  '__lookupGetter__',
  '__lookupSetter__',
  'Symbol(Symbol.toStringTag)',
])

describe('the global object', () => {
  it('holds what the allow list names and nothing else, on its whole chain', async () => {
    const found = (await returned(`
      const out = []
      for (let o = globalThis; o; o = Object.getPrototypeOf(o)) for (const key of Reflect.ownKeys(o)) out.push(String(key))
      return out`)) as string[]
    assert.deepEqual(
      found.filter((name) => !KNOWN.has(name) && !PLAIN.has(name)),
      [],
    )
  })

  it('has every helper of the list', async () => {
    const missing = await returned(
      `return ${JSON.stringify([...HELPERS, ...OURS])}.filter((name) => !(name in globalThis))`,
    )
    assert.deepEqual(missing, [])
  })

  it('has every language built-in that the engine has', async () => {
    const here = LANGUAGE.filter((name) => name in globalThis)
    assert.deepEqual(await returned(`return ${JSON.stringify(here)}.filter((name) => !(name in globalThis))`), [])
  })

  it('self and globalThis are the same object', async () => {
    assert.equal(await returned('return self === globalThis'), true)
  })

  it('crypto and performance hold only the promised members', async () => {
    const found = (await returned(`
      const members = (o) => { const out = []; for (; o && o !== Object.prototype; o = Object.getPrototypeOf(o)) for (const key of Reflect.ownKeys(o)) if (typeof key === 'string' && key !== 'constructor') out.push(key); return [...new Set(out)].sort() }
      return [members(crypto), members(crypto.subtle), members(performance)]`)) as string[][]
    assert.deepEqual(found, [['getRandomValues', 'randomUUID', 'subtle'], ['digest'], ['now']])
  })

  it('URL has no object URLs', async () => {
    assert.deepEqual(
      await returned(
        'return [typeof URL.createObjectURL, typeof URL.revokeObjectURL, new URL("/a?b=1", "http://c.test").href, new URLSearchParams("a=1").get("a")]',
      ),
      ['undefined', 'undefined', 'http://c.test/a?b=1', '1'],
    )
  })

  it('the helpers work as in a page', async () => {
    const value = await returned(`
      const out = []
      out.push(atob(btoa('text')), new TextDecoder().decode(new TextEncoder().encode('é')))
      out.push(await new Blob(['a', 'b']).text(), new File(['x'], 'n').name)
      const c = new AbortController(); let fired = false
      c.signal.onabort = () => { fired = true }
      c.abort(); out.push(fired, c.signal.aborted)
      try { c.signal.throwIfAborted() } catch (e) { out.push(e.name) }
      out.push(AbortSignal.abort('r').reason)
      out.push(await new Promise((resolve) => queueMicrotask(() => resolve('micro'))))
      out.push(new DOMException('m', 'AbortError').name)
      return out`)
    assert.deepEqual(value, ['text', 'é', 'ab', 'n', true, true, 'AbortError', 'r', 'micro', 'AbortError'])
  })

  it('crypto.subtle.digest and randomUUID exist in every engine, on plain http too (SPEC §7)', async () => {
    const value = (await returned(`
      const hex = async (name, data) => [...new Uint8Array(await crypto.subtle.digest(name, data))].map((b) => b.toString(16).padStart(2, '0')).join('')
      const data = new TextEncoder().encode('abc')
      return [await hex('SHA-256', data), await hex({ name: 'SHA-1' }, data.buffer), await hex('SHA-512', new DataView(data.buffer)), crypto.randomUUID()]`)) as string[]
    assert.equal(value[0], 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    assert.equal(value[1], 'a9993e364706816aba3e25717850c26c9cd0d89d')
    assert.match(value[2] ?? '', /^ddaf35a193617aba/)
    assert.match(value[3] ?? '', /^[0-9a-f-]{36}$/)
  })

  it('digest refuses what it must: an unknown algorithm, an input that is no bytes', async () => {
    const value = (await returned(`
      const out = []
      for (const [name, data] of [['MD5', new Uint8Array(1)], ['SHA-256', 'text'], ['SHA-256', undefined]])
        try { await crypto.subtle.digest(name, data); out.push('worked') } catch (e) { out.push(e.name) }
      return out`)) as string[]
    assert.notInclude(value, 'worked')
  })

  it('digest hashes the visible bytes of a view only, as they were at the call', async () => {
    const value = await returned(`
      const hex = (b) => [...new Uint8Array(b)].map((x) => x.toString(16).padStart(2, '0')).join('')
      const big = new TextEncoder().encode('xxabcxx')
      const view = big.subarray(2, 5)
      const p = crypto.subtle.digest('SHA-256', view)
      big.fill(0)
      return hex(await p)`)
    assert.equal(value, 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })

  it('a digest in flight is neither a call nor counted as one', async () => {
    const result = await shared.run({
      code: 'await crypto.subtle.digest("SHA-256", new Uint8Array(1)); return 1',
      functions: {},
      limits: { calls: 1 },
    })
    assert.equal(result.value, 1)
    assert.deepEqual(result.calls, [])
  })

  it('ShadowRealm, importScripts and friends are not there', async () => {
    assert.deepEqual(
      await returned(
        `return ['ShadowRealm', 'importScripts', 'Worker', 'BroadcastChannel', 'caches', 'location', 'navigator', 'postMessage', 'close', 'fetch', 'WebAssembly', 'SharedArrayBuffer', 'Atomics', 'onmessage', 'onerror', 'requestAnimationFrame', 'OffscreenCanvas', 'createImageBitmap', 'FileReader', 'ReadableStream', 'CompressionStream', 'EventTarget', 'Event', 'MessageEvent', 'gc'].filter((name) => name in globalThis)`,
      ),
      [],
    )
  })

  it('nothing deleted comes back through a constructor of a helper', async () => {
    const value = (await returned(`
      const out = []
      for (const o of [new AbortController().signal, new Blob([]), new URL('http://a.test'), performance, crypto, crypto.subtle, new TextEncoder(), new DOMException('x')])
        for (let p = o; p; p = Object.getPrototypeOf(p)) { const c = Object.getOwnPropertyDescriptor(p, 'constructor')?.value; if (c) out.push(c.name) }
      return [...new Set(out)]`)) as string[]
    for (const name of ['Worker', 'MessagePort', 'WorkerGlobalScope', 'DedicatedWorkerGlobalScope'])
      assert.notInclude(value, name)
  })

  it('the stream of a Blob is no door to a class that was deleted', async () => {
    const value = await returned(
      'const b = new Blob(["x"]); return [typeof b.stream === "function" ? typeof b.stream().constructor : "undefined", typeof ReadableStream]',
    )
    assert.equal((value as string[])[1], 'undefined')
  })
})

after(() => shared.dispose())
