// Group A of the cases: a program reaches no network, no storage, no other realm.
import { assert } from 'chai'
import { canary, hits, requestsWith, token } from '../fixture/machine.js'
import { errorOf, explain, makeSandbox, returned, run, type Sandbox } from '../fixture/sandbox.js'
import { setup } from '../fixture/setup.js'

// Absent in every realm that a program can reach; the list of SPEC §7 is in
// globals.test.ts, these are the names that the cases ask for one by one.
const GONE = [
  'fetch',
  'caches',
  'indexedDB',
  'importScripts',
  'location',
  'navigator',
  'XMLHttpRequest',
  'WebSocket',
  'EventSource',
  'Worker',
  'SharedWorker',
  'WebAssembly',
  'SharedArrayBuffer',
  'Atomics',
  'BroadcastChannel',
  'MessageChannel',
  'MessagePort',
  'postMessage',
  'close',
  'Response',
  'Request',
  'FontFace',
  'WebTransport',
  'RTCPeerConnection',
  'RTCDataChannel',
  'Notification',
  'webkit',
  'origin',
  'name',
  'addEventListener',
  'dispatchEvent',
  'onmessage',
  'reportError',
  'Function.prototype.caller',
]

it('the canary counts a request of the page itself (the control of this file)', async () => {
  const mark = token()
  await fetch(canary(mark))
  assert.lengthOf(await hits(mark), 1)
})

