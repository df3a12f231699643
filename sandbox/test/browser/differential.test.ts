// Hardening and the repeatable clocks change no language result: the same
// snippets give the same in the sandbox as in a bare worker of the engine.
import { assert } from 'chai'
import { explain, run, shared } from '../fixture/sandbox.js'

const BUILTINS =
  'Object Function Array String Number Boolean Symbol BigInt Promise Map Set WeakMap WeakSet WeakRef RegExp Error TypeError RangeError SyntaxError ReferenceError EvalError URIError AggregateError ArrayBuffer DataView Uint8Array Int8Array Uint16Array Int32Array Float64Array BigInt64Array Uint8ClampedArray Proxy JSON Math Reflect Intl Iterator FinalizationRegistry Date File Blob TextEncoder TextDecoder URLSearchParams DOMException AbortController'.split(
    ' ',
  )

const SNIPPETS = [
  // Shapes of the builtins: what reflection sees.
  ...BUILTINS.flatMap((name) => [
    `typeof ${name} === 'undefined' ? 'absent' : names(${name})`,
    `typeof ${name} === 'undefined' || !${name}.prototype ? 'absent' : names(${name}.prototype)`,
    `typeof ${name} !== 'function' ? 'absent' : [${name}.name, ${name}.length, ${name}.prototype?.constructor === ${name}, Object.prototype.toString.call(${name})].join()`,
  ]),
  // Date, whose clock is replaced.
  'new Date(2020, 1, 3, 4, 5, 6, 7).getTime()',
  'new Date(0).toISOString()',
  'new Date("2020-01-02").getTime()',
  'new Date("nonsense").getTime()',
  'new Date(NaN) + ""',
  'Date.UTC(2020, 5)',
  'Date.parse("2020-01-01T00:00:00Z")',
  'typeof Date()',
  'typeof Date.now()',
  'new Date(5) instanceof Date',
  'new Date().constructor === Date',
  'Object.getPrototypeOf(new Date()) === Date.prototype',
  'Object.prototype.toString.call(new Date())',
  'new Date(new Date(7)).getTime()',
  'new Date(8.9).getTime()',
  'new Date("5").getTime() === new Date(2001, 4, 1).getTime()',
  'new Date(undefined).getTime()',
  'new Date(null).getTime()',
  'new Date(true).getTime()',
  'new Date(1e20).getTime()',
  'new Date(5n)',
  'new Date(Symbol())',
  'new Date({ valueOf() { return 9 } }).getTime()',
  'class D extends Date { x() { return this.getTime() } }; new D(3).x()',
  'class D extends Date {}; new D() instanceof D && new D() instanceof Date',
  'Reflect.construct(Date, [4]).getTime()',
  'Reflect.construct(Date, [4], Array) instanceof Array',
  'Date.call(1).length === Date().length',
  'Date.apply(null, [0]) === Date()',
  'Date.length',
  'Date.name',
  'Object.getOwnPropertyDescriptor(Date, "now").writable',
  'Object.getOwnPropertyDescriptor(Date, "prototype").writable',
  'Date.prototype.constructor === Date',
  '"prototype" in Date.now',
  'new Date.now()',
  'Date.now.name + Date.now.length',
  'Date.toString()',
  'Date.now.toString()',
  'Math.random.toString()',
  'new Date(2020, 0).getTimezoneOffset()',
  'Date.prototype.getTime.call({})',
  'Date.prototype[Symbol.toPrimitive].call(new Date(0), "number")',
  'structuredClone(new Date(6)).getTime()',
  'JSON.stringify({ d: new Date(0) })',
  'Object.isExtensible(Date)',
  'Object.keys(new Date()).length',
  // Random and crypto.
  'Math.random.length + Math.random.name',
  'new Math.random()',
  'Math.random() >= 0 && Math.random() < 1',
  'typeof crypto.getRandomValues',
  'crypto.getRandomValues(new Uint8Array(3)).length',
  'crypto.getRandomValues()',
  'crypto.getRandomValues([1])',
  'crypto.getRandomValues(new Float32Array(1))',
  'crypto.getRandomValues(new DataView(new ArrayBuffer(1)))',
  'crypto.getRandomValues(new Uint8Array(65537))',
  'crypto.getRandomValues(new Uint8Array(0)).length',
  // Intl with a given and a default moment.
  'new Intl.DateTimeFormat("en-GB", { timeZone: "UTC" }).format(0)',
  'new Intl.DateTimeFormat("en-GB", { timeZone: "UTC" }).format(new Date(1e12))',
  'typeof new Intl.DateTimeFormat("en").format()',
  'Intl.DateTimeFormat("en") instanceof Intl.DateTimeFormat',
  'Intl.DateTimeFormat.length + Intl.DateTimeFormat.name',
  'Intl.DateTimeFormat.prototype.constructor === Intl.DateTimeFormat',
  'new Intl.DateTimeFormat("en", { timeZone: "UTC" }).formatToParts(0).length',
  'Intl.DateTimeFormat.supportedLocalesOf(["en"]).join()',
  'new Intl.DateTimeFormat("en", { timeZone: "UTC" }).formatRange(0, 1e9)',
  'new Intl.DateTimeFormat("en").format(NaN)',
  '[0, 1e12].map(new Intl.DateTimeFormat("en", { timeZone: "UTC" }).format).join()',
  'new Intl.NumberFormat("de").format(1234.5)',
  'new Intl.PluralRules("en").select(1)',
  'new Intl.ListFormat("en").format(["a", "b"])',
  '["b", "a", "ä"].sort(new Intl.Collator("de").compare).join()',
  '(1234.5).toLocaleString("en")',
  'new Date(0).toLocaleString("en", { timeZone: "UTC" })',
  'new Date(0).toLocaleDateString("en", { timeZone: "UTC" })',
  'typeof Temporal === "undefined" ? "absent" : names(Temporal)',
  'typeof Temporal === "undefined" ? "absent" : names(Temporal.Now)',
  'typeof Temporal === "undefined" ? "absent" : Temporal.Instant.fromEpochMilliseconds(0).toString()',
  'typeof Temporal === "undefined" ? "absent" : typeof Temporal.Now.instant().epochMilliseconds',
  'typeof Temporal === "undefined" ? "absent" : Temporal.Now.zonedDateTimeISO("UTC").timeZoneId',
  'typeof Temporal === "undefined" ? "absent" : Temporal.Now.instant() instanceof Temporal.Instant',
  'typeof Temporal === "undefined" ? "absent" : Temporal.Now.timeZoneId()',
  // Files and blobs.
  'new File(["a"], "b").name',
  'new File(["a"], "b", { lastModified: 5 }).lastModified',
  'new File()',
  'new File(["a"])',
  'File("a")',
  'new File(["a"], "b") instanceof Blob',
  'class F extends File {}; new F([], "x") instanceof F',
  'new File([], "x", { lastModified: new Date(3) }).lastModified',
  'new File([], "x", { type: "A/B" }).type',
  'typeof new File([], "x").lastModified',
  'new Blob(["a", new Uint8Array(2)]).size',
  'structuredClone(new Map([[1, new Set([2])]])).get(1).has(2)',
  'structuredClone({ a: [1, , 3] }).a.length',
  'structuredClone(() => 1)',
  'structuredClone()',
  'structuredClone.length',
  'structuredClone(1, { transfer: [1] })',
  '(() => { const b = new ArrayBuffer(4); const c = structuredClone(b, { transfer: [b] }); return [b.byteLength, c.byteLength].join() })()',
  // The rest of the language, here and there.
  '[1, 2, 3].at(-1)',
  '[3, 1, 2].toSorted().join()',
  'Object.groupBy([1, 2, 3], (x) => x % 2 ? "odd" : "even").odd.length',
  '"abc".replace(/b/g, (m) => m.toUpperCase())',
  '"aXbX".replaceAll("X", "-")',
  '"é".normalize("NFD").length',
  '/(?<=a)b/.test("ab")',
  '/\\p{L}/u.test("ß")',
  '[..."a😀"].length',
  'parseInt("08")',
  '0.1 + 0.2',
  '2n ** 64n',
  'BigInt.asUintN(8, 257n)',
  '(123.456).toFixed(1)',
  '1 / -0',
  '[] + {}',
  '[10, 9, 1].sort().join()',
  'typeof null',
  'void 0',
  '`a${1}b`',
  'String.raw`\\n`',
  'JSON.stringify({ a: [undefined, () => 1, NaN] })',
  'JSON.parse("[1,{\\"a\\":2}]")[1].a',
  'JSON.stringify({ a: 1n })',
  'JSON.parse("{")',
  '(function () { return typeof this })()',
  '(() => { "use strict"; return (function () { return typeof this })() })()',
  '(function (a, b = 1, ...c) {}).length',
  'new Function("a", "b", "return a + b")(1, 2)',
  'Function("return this")() === globalThis',
  '(async () => {}).constructor.name',
  '(function* () {}).constructor.name',
  'eval("1 + 1")',
  '(0, eval)("typeof globalThis")',
  'eval("var q = 5; q")',
  'new (class { #x = 4; get x() { return this.#x } })().x',
  'class A { static { A.y = 3 } }; A.y',
  'Symbol.for("a") === Symbol.for("a")',
  'Symbol("x").description',
  'Object.entries({ b: 1, a: 2 }).join()',
  'Object.fromEntries([["a", 1]]).a',
  'Reflect.ownKeys({ [Symbol.iterator]: 1, a: 2 }).length',
  'new Proxy({}, { get: (_, k) => k }).hello',
  'Array.from({ length: 3 }, (_, i) => i * 2).join()',
  'new Set([1, 2, 2]).size',
  'new Map([[NaN, 1]]).get(NaN)',
  'new WeakMap([[{}, 1]]) instanceof WeakMap',
  'new Uint8Array([1, 2, 3]).subarray(1).length',
  'new DataView(new ArrayBuffer(8)).getFloat64(0)',
  'Number.MAX_SAFE_INTEGER',
  'Math.hypot(3, 4)',
  'Math.max()',
  'isNaN("x")',
  'encodeURIComponent("ä/ ")',
  'decodeURIComponent("%")',
  'escape("ä")',
  'atob("YQ==")',
  'btoa("ä€")',
  'new TextDecoder().decode(new Uint8Array([0xff]))',
  'new TextDecoder("utf-16le").encoding',
  'new URLSearchParams({ a: "1 2" }).toString()',
  'new URL("../x?y#z", "http://a.test/b/c").href',
  'new URL("nonsense")',
  'URL.canParse?.("x:y")',
  'new DOMException("m", "DataCloneError").code',
  'new AbortController().signal.aborted',
  'AbortSignal.abort().reason.name',
  'typeof AbortSignal.timeout(100000).aborted',
  'AbortSignal.any?.([AbortSignal.abort(1)]).reason',
  'new Error("m", { cause: 1 }).cause',
  'new AggregateError([1], "m").errors.length',
  'typeof new Error().stack',
  'Error("x") instanceof Error',
  'Error.prototype.toString.call({ name: "N", message: "m" })',
  'null.x',
  'undefinedName',
  'const c = 1; c = 2',
  'let a = 1; { let a = 2 } a',
  'label: for (;;) { break label }',
  'with ({ w: 1 }) w',
  'delete Object.prototype',
  '"use strict"; delete Object.prototype',
  '(function () { return arguments.length })(1, 2)',
  '(function f() { return typeof f })()',
  'typeof globalThis',
  'Object.prototype.toString.call(globalThis) === "[object Object]" || true',
  'globalThis === self',
  'this === globalThis || this === undefined',
  '[..."ab"].entries().next().value.join()',
  'typeof Iterator === "undefined" ? "absent" : Iterator.from([1, 2]).map((x) => x * 2).toArray().join()',
  'typeof Promise.withResolvers',
  'typeof Promise.try',
  'Promise.resolve(1) instanceof Promise',
  'Promise.length + Promise.name',
  'class P extends Promise {}; P.resolve(1) instanceof P',
  'typeof queueMicrotask',
  'typeof setTimeout(() => {}, 1)',
  'clearTimeout(12345)',
  'setTimeout.length >= 1',
  'new Array(-1)',
  '"a".repeat(-1)',
  'Symbol() + ""',
  'Object.defineProperty(Object.freeze({}), "x", {})',
  'new (class extends null {})()',
  'super_ = 1; super_',
  'Array.isArray(new Proxy([], {}))',
  'Number("0x1f")',
  '+"1_000"',
  '1_000',
  '0b11 + 0o7',
  '"\\u{1F600}".codePointAt(0)',
  '[1, [2, [3]]].flat(Infinity).join()',
  'Object.is(-0, 0)',
  'null ?? 1',
  'undefined?.x',
  'let z; z ||= 3; z',
  '[1, 2].findLast((x) => x < 3)',
  '"abc".at(-1)',
  'Array.prototype.concat.call(1, 2).length',
  '[,].length',
  '[0, , 2].includes(undefined)',
  'Object.hasOwn({ a: 1 }, "a")',
  'Array.fromAsync?.name',
  '"x".isWellFormed?.()',
  'new RegExp("[").source',
  '/a/v.flags',
  '/(?<year>\\d+)/.exec("in 2026").groups.year',
  '"aaa".lastIndexOf("a")',
  'new Intl.Segmenter("en").segment("ab")[Symbol.iterator]().next().value.segment',
]

