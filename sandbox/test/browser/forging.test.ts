// Group B of the cases, from inside: what a program can do to its own realm
// decides nothing, runs nothing and sees nothing of the harness.
import { assert } from 'chai'
import { makeHost } from '../fixture/host.js'
import { collect, explain, returned, run } from '../fixture/sandbox.js'

describe('forging from the program', () => {
  it('a forged “finished” message is not the result (B01)', async () => {
    const value = await returned(`
      for (const m of [{ type: 'done', value: 'fake' }, { type: 'result', status: 'ok', value: 'fake' }, { kind: 'result', nonce: 'x', value: 'fake' }])
        for (const post of [() => self.postMessage(m), () => postMessage(m), () => Object.getPrototypeOf(self).postMessage.call(self, m)])
          try { post() } catch {}
      return 'real'`)
    assert.equal(value, 'real')
  })

  it('synthetic events start nothing and settle nothing, and no message of the host is seen (B03)', async () => {
    const { result, host } = await run(`
      const seen = []
      const listen = (target) => { try { target.addEventListener('message', (e) => seen.push(e.data)) } catch {} }
      listen(self)
      try { self.onmessage = (e) => seen.push(e.data) } catch {}
      try { AbortSignal.prototype.addEventListener.call(self, 'message', (e) => seen.push(e.data)) } catch {}
      try { self.dispatchEvent(new MessageEvent('message', { data: { type: 'init', code: 'return 2' } })) } catch {}
      try { AbortSignal.prototype.dispatchEvent.call(self, new Event('message')) } catch {}
      await sdk.wait({ ms: 30 })
      return seen.length`)
    assert.equal(result.status, 'ok', explain(result))
    assert.equal(result.value, 0)
    assert.deepEqual(host.ran(), ['wait'])
  })

  it('the listener methods of AbortSignal work on signals and on nothing else (SPEC §7)', async () => {
    const value = await returned(`
      const controller = new AbortController()
      let fired = 0
      controller.signal.addEventListener('abort', () => { fired++ })
      controller.abort('why')
      const out = [fired, controller.signal.aborted, controller.signal.reason]
      for (const receiver of [self, globalThis, undefined, null, {}, new Blob([])])
        for (const method of ['addEventListener', 'removeEventListener', 'dispatchEvent'])
          try { AbortSignal.prototype[method].call(receiver, 'message', () => {}); out.push('worked on ' + typeof receiver) } catch (e) { if (!(e instanceof TypeError)) out.push(e.name) }
      return out`)
    assert.deepEqual(value, [1, true, 'why'])
  })

  it('patched prototypes never get the harness’ port or messages (B04)', async () => {
    const { result } = await run(`
      const caught = []
      const suspicious = (x) => { try { return x !== null && typeof x === 'object' && (typeof x.postMessage === 'function' || 'nonce' in x || 'ports' in x) } catch { return true } }
      const spy = (holder, key) => {
        try {
          const original = holder[key]
          holder[key] = function (...a) {
            if (suspicious(this)) caught[caught.length] = key
            for (let i = 0; i < a.length; i++) if (suspicious(a[i])) caught[caught.length] = key + ' argument'
            return originalApply(original, this, a)
          }
        } catch {}
      }
      const originalApply = Reflect.apply
      const chain = Object.getPrototypeOf(AbortSignal.prototype)
      spy(globalThis.MessagePort?.prototype ?? {}, 'postMessage')
      if (chain) { spy(chain, 'addEventListener'); spy(chain, 'dispatchEvent') }
      spy(Function.prototype, 'call'); spy(Function.prototype, 'apply'); spy(Function.prototype, 'bind')
      spy(Reflect, 'apply'); spy(Array.prototype, 'push'); spy(Promise.prototype, 'then'); spy(Map.prototype, 'get'); spy(Map.prototype, 'set')
      spy(Object, 'defineProperty'); spy(Object, 'freeze'); spy(Object, 'keys')
      await sdk.echo({ a: 1 })
      console.log('a line', { b: [2] })
      try { await sdk.fail({ how: 'error' }) } catch {}
      return caught`)
    assert.equal(result.status, 'ok', explain(result))
    assert.deepEqual(result.value, [])
  })

  it('the harness survives every builtin being replaced by one that throws (SPEC §7)', async () => {
    const { result, host } = await run(`
      const broken = function () { throw new Error('patched') }
      const names = ['Object', 'Function', 'Array', 'String', 'Number', 'Boolean', 'Symbol', 'Promise', 'Map', 'Set', 'WeakMap', 'WeakSet', 'Date', 'RegExp', 'Error', 'TypeError', 'JSON', 'Math', 'Reflect', 'Proxy', 'ArrayBuffer', 'DataView', 'Uint8Array', 'BigInt', 'Blob', 'File', 'TextEncoder', 'TextDecoder', 'AbortController', 'AbortSignal', 'URL']
      const holders = []
      for (const name of names) { const g = globalThis[name]; holders.push(g); if (g.prototype) holders.push(g.prototype) }
      holders.push(Object.getPrototypeOf(Uint8Array), Object.getPrototypeOf(Uint8Array.prototype), Object.getPrototypeOf([][Symbol.iterator]()), Object.getPrototypeOf(new Map()[Symbol.iterator]()), crypto, crypto.subtle, performance)
      const keys = Reflect.ownKeys, describe = Object.getOwnPropertyDescriptor, define = Object.defineProperty
      for (let i = 0; i < holders.length; i++) {
        const own = keys(holders[i])
        for (let j = 0; j < own.length; j++) {
          const key = own[j]
          if (key === 'constructor' || key === 'prototype') continue
          const descriptor = describe(holders[i], key)
          if (!descriptor || !descriptor.configurable) continue
          if (typeof descriptor.value === 'function') define(holders[i], key, { value: broken, writable: true, configurable: true })
          else if (descriptor.get) define(holders[i], key, { get: broken, configurable: true })
        }
      }
      for (let i = 0; i < names.length; i++) if (names[i] !== 'Object' && names[i] !== 'Function') globalThis[names[i]] = broken
      globalThis.structuredClone = broken; globalThis.queueMicrotask = broken; globalThis.setTimeout = broken
      const got = await sdk.echo({ q: 1 })
      console.log('still here', 1)
      let refused
      try { await sdk.notes.remove({ id: 1 }) } catch (e) { refused = true }
      return { q: got.q, refused }`)
    assert.equal(result.status, 'ok', explain(result))
    assert.deepEqual(result.value, { q: 1, refused: true })
    assert.include(result.logs.map((line) => line.text).join('\n'), 'still here')
    assert.deepEqual(host.ran(), ['echo'])
  })

  it('bytes are copied without asking for anything that a program may have changed (SPEC §7)', async () => {
    const { result, host } = await run(`
      const bytes = new Uint8Array([9, 1, 2, 3]).subarray(1)
      const { buffer } = bytes
      const typed = Object.getPrototypeOf(Uint8Array)
      const asked = []
      const spy = (object, key) => Object.defineProperty(object, key, { get() { asked.push(String(key)) }, configurable: true })
      for (const object of [bytes, buffer, Uint8Array.prototype, typed.prototype, ArrayBuffer.prototype]) spy(object, 'constructor')
      for (const type of [typed, ArrayBuffer, Uint8Array]) spy(type, Symbol.species)
      for (const key of [Symbol.iterator, 'buffer', 'byteLength', 'byteOffset', 'length', 'set', 'slice', 'subarray']) spy(typed.prototype, key)
      for (const key of ['byteLength', 'slice', 'resizable', 'maxByteLength', 'detached']) if (key in buffer) spy(ArrayBuffer.prototype, key)
      const back = await sdk.echo(bytes)
      return { asked, back: [back[0], back[1], back[2], back[3]], kept: [bytes[0], bytes[1], bytes[2]] }`)
    assert.equal(result.status, 'ok', explain(result))
    assert.deepEqual(result.value, { asked: [], back: [1, 2, 3, undefined], kept: [1, 2, 3] })
    assert.deepEqual(host.inputs('echo'), [new Uint8Array([1, 2, 3])])
  })

  it('accessors planted on Object.prototype under field names spoof nothing (B06)', async () => {
    const { result, host } = await run(`
      for (const k of ['callId','seq','fn','input','type','status','ok','value','error','nonce','then','approval','kind','id','state','data','port','ports','name','message','line','code','get','set','enumerable','configurable','writable'])
        Object.defineProperty(Object.prototype, k, { get() { return 'spoof' }, set(v) {}, configurable: true })
      return await sdk.echo({ q: 1 })`)
    assert.oneOf(result.status, ['ok', 'error'], explain(result))
    if (result.status === 'ok') assert.deepEqual(result.value, { q: 1 })
    for (const call of result.calls) assert.equal(call.fn, 'echo')
    for (const { fn, input } of host.ledger) assert.deepEqual([fn, input], ['echo', { q: 1 }])
    assert.isUndefined((Object.prototype as { fn?: unknown }).fn)
  })

  it('names from prototypes are no functions (B07)', async () => {
    const { result, host } = await run(`
      const out = []
      for (const path of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'notes.__proto__.x', 'notes.constructor', 'notes.toString', 'echo.list', '__proto__.constructor', 'notes.list.x']) {
        try { let f = sdk; for (const part of path.split('.')) f = f[part]; await f({}); out.push('ran ' + path) } catch (e) { out.push(e.name) }
      }
      return out`)
    assert.equal(result.status, 'ok', explain(result))
    assert.notMatch(String(result.value), /ran/)
    assert.deepEqual(host.ran(), [])
    assert.deepEqual(result.calls, [])
  })

  it('the function tree can be awaited, printed and stringified without a call (B09)', async () => {
    const { result, host } = await run(`
      const out = []
      out.push((await sdk) === sdk, (await sdk.notes) === sdk.notes, (await sdk.echo) === sdk.echo)
      JSON.stringify({ s: sdk })
      for (const show of [() => String(sdk), () => \`\${sdk.notes}\`, () => sdk + '', () => sdk.echo.toString()]) try { show() } catch {}
      console.log(sdk, sdk.notes, sdk.echo)
      await Promise.all([sdk, sdk.notes])
      return out`)
    assert.equal(result.status, 'ok', explain(result))
    assert.deepEqual(result.value, [true, true, true])
    assert.deepEqual(host.ran(), [])
    assert.deepEqual(result.calls, [])
  })

  it('the function tree is frozen and made of own properties only (SPEC §3)', async () => {
    const value = await returned(`
      'use strict'
      const out = []
      for (const change of [() => { sdk.x = 1 }, () => { sdk.notes.remove = 1 }, () => { delete sdk.echo }, () => { sdk.echo.x = 1 }, () => { Object.defineProperty(sdk.notes, 'y', { value: 1 }) }])
        try { change(); out.push('changed') } catch (e) { out.push(e instanceof TypeError) }
      out.push(Object.isFrozen(sdk), Object.isFrozen(sdk.notes), Object.isFrozen(sdk.echo))
      out.push(Object.keys(sdk).sort().join(), Object.keys(sdk.notes).sort().join())
      return out`)
    assert.deepEqual(value, [
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      'echo,fail,hang,mail,notes,wait',
      'get,list,remove',
    ])
  })

  it('the global `sdk` replaced by the program reaches nothing more (B07)', async () => {
    const { result, host } = await run(`
      const real = sdk
      try { globalThis.sdk = { notes: { remove: () => 'fake' } } } catch {}
      try { await real.notes.remove({ id: 1 }); return 'ran' } catch (e) { return e.name }`)
    assert.equal(result.value, 'ApprovalRejected', explain(result))
    assert.deepEqual(host.ran(), [])
  })

  it('neither this, arguments nor callers of the program’s code lead to the harness (SPEC §7)', async () => {
    const value = await returned(`
      const out = []
      out.push(this === globalThis || this === undefined)
      try { out.push(typeof arguments === 'undefined' || arguments.length === 0) } catch { out.push(true) }
      const climb = (f) => { try { return f.caller ?? null } catch { return null } }
      const looks = []
      function callback() { looks.push(climb(callback)); try { looks.push(arguments.callee.caller) } catch {} return 1 }
      await sdk.echo({ get a() { callback(); return 1 } })
      console.log({ toString: callback, get x() { callback(); return 1 } })
      await { then(resolve) { callback(); resolve(1) } }
      for (const look of looks) if (typeof look === 'function') { const text = Function.prototype.toString.call(look); out.push(/callId|nonce|postMessage/.test(text) ? text.slice(0, 200) : true) }
      return out`)
    for (const each of value as unknown[]) assert.equal(each, true)
  })

  it('stack hooks see no harness function (SPEC §7)', async () => {
    const value = await returned(`
      const out = []
      try {
        Error.prepareStackTrace = (_, frames) => { for (const frame of frames) { const f = frame.getFunction?.(); const t = frame.getThis?.(); if (f && /postMessage|nonce|callId/.test(f)) out.push('function'); if (t && typeof t.postMessage === 'function') out.push('this') } return 'x' }
      } catch {}
      new Error('a').stack
      try { await sdk.fail({}) } catch (e) { e.stack }
      try { sdk.echo(() => 1) } catch {}
      await sdk.echo({ get a() { new Error('b').stack; return 1 } })
      try { Error.stackTraceLimit = Infinity } catch {}
      console.log({ get x() { new Error('c').stack; return 1 } })
      return out`)
    assert.deepEqual(value, [])
  })

  it('a marked call cannot be made unmarked by the program (B06, F01)', async () => {
    const { result, host } = await collect(`
      Object.prototype.approval = false
      Object.prototype.marked = false
      const r = []
      for (const form of [{ id: 1, approval: false }, Object.assign(Object.create(null), { id: 2 })]) r.push(sdk.notes.remove(form))
      await Promise.all(r)
      return 1`)
    assert.equal(result.status, 'pending', explain(result))
    assert.lengthOf(result.pending ?? [], 2)
    assert.deepEqual(host.ran(), [])
  })
})