for (const mode of ['url', 'srcdoc'] as const) {
  describe(`in ${mode} mode`, () => {
    let sandbox: Sandbox
    before(() => {
      sandbox = makeSandbox({ frame: mode === 'url' ? { url: '/sandbox.html' } : { srcdoc: true }, warm: true })
    })
    after(() => sandbox.dispose())
    const value = (code: string) => returned(code, { sandbox })

    it('no network interface of the worker reaches the canary (A01)', async () => {
      const mark = token()
      const http = canary(mark)
      const outcomes = (await value(`
        const url = ${JSON.stringify(http)}
        const tries = {
          fetch: () => fetch(url),
          xhr: () => new Promise((resolve, reject) => { const x = new XMLHttpRequest(); x.open('GET', url); x.onload = resolve; x.onerror = () => reject(new Error('refused')); x.send() }),
          xhrSync: () => { const x = new XMLHttpRequest(); x.open('GET', url, false); x.send() },
          socket: () => new Promise((resolve, reject) => { const s = new WebSocket(url.replace('http', 'ws')); s.onopen = resolve; s.onerror = () => reject(new Error('refused')) }),
          events: () => new Promise((resolve, reject) => { const s = new EventSource(url); s.onopen = resolve; s.onerror = () => reject(new Error('refused')) }),
          beacon: () => navigator.sendBeacon(url),
          font: () => new FontFace('f', 'url(' + url + ')').load(),
          transport: () => new WebTransport(url.replace('http', 'https')).ready,
        }
        const out = {}
        for (const [name, attempt] of Object.entries(tries)) {
          try { await attempt(); out[name] = 'reached' } catch (e) { out[name] = e.name }
        }
        return out`)) as Record<string, string>
      for (const [name, outcome] of Object.entries(outcomes)) assert.notEqual(outcome, 'reached', name)
      assert.lengthOf(Object.keys(outcomes), 8)
      assert.deepEqual(await hits(mark), [])
    })

    it('the page’s own server and the app’s scheme are not reached (A03)', async () => {
      const mark = token()
      const code = `
        for (const u of ['wails://wails/?${mark}', 'wails://wails/wails/runtime.js?${mark}', 'http://wails.localhost/?${mark}', '/?${mark}', './x?${mark}', ${JSON.stringify(location.origin)} + '/?${mark}'])
          try { await fetch(u); return 'reached ' + u } catch {}
        return 'none'`
      assert.equal(await value(code), 'none')
      assert.deepEqual(await requestsWith(mark), [])
    })

    it('loading code is no network channel (A04)', async () => {
      const mark = token()
      const http = canary(mark)
      const outcomes = await value(`
        const out = []
        for (const attempt of [
          () => importScripts('${http}-a?secret=1'),
          () => import('${http}-b?secret=1'),
          () => import('data:text/javascript,export default 1'),
          () => new Function('return import("${http}-c")')(),
          () => (0, eval)('import("${http}-d")'),
          () => new Function('importScripts("${http}-e")')(),
        ]) try { await attempt(); out.push('loaded') } catch (e) { out.push('refused') }
        return out`)
      assert.deepEqual(outcomes, Array(6).fill('refused'))
      assert.deepEqual(await hits(mark), [])
    })

    it('an image, style or script address built from a blob loads nothing either (A04)', async () => {
      const mark = token()
      const code = `
        const out = [typeof URL.createObjectURL, typeof URL.revokeObjectURL, typeof Image, typeof document]
        try { await import(URL.createObjectURL(new Blob(['fetch("${canary(mark)}")'], { type: 'text/javascript' }))); out.push('loaded') } catch { out.push('refused') }
        return out`
      assert.deepEqual(await value(code), ['undefined', 'undefined', 'undefined', 'undefined', 'refused'])
      assert.deepEqual(await hits(mark), [])
    })

    it('the Cache API is absent (A06)', async () => {
      assert.equal(
        await value(
          `if (typeof caches === 'undefined') return 'absent'; const c = await caches.open('k'); return 'present'`,
        ),
        'absent',
      )
    })

    it('storage of every kind is absent (A06)', async () => {
      const code = `return ['caches','indexedDB','localStorage','sessionStorage','cookieStore','navigator','FileSystemHandle','FileSystemFileHandle','FileSystemDirectoryHandle'].filter((name) => name in globalThis)`
      assert.deepEqual(await value(code), [])
    })

    it('what is gone is gone on every object of the prototype chain (A07)', async () => {
      const found = await value(`
        let o = globalThis
        const out = []
        while (o) {
          for (const k of ${JSON.stringify(GONE)}) if (Object.getOwnPropertyDescriptor(o, k)) out.push(k)
          o = Object.getPrototypeOf(o)
        }
        return out`)
      assert.deepEqual(found, [])
    })

    it('no location, document, window, parent or top to navigate with (A10)', async () => {
      const mark = token()
      const frames = [...document.querySelectorAll('iframe')].map((frame) => frame.src)
      const here = location.href
      const kinds = await value(`
        try { location = '${canary(mark)}-nav' } catch {}
        try { self.location.href = '${canary(mark)}-nav2' } catch {}
        delete globalThis.location
        return [typeof location, typeof document, typeof window, typeof parent, typeof top]`)
      // The program assigned to an undeclared name: a plain string of its own
      // may stand there, an object with an address may not.
      for (const kind of kinds as string[]) assert.equal(kind, 'undefined')
      assert.deepEqual(await hits(mark), [])
      assert.equal(location.href, here)
      assert.deepEqual(
        [...document.querySelectorAll('iframe')].map((frame) => frame.src),
        frames,
      )
    })

    it('function constructors give the same bare realm (A12)', async () => {
      const seen = (await value(`
        const out = []
        const body = 'return typeof window + typeof sdk + typeof fetch'
        out.push(function () {}.constructor(body)())
        out.push(await (async () => {}).constructor(body)())
        out.push(function* () {}.constructor(body)().next().value)
        out.push((await async function* () {}.constructor(body)().next()).value)
        out.push((0, eval)('typeof window + typeof sdk + typeof fetch'))
        return out`)) as string[]
      assert.deepEqual(seen, Array(5).fill('undefinedobjectundefined'))
    })

    it('nothing made by the host leads to another realm (A13)', async () => {
      const seen = (await value(`
        const p = sdk.echo({ a: 1 })
        const v = await p
        let e, r
        try { await sdk.fail({ how: 'error' }) } catch (x) { e = x }
        try { await sdk.notes.remove({ id: 1 }) } catch (x) { r = x }
        const seen = []
        for (const o of [p, v, e, r, sdk, sdk.notes, sdk.echo, console, console.log, self, crypto, crypto.subtle, performance]) {
          try { seen.push(o.constructor.constructor('return typeof window + typeof document')()) } catch { seen.push('n') }
        }
        return seen`)) as string[]
      assert.lengthOf(seen, 13)
      for (const each of seen) assert.oneOf(each, ['undefinedundefined', 'n'])
    })

    it('host errors are errors of the program’s own realm (A13)', async () => {
      const seen = await value(`
        const out = []
        for (const how of ['error', 'type', 'null', 'string']) {
          try { await sdk.fail({ how }); out.push('none') } catch (e) { out.push(e instanceof Error ? Object.getPrototypeOf(e) === Error.prototype || e instanceof TypeError : typeof e) }
        }
        const v = await sdk.echo({ a: [new Date(0), new Map()] })
        out.push(v.constructor === Object, v.a instanceof Array, v.a[0] instanceof Date, v.a[1] instanceof Map)
        return out`)
      assert.notInclude(seen as unknown[], false)
    })

    it('WebRTC and WebTransport are unusable from the worker (A15)', async () => {
      assert.deepEqual(await value('return [typeof RTCPeerConnection, typeof RTCDataChannel, typeof WebTransport]'), [
        'undefined',
        'undefined',
        'undefined',
      ])
    })

    it('the live frame is sandboxed with allow-scripts and nothing else (A17)', async () => {
      await value('return 1')
      const frames = [...document.querySelectorAll('iframe')]
      assert.isNotEmpty(frames)
      for (const frame of frames) {
        assert.equal(frame.getAttribute('sandbox'), 'allow-scripts')
        assert.isFalse(
          frame.hasAttribute('allow') &&
            frame.getAttribute('allow') !== '' &&
            /\*|self/.test(frame.getAttribute('allow') ?? ''),
        )
      }
    })

    it('a nested worker cannot be made (E26, A07)', async () => {
      const error = await errorOf(`new Worker('data:text/javascript,1')`, { sandbox })
      assert.match(error.message, /Worker/)
    })
  })
}