// Evaluates every snippet where it stands and gives one text for each.
const EVALUATE = `
  const names = (o) => Reflect.ownKeys(o).map((key) => { const d = Object.getOwnPropertyDescriptor(o, key); return String(key) + ':' + ('value' in d ? typeof d.value + (typeof d.value === 'function' ? d.value.length + d.value.name : '') : (d.get ? 'g' : '') + (d.set ? 's' : '')) + (d.writable ? 'w' : '') + (d.enumerable ? 'e' : '') + (d.configurable ? 'c' : '') }).sort().join(' ')
  const show = (v) => typeof v === 'symbol' ? v.toString() : Object.is(v, -0) ? '-0' : typeof v === 'bigint' ? v + 'n' : typeof v + ' ' + String(v)
  const out = []
  for (const snippet of snippets) {
    let text
    try { text = show(eval(snippet)) } catch (e) { text = 'throws ' + (e && e.name) }
    out.push(text)
  }
  return out`

/** What a bare worker of this engine gives. */
async function bare(): Promise<string[]> {
  const source = `onmessage = async ({ data: snippets }) => { postMessage(await (async () => { ${EVALUATE} })()) }`
  const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })))
  const answer = new Promise<string[]>((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = (event) => reject(new Error(event.message))
  })
  worker.postMessage(SNIPPETS)
  const values = await answer
  worker.terminate()
  return values
}

// Where the sandbox is meant to differ, and why.
const MEANT: [snippets: RegExp, why: string][] = [
  [
    /^(Date|Date\.now|Math\.random)\.toString\(\)$/,
    'a replaced function shows its own source text, which holds no secret',
  ],
  [/names\(Error\)/, 'Error.prepareStackTrace is pinned: it would see frames of the harness'],
]

for (const mode of ['deny', 'collect']) {
  it(`${SNIPPETS.length} snippets give in ${mode} mode what a bare worker gives`, async function () {
    this.timeout(60_000)
    const expected = await bare()
    const { result } = await run(`const snippets = input; ${EVALUATE}`, { input: SNIPPETS, approval: { mode } })
    assert.equal(result.status, 'ok', explain(result))
    const got = result.value as string[]
    const different = SNIPPETS.flatMap((snippet, i) =>
      got[i] === expected[i] || MEANT.some(([pattern]) => pattern.test(snippet))
        ? []
        : [`${snippet}\n  bare:    ${expected[i]}\n  sandbox: ${got[i]}`],
    )
    assert.equal(different.join('\n'), '')
  })
}

after(() => shared.dispose())
