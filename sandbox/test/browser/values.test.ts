// Group C of the cases: what crosses between program and host, and what is
// refused by name.
import { assert } from 'chai'
import { makeHost } from '../fixture/host.js'
import { collect, errorOf, explain, held, resume, returned, run, shared } from '../fixture/sandbox.js'
import { stall } from '../fixture/stall.js'

// Each entry: an expression, and a check of its copy `b` that is an expression too.
const BATTERY: [name: string, make: string, check: string][] = [
  ['undefined', 'undefined', 'b === undefined'],
  ['null', 'null', 'b === null'],
  ['false', 'false', 'b === false'],
  ['true', 'true', 'b === true'],
  ['empty string', '""', 'b === ""'],
  ['lone high surrogate', '"p\\uD800q"', 'b === "p\\uD800q"'],
  ['lone low surrogate', '"\\uDC00"', 'b === "\\uDC00"'],
  ['NUL', '"a\\0b"', 'b === "a\\0b"'],
  ['U+FFFF', '"\\uFFFF"', 'b === "\\uFFFF"'],
  ['0.2', '0.2', 'b === 0.2'],
  ['0', '0', 'Object.is(b, 0)'],
  ['-0', '-0', 'Object.is(b, -0)'],
  ['NaN', 'NaN', 'Number.isNaN(b)'],
  ['Infinity', 'Infinity', 'b === Infinity'],
  ['-Infinity', '-Infinity', 'b === -Infinity'],
  ['2^53', '2**53', 'b === 2**53'],
  ['bigint', '12345678901234567890n', 'b === 12345678901234567890n'],
  ['negative bigint', '-9n', 'b === -9n'],
  ['boxed boolean', 'new Boolean(false)', 'b instanceof Boolean && b.valueOf() === false'],
  ['boxed string', 'new String("x")', 'b instanceof String && b.valueOf() === "x"'],
  ['boxed number', 'new Number(-0)', 'b instanceof Number && Object.is(b.valueOf(), -0)'],
  ['boxed bigint', 'Object(7n)', 'typeof b === "object" && b.valueOf() === 7n'],
  ['Date', 'new Date(0)', 'b instanceof Date && b.getTime() === 0'],
  ['invalid Date', 'new Date(NaN)', 'b instanceof Date && Number.isNaN(b.getTime())'],
  ['RegExp', '/fo+/giu', 'b instanceof RegExp && b.source === "fo+" && b.flags === "giu"'],
  ['RegExp lastIndex is not kept', '(() => { const r = /a/g; r.lastIndex = 2; return r })()', 'b.lastIndex === 0'],
  ['empty object', '({})', 'Object.keys(b).length === 0 && Object.getPrototypeOf(b) === Object.prototype'],
  ['null-prototype object', 'Object.assign(Object.create(null), { a: 1 })', 'b.a === 1'],
  [
    'own __proto__ key',
    'Object.defineProperty({}, "__proto__", { value: 5, enumerable: true })',
    'Object.getOwnPropertyDescriptor(b, "__proto__")?.value === 5',
  ],
  ['keys in order', '({ b: 1, a: 2, 1: 3 })', 'Object.keys(b).join() === "1,b,a"'],
  ['undefined member', '({ u: undefined })', '"u" in b && b.u === undefined'],
  ['non-enumerable members stay', 'Object.defineProperty({}, "x", { value: 1, enumerable: false })', '!("x" in b)'],
  ['array', '[1, [2, [3]]]', 'b[1][1][0] === 3'],
  ['sparse array', '[1, , 3]', 'b.length === 3 && !(1 in b)'],
  ['array with length', '(() => { const a = []; a.length = 5; return a })()', 'b.length === 5 && !(0 in b)'],
  ['array with properties', 'Object.assign([1], { x: 2 })', 'b[0] === 1 && b.x === 2'],
  [
    'Map',
    'new Map([[{ k: 1 }, 2], ["a", new Map()]])',
    'b instanceof Map && b.size === 2 && b.get("a") instanceof Map',
  ],
  ['Set', 'new Set([1, "1", -0])', 'b instanceof Set && b.size === 3'],
  ['cycle', '(() => { const a = {}; a.me = a; return a })()', 'b.me === b'],
  ['cycle through an array', '(() => { const a = []; a.push(a); return a })()', 'b[0] === b'],
  ['cycle through a Map', '(() => { const m = new Map(); m.set(m, m); return m })()', 'b.get(b) === b'],
  ['shared reference', '(() => { const s = {}; return { x: s, y: s } })()', 'b.x === b.y'],
  ['ArrayBuffer', 'new Uint8Array([1, 2, 3]).buffer', 'b instanceof ArrayBuffer && new Uint8Array(b)[2] === 3'],
  ['Uint8Array', 'new Uint8Array([1, 255])', 'b instanceof Uint8Array && b[1] === 255'],
  ['Uint8ClampedArray', 'new Uint8ClampedArray([1, 255])', 'b instanceof Uint8ClampedArray && b[1] === 255'],
  ['Int16Array', 'new Int16Array([-1])', 'b instanceof Int16Array && b[0] === -1'],
  ['Float64Array', 'new Float64Array([-0, NaN])', 'Object.is(b[0], -0) && Number.isNaN(b[1])'],
  ['BigInt64Array', 'new BigInt64Array([-5n])', 'b instanceof BigInt64Array && b[0] === -5n'],
  ['DataView', 'new DataView(new ArrayBuffer(8), 2, 4)', 'b instanceof DataView && b.byteLength === 4'],
  ['Error', 'new Error("m")', 'b instanceof Error && b.message === "m" && b.name === "Error"'],
  ['TypeError', 'new TypeError("m")', 'b instanceof TypeError && b.name === "TypeError"'],
  ['RangeError', 'new RangeError("m")', 'b instanceof RangeError'],
  [
    'Error with cause',
    'new Error("m", { cause: new Error("why") })',
    'String(b.cause?.message ?? b.cause).includes("why")',
  ],
  [
    'Blob',
    'new Blob(["xyz"], { type: "text/plain" })',
    'b instanceof Blob && b.size === 3 && b.type === "text/plain" && (await b.text()) === "xyz"',
  ],
  [
    'File',
    'new File(["xyz"], "n.txt", { type: "text/plain", lastModified: 5 })',
    'b instanceof File && b.name === "n.txt" && b.lastModified === 5 && (await b.text()) === "xyz"',
  ],
  ['empty key', '({ "": 1 })', 'b[""] === 1'],
  ['a thousand keys', 'Object.fromEntries(Array.from({ length: 1000 }, (_, i) => ["k" + i, i]))', 'b.k999 === 999'],
  ['long string', '"é".repeat(100000)', 'b.length === 100000 && b[99999] === "é"'],
]

