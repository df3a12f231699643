// One clock and seeded generators for a run whose passes must repeat. Time
// stands still while the program computes and moves when a call settles, to
// the moment of that settling; random values come from the run's seeds.
// A run that is never resumed keeps the engine's own.

import {
  construct,
  defineProperty,
  getOwnPropertyDescriptor,
  getter,
  isView,
  NativeUint8Array,
  uncurry,
  viewPart,
} from '../shared/intrinsics.js'
import type { Seeds } from '../shared/protocol.js'

let now = 0
let start = 0

/** Moves the clock; it never goes back. */
export const advance = (at: number): void => {
  if (at > now) now = at
}

/** Small fast counter generator (sfc32) over four 32-bit words. */
const generator = (a: number, b: number, c: number, d: number) => {
  const next = () => {
    const t = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + t) | 0
    return t >>> 0
  }
  for (let i = 0; i < 12; i++) next()
  return next
}

const NativeDate = Date
const NativeFile = globalThis.File
/** The engine's own time in ms. */
export const performanceNow = performance.now.bind(performance)
const nativeRandomValues = crypto.getRandomValues.bind(crypto)
const setByte = uncurry(
  Uint8Array.prototype.fill as (this: Uint8Array, value: number, start: number, end: number) => unknown,
)

const replace = (object: object, key: PropertyKey, value: unknown) => {
  const old = getOwnPropertyDescriptor(object, key)
  if (typeof value === 'function') {
    const native = old?.value ?? old?.get
    if (native) {
      defineProperty(value, 'name', { value: native.name, configurable: true })
      defineProperty(value, 'length', { value: native.length, configurable: true })
    }
  }
  defineProperty(object, key, { configurable: true, writable: true, enumerable: old?.enumerable ?? false, value })
}

const freezeDate = () => {
  function FrozenDate(this: unknown) {
    const bare = arguments.length === 0
    if (new.target === undefined) return toText(new NativeDate(now))
    return construct(NativeDate, bare ? [now] : arguments, new.target)
  }
  const toText = uncurry(NativeDate.prototype.toString)
  for (const key of Reflect.ownKeys(NativeDate)) {
    const property = getOwnPropertyDescriptor(NativeDate, key) as PropertyDescriptor
    if (key !== 'prototype') defineProperty(FrozenDate, key, property)
  }
  defineProperty(FrozenDate, 'prototype', { value: NativeDate.prototype, writable: false })
  replace(FrozenDate, 'now', { now: () => now }.now)
  replace(NativeDate.prototype, 'constructor', FrozenDate)
  replace(globalThis, 'Date', FrozenDate)
  defineProperty(FrozenDate, 'name', { value: 'Date', configurable: true })
  defineProperty(FrozenDate, 'length', { value: 7, configurable: true })
}

const freezeIntl = () => {
  const prototype = Intl.DateTimeFormat.prototype
  const format = getter(prototype, 'format') as (self: unknown) => (date: unknown) => string
  const parts = uncurry(prototype.formatToParts as (this: unknown, date: unknown) => unknown)
  const kept = new WeakMap<object, unknown>()
  const has = uncurry(WeakMap.prototype.has)
  const get = uncurry(WeakMap.prototype.get)
  const set = uncurry(WeakMap.prototype.set)
  const old = getOwnPropertyDescriptor(prototype, 'format') as PropertyDescriptor
  defineProperty(prototype, 'format', {
    ...old,
    get(this: object) {
      const native = format(this)
      if (!has(kept, this)) set(kept, this, (date: unknown) => native(date === undefined ? now : date))
      return get(kept, this)
    },
  })
  replace(
    prototype,
    'formatToParts',
    {
      formatToParts(this: unknown, date: unknown) {
        return parts(this, date === undefined ? now : date)
      },
    }.formatToParts,
  )
}