it('messages of the frame come from an opaque origin (A17)', async () => {
  const origins = new Set<string>()
  const listener = (event: MessageEvent) => {
    if (event.source !== window) origins.add(event.origin)
  }
  addEventListener('message', listener)
  const sandbox = makeSandbox()
  const { result } = await run('return await sdk.echo(1)', { sandbox })
  removeEventListener('message', listener)
  sandbox.dispose()
  assert.equal(result.status, 'ok', explain(result))
  assert.deepEqual([...origins], ['null'])
})

it('the frame document carries the promised policy before any script, and so does the header (A17)', async () => {
  const response = await fetch('/dist/sandbox.html')
  const frame = new DOMParser().parseFromString(await response.text(), 'text/html')
  const meta = frame.querySelector('meta[http-equiv="Content-Security-Policy" i]')
  assert.isNotNull(meta)
  const scripts = [...frame.querySelectorAll('script')]
  assert.isNotEmpty(scripts)
  for (const script of scripts)
    assert.ok((meta as Element).compareDocumentPosition(script) & Node.DOCUMENT_POSITION_FOLLOWING)
  const policy = new Map(
    (meta?.getAttribute('content') ?? '').split(';').map((part) => {
      const [name, ...sources] = part.trim().split(/\s+/)
      return [name, sources] as const
    }),
  )
  assert.deepEqual(policy.get('default-src'), ["'none'"])
  assert.deepEqual(policy.get('connect-src'), ["'none'"])
  assert.deepEqual(policy.get('form-action'), ["'none'"])
  assert.deepEqual(policy.get('base-uri'), ["'none'"])
  assert.deepEqual(policy.get('worker-src'), ['blob:'])
  assert.isFalse(policy.has('frame-src'))
  const sources = policy.get('script-src') ?? []
  assert.include(sources, "'unsafe-eval'")
  for (const source of sources) assert.match(source, /^'(unsafe-eval|sha(256|384|512)-[A-Za-z0-9+/=]+)'$/)
  const served = await fetch('/sandbox.html')
  assert.equal(served.headers.get('content-security-policy'), meta?.getAttribute('content'))
})

it('the frame document holds no WebRTC and no native bridge that a script could use (A15, G01)', async () => {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.src = '/sandbox-hooked.html'
  const seen = await new Promise<Record<string, string>>((resolve) => {
    addEventListener('message', function listener(event) {
      if (event.source !== frame.contentWindow || !event.data?.hook) return
      removeEventListener('message', listener)
      resolve(event.data.hook)
    })
    document.body.append(frame)
  })
  frame.remove()
  assert.equal(seen.rtc, 'undefined')
  assert.equal(seen.rtcPrefixed, 'undefined')
  assert.equal(seen.handlers, 'undefined')
  assert.equal(seen.origin, 'null')
})

describe('under a strict page policy (A19)', () => {
  let seen: {
    srcdoc: { status: string; name: string; message: string; ms: number }
    url: { status: string; value: unknown }
    resumed: unknown[]
    hint: string
  }
  before(async function () {
    this.timeout(30_000)
    const page = document.createElement('iframe')
    page.src = '/strict.html'
    seen = await new Promise((resolve) => {
      addEventListener('message', function listener(event) {
        if (event.source !== page.contentWindow) return
        removeEventListener('message', listener)
        resolve(event.data)
      })
      document.body.append(page)
    })
    page.remove()
  })

  it('srcdoc mode ends as SandboxUnavailable with the reason, within the boot limit', () => {
    assert.equal(seen.srcdoc.status, 'error')
    assert.equal(seen.srcdoc.name, 'SandboxUnavailable')
    assert.isAbove(seen.srcdoc.message.length, 20)
    assert.isBelow(seen.srcdoc.ms, 6_000)
  })

  it('url mode works', () => {
    assert.deepEqual(seen.url, { status: 'ok', value: 42 })
  })

  it('so do resuming and hints, which are loaded on demand', () => {
    assert.deepEqual(seen.resumed, ['pending', 'ok', 7])
    assert.include(seen.hint, 'The functions that exist: sdk.act.')
  })
})

if (setup.engine === 'chromium') {
  it('Chromium, whose frame documents have WebRTC, is the engine that the frame test is about', () => {
    assert.equal(typeof RTCPeerConnection, 'function')
  })
}