const REFUSED: [name: string, make: string, word: RegExp][] = [
  ['a function', '() => 1', /function/i],
  ['a symbol', 'Symbol("q")', /symbol/i],
  ['a nested function', '({ a: [{ f() {} }] })', /function/i],
  ['a nested symbol', 'new Map([["k", Symbol("q")]])', /symbol/i],
  ['a class', 'class T {}', /function|class/i],
  [
    'a class instance',
    '(() => { class T { constructor() { this.x = 1 } } return new T() })()',
    /T|class|instance|prototype/,
  ],
  ['the function tree', 'sdk', /function|sdk/i],
  ['a WeakMap', 'new WeakMap()', /WeakMap|clone/i],
  ['a generator', '(function* () {})()', /Generator|clone|prototype|instance/i],
  ['a URL', 'new URL("http://a.test/")', /URL|clone/],
  ['an AbortSignal', 'new AbortController().signal', /AbortSignal|clone/],
  ['an object with another prototype', 'Object.create({ a: 1 })', /prototype|instance/i],
]

describe('values that cross', () => {
  it('every value of the clone battery crosses as an input and back as a result (C01)', async function () {
    this.timeout(60_000)
    const wrong: string[] = []
    for (const [name, make, check] of BATTERY) {
      const { result } = await run(`const b = await sdk.echo(${make}); return ${check}`)
      if (result.status !== 'ok' || result.value !== true)
        wrong.push(`${name}: ${explain(result)} value ${String(result.value)}`)
    }
    assert.deepEqual(wrong, [])
  })

  it('every value of the clone battery crosses as the value of a run (C01)', async function () {
    this.timeout(60_000)
    const wrong: string[] = []
    for (const [name, make, check] of BATTERY) {
      const { result } = await run(`return ${make}`)
      if (result.status !== 'ok') {
        wrong.push(`${name}: ${explain(result)}`)
        continue
      }
      const holds = await new Function('b', `return (async () => ${check})()`)(result.value)
      if (!holds) wrong.push(`${name}: ${String(result.value)}`)
    }
    assert.deepEqual(wrong, [])
  })

  it('every value of the clone battery crosses as `input` of a run (SPEC §2)', async function () {
    this.timeout(60_000)
    const wrong: string[] = []
    for (const [name, make, check] of BATTERY) {
      const input = new Function(`return ${make}`)()
      const { result } = await run(
        input === undefined ? 'return typeof input === "undefined"' : `const b = input; return ${check}`,
        { input },
      )
      if (result.status !== 'ok' || result.value !== true) wrong.push(`${name}: ${explain(result)}`)
    }
    assert.deepEqual(wrong, [])
  })

  it('what JSON loses arrives whole (C02)', async () => {
    const code = `
      const a = { n: NaN, z: -0, i: Infinity, u: undefined, b: 12345678901234567890n, d: new Date(0), m: new Map([[{ k: 1 }, 2]]), s: new Set([1]), h: [1, , 3], r: /x/gi }
      a.me = a
      const b = await sdk.echo(a)
      return [Number.isNaN(b.n), Object.is(b.z, -0), b.b, b.d.getTime(), b.m.size, b.s.has(1), 1 in b.h, b.me === b, 'u' in b]`
    assert.deepEqual(await returned(code), [true, true, 12345678901234567890n, 0, 1, true, false, true, true])
  })

  it('a resizable buffer crosses as a fixed one (SPEC §8)', async () => {
    const code = `
      if (!('resizable' in ArrayBuffer.prototype)) return [false, 4]
      const b = await sdk.echo(new ArrayBuffer(4, { maxByteLength: 16 }))
      return [b.resizable, b.byteLength]`
    assert.deepEqual(await returned(code), [false, 4])
  })

  it('a view crosses as its visible bytes only, both ways (C03)', async () => {
    const pool = new Uint8Array(1000).fill(9)
    pool.set([1, 2, 3, 4], 100)
    let seen: Uint8Array | undefined
    const host = makeHost({
      'bytes.pooled': () => pool.subarray(100, 104),
      'bytes.take': (input: Uint8Array) => {
        seen = input
      },
    })
    const code = `
      const big = new Uint8Array(1e6).fill(7)
      await sdk.bytes.take(big.subarray(0, 4))
      const r = await sdk.bytes.pooled()
      const d = await sdk.echo(new DataView(big.buffer, 8, 2))
      return [r.buffer.byteLength, [...r].join(), d.buffer.byteLength]`
    assert.deepEqual(await returned(code, { host }), [4, '1,2,3,4', 2])
    assert.equal(seen?.buffer.byteLength, 4)
    const { result } = await run('return new Uint8Array(1000).fill(7).subarray(10, 14)')
    assert.equal((result.value as Uint8Array).buffer.byteLength, 4)
    assert.equal(pool.byteLength, 1000, 'the host’s own buffer is not taken away')
  })

  it('the cap on inputs counts visible bytes, not what lies behind a view (C03)', async () => {
    const { result } = await run(
      'const big = new Uint8Array(1e6); for (let i = 0; i < 3; i++) await sdk.echo(big.subarray(0, 4)); return 1',
      {
        limits: { inputBytes: 1000 },
      },
    )
    assert.equal(result.status, 'ok', explain(result))
  })

  it('the program keeps its own buffers after a call (SPEC §8)', async () => {
    assert.deepEqual(
      await returned(
        'const b = new Uint8Array(200000).fill(3); await sdk.echo(b); await sdk.echo({ b }); return [b.length, b[5]]',
      ),
      [200000, 3],
    )
  })

  it('an accessor is read once, and its own error comes out (C05)', async () => {
    const code = `
      let reads = 0
      const back = await sdk.echo({ get a() { reads++; return 5 } })
      let m
      try { await sdk.echo({ get a() { throw new RangeError('mine') } }) } catch (e) { m = e.name + ': ' + e.message }
      return [reads, back.a, m]`
    assert.deepEqual(await returned(code), [1, 5, 'RangeError: mine'])
  })

  it('what a getter changes while the input is read cannot split what is judged from what runs (F20)', async () => {
    const code = `
      let n = 0
      await sdk.notes.remove({ get id() { n++; return n } })
      return n`
    const { rows, result, host } = await held(code)
    assert.deepEqual(
      rows.map((row) => row.input),
      [{ id: 1 }],
    )
    const end = await resume(result, { all: 'approve' })
    assert.equal(end.value, 1, explain(end))
    assert.deepEqual(host.inputs('notes.remove'), [{ id: 1 }])
  })

  it('a file’s name and type cross as data, however hostile (C11)', async () => {
    const code = `const f = await sdk.echo(new File(['x'], '../../.config/autostart/x.desktop', { type: 'text/html' })); return [f.name, f.type]`
    assert.deepEqual(await returned(code), ['../../.config/autostart/x.desktop', 'text/html'])
  })

  it('a string that UTF-8 cannot hold is one and the same when shown, executed and replayed (C13)', async () => {
    const body = 'p\ud800q\u0000r'
    const { rows, result, host } = await held(
      `await sdk.mail.send({ to: 'a@x.test', body: 'p\\ud800q\\u0000r' }); return 1`,
    )
    assert.deepEqual(
      rows.map((row) => row.input),
      [{ to: 'a@x.test', body }],
    )
    const end = await resume(result, { all: 'approve' })
    assert.equal(end.status, 'ok', explain(end))
    assert.deepEqual(host.inputs('mail.send'), [{ to: 'a@x.test', body }])
  })
})