describe('what crosses from the host', () => {
  it('a host function’s result that cannot cross rejects at the call site and names the function (B15)', async () => {
    class Instance {
      method() {}
    }
    const host = makeHost({
      'bad.function': () => () => 1,
      'bad.promise': () => ({ inside: new Promise(() => {}) }),
      'bad.node': () => document.createElement('p'),
      'bad.window': () => window,
      'bad.instance': () => new Instance(),
      'bad.symbol': () => ({ s: Symbol('s') }),
      'bad.deep': () => ({ a: [{ f() {} }] }),
      'bad.weak': () => new WeakMap(),
      'bad.stream': () => new ReadableStream(),
      'bad.port': () => new MessageChannel().port1,
      'bad.throws': () => {
        throw { f() {} }
      },
    })
    const { result } = await run(
      `
      const out = {}
      for (const name of ${JSON.stringify(['function', 'promise', 'node', 'window', 'instance', 'symbol', 'deep', 'weak', 'stream', 'port', 'throws'])})
        try { await sdk.bad[name](); out[name] = 'crossed' } catch (e) { out[name] = e.name + ': ' + e.message }
      out.after = await sdk.echo('goes on')
      return out`,
      { host },
    )
    assert.equal(result.status, 'ok', explain(result))
    for (const [name, text] of Object.entries(result.value as Record<string, string>)) {
      if (name === 'after') assert.equal(text, 'goes on')
      else assert.include(text, `bad.${name}`)
    }
  })
})