type Zoned = { toPlainDateTime(): unknown; toPlainDate(): unknown; toPlainTime(): unknown }
const freezeTemporal = () => {
  const temporal = (
    globalThis as unknown as {
      Temporal?: { Now: object; Instant: { fromEpochMilliseconds(ms: number): object; prototype: object } }
    }
  ).Temporal
  if (!temporal) return
  const clock = temporal.Now as { timeZoneId(): string; zonedDateTimeISO(): object }
  const zone = clock.timeZoneId
  const instant = temporal.Instant.fromEpochMilliseconds
  const toZoned = uncurry(
    (temporal.Instant.prototype as { toZonedDateTimeISO(zone: unknown): object }).toZonedDateTimeISO as (
      this: unknown,
      zone: unknown,
    ) => object,
  )
  const zoned = (timeZone: unknown) => toZoned(instant(now), timeZone === undefined ? zone() : timeZone)
  const prototype = Object.getPrototypeOf(clock.zonedDateTimeISO()) as Zoned
  const plain = (key: keyof Zoned) => {
    const convert = uncurry(prototype[key] as (this: unknown) => unknown)
    return (timeZone: unknown) => convert(zoned(timeZone))
  }
  replace(clock, 'instant', () => instant(now))
  replace(clock, 'zonedDateTimeISO', (timeZone: unknown) => zoned(timeZone))
  replace(clock, 'plainDateTimeISO', plain('toPlainDateTime'))
  replace(clock, 'plainDateISO', plain('toPlainDate'))
  replace(clock, 'plainTimeISO', plain('toPlainTime'))
}

const freezeFile = () => {
  if (!NativeFile) return
  function FrozenFile(
    this: unknown,
    bits: unknown,
    name: unknown,
    options: { type?: string; endings?: string; lastModified?: number } | undefined,
  ) {
    if (new.target === undefined || arguments.length < 2)
      return construct(NativeFile, arguments, new.target ?? NativeFile)
    const given = options === undefined || options === null ? undefined : options
    const modified = given?.lastModified
    const own = {
      __proto__: null,
      type: given?.type,
      endings: given?.endings,
      lastModified: modified === undefined ? now : modified,
    }
    return construct(NativeFile, [bits, name, own], new.target)
  }
  defineProperty(FrozenFile, 'prototype', { value: NativeFile.prototype, writable: false })
  replace(NativeFile.prototype, 'constructor', FrozenFile)
  replace(globalThis, 'File', FrozenFile)
}

/** How the program's `performance.now` and random bytes are made. */
export const sources = {
  elapsed: (): number => performanceNow() - start,
  /** Fills an integer typed array with random values, as crypto.getRandomValues does. */
  randomValues: (array: unknown): unknown => nativeRandomValues(array as Uint8Array<ArrayBuffer>),
}

/** Starts the clock of a pass: frozen and seeded, or the engine's own. */
export const startClock = (seeds: Seeds | null): void => {
  if (!seeds) {
    start = performanceNow()
    return
  }
  now = start = seeds.now
  const w = seeds.words as [number, number, number, number, number, number, number, number]
  const random = generator(w[0], w[1], w[2], w[3])
  const bytes = generator(w[4], w[5], w[6], w[7])
  replace(Math, 'random', { random: () => (random() * 0x200000 + (random() >>> 11)) / 0x20000000000000 }.random)
  sources.elapsed = () => now - start
  sources.randomValues = (array) => {
    // The engine's own checks of type and size come first.
    nativeRandomValues(array as Uint8Array<ArrayBuffer>)
    if (!isView(array)) return array
    const length = viewPart(array, 'byteLength') as number
    const view = new NativeUint8Array(
      viewPart(array, 'buffer') as ArrayBuffer,
      viewPart(array, 'byteOffset') as number,
      length,
    )
    for (let i = 0; i < length; i++) setByte(view, bytes() & 255, i, i + 1)
    return array
  }
  freezeDate()
  freezeIntl()
  freezeTemporal()
  freezeFile()
}