describe('values that are refused', () => {
  for (const [name, make, word] of REFUSED) {
    it(`${name} is refused at the call site, and the run goes on (SPEC §8)`, async () => {
      const { result, host } = await run(`
        let out
        try { await sdk.echo(${make}); out = 'crossed' } catch (e) { out = e.name + ': ' + e.message }
        return [out, await sdk.echo('after')]`)
      assert.equal(result.status, 'ok', explain(result))
      const [out, after] = result.value as [string, string]
      assert.notEqual(out, 'crossed')
      assert.match(out, word)
      assert.equal(after, 'after')
      assert.deepEqual(host.inputs('echo'), ['after'])
    })
  }

  it('a promise in an input is a forgotten await, and the message says where (C07)', async () => {
    const { result } = await run(`return await sdk.notes.get({ id: sdk.echo(3) })`)
    assert.equal(result.status, 'error', explain(result))
    assert.match(result.error?.message ?? '', /id/)
    assert.match(result.error?.message ?? '', /await/)
    assert.match(result.error?.message ?? '', /promise/i)
  })

  it('a promise as the whole input says the same (C07)', async () => {
    const error = await errorOf('return await sdk.notes.get(sdk.echo(3))')
    assert.match(error.message, /await/)
  })

  it('a promise deep in an input is named by its path (C07)', async () => {
    const error = await errorOf('return await sdk.echo({ list: [1, { inner: Promise.resolve(1) }] })')
    assert.match(error.message, /list.*1.*inner/)
    assert.match(error.message, /await/)
  })

  for (const make of [
    'return () => 1',
    'return sdk',
    'return { a: Symbol("q") }',
    'return Promise.resolve(() => 1)',
    'return new WeakSet()',
    'return new (class T {})()',
    'return new Proxy(() => {}, {})',
  ]) {
    it(`\`${make}\` ends as an error that keeps logs, calls and timings (C16)`, async () => {
      const { result } = await run(`console.log('kept'); await sdk.echo(1); ${make}`)
      assert.equal(result.status, 'error', explain(result))
      assert.isNotEmpty(result.error?.message)
      assert.deepEqual(
        result.logs.map((line) => line.text),
        ['kept'],
      )
      assert.lengthOf(result.calls, 1)
      assert.isAtLeast(result.timings.total, 0)
    })
  }

  it('a value that is small to clone but huge to print is bounded before anyone prints it (C08)', async function () {
    this.timeout(60_000)
    const bomb = `let a = ['x']; for (let i = 0; i < 40; i++) a = [a, a];`
    const worst = await stall(400, async () => {
      const first = await run(`${bomb} try { await sdk.echo(a) } catch (e) { return e.name } return 'ok'`)
      const second = await collect(`${bomb} await sdk.mail.send(a); return 1`)
      const third = await run(`${bomb} console.log(a); return 1`)
      const fourth = await run(`${bomb} return a`)
      assert.oneOf(first.result.status, ['ok', 'limit'], explain(first.result))
      assert.oneOf(second.result.status, ['pending', 'limit', 'error'])
      assert.equal(third.result.status, 'ok', explain(third.result))
      assert.isBelow(third.result.logs[0]?.text.length ?? 0, 300_000)
      assert.oneOf(fourth.result.status, ['ok', 'limit', 'error'])
    })
    assert.isBelow(worst, 400, 'the page stalled')
  })

  it('megabytes of bytes in one input meet the cap by name and do not stall the page (C10)', async () => {
    const worst = await stall(400, async () => {
      const { result, host } = await collect(
        `await sdk.mail.send({ to: 'a@x.test', body: new Uint8Array(8 << 20) }); return 1`,
      )
      assert.equal(result.status, 'limit', explain(result))
      assert.equal(result.error?.limit, 'inputBytes')
      assert.deepEqual(host.ran(), [])
    })
    assert.isBelow(worst, 400, 'the page stalled')
  })

  it('structuredClone in the program copies and refuses as plain JavaScript does', async () => {
    assert.deepEqual(
      await returned(
        `const a = { d: new Date(1) }; const b = structuredClone(a); let n; try { structuredClone(() => 1) } catch (e) { n = e.name } return [b !== a, b.d.getTime(), n]`,
      ),
      [true, 1, 'DataCloneError'],
    )
  })

  it('an arguments object is refused like in structuredClone, and the message names it; a list of it crosses', async () => {
    for (const strict of ['', '"use strict";']) {
      const { result } = await run(`function f() { ${strict} return sdk.echo(arguments) } return f(1, 2)`)
      assert.equal(result.error?.name, 'DataCloneError', explain(result))
      assert.include(result.error?.message, 'an arguments object')
    }
    assert.deepEqual(await returned('function f() { return sdk.echo([...arguments]) } return f(1, 2)'), [1, 2])
  })
})

after(() => shared.dispose())
