import { type Contestant, type Figures, measure, type Plan, type Series } from '../../library/measure'
import { endedOk, type Page } from './connection'
import { type BareRelay, boundCall } from './floor'

/** Measures one row of the app: several that do the same work, in turn. */
export type AppRow = (
  page: Page,
  relay: BareRelay,
  plan: Plan,
) => Promise<{ series: Series[]; facts?: Record<string, number | string> }>

const contestant = (name: string, kind: Contestant['kind'], sample: () => Promise<Figures>): Contestant => ({
  name,
  kind,
  sample,
})

const expectSame = (value: unknown, expected: unknown): void => {
  if (value !== expected) throw new Error(`expected the result ${String(expected)}, got ${String(value)}`)
}

/** ms between the two marks of a program that runs as the app runs it. */
const span = async (page: Page, code: string, expected: unknown): Promise<number> => {
  const at: Record<string, number> = {}
  const ended = await page.run(code, (what) => {
    at[String(what)] = performance.now()
  })
  expectSame(endedOk(ended), expected)
  return (at.end ?? Number.NaN) - (at.start ?? Number.NaN)
}

/** The same on the bare relay, where `host` serves marks and calls alike. */
const bareSpan = async (
  relay: BareRelay,
  code: string,
  expected: unknown,
  host: (input: unknown) => unknown,
): Promise<number> => {
  const at: Record<string, number> = {}
  const value = await relay.run(code, (input) => {
    if (input === 'start' || input === 'end') {
      at[input] = performance.now()
      return input
    }
    return host(input)
  })
  expectSame(value, expected)
  return (at.end ?? Number.NaN) - (at.start ?? Number.NaN)
}

const echoed = async (input: unknown): Promise<unknown> => JSON.parse(await boundCall(JSON.stringify(input)))

const one = 200
const awaited = (call: string, mark: string): string => `
  await ${mark}('start')
  for (let i = 0; i < ${one}; i++) if (await ${call}(i) !== i) throw new Error('an answer is not the call’s')
  await ${mark}('end')
  return ${one}`
const each = (ms: number, calls: number): Figures => ({ µs: (1_000 * ms) / calls })

/** A call from a program to Go and back, awaited one by one. */
export const callToGo: AppRow = async (page, relay, plan) => ({
  series: await measure(
    [
      contestant('countersign', 'ours', async () =>
        each(await span(page, awaited('sdk.test.echo', 'sdk.mark'), one), one),
      ),
      contestant('bare relay, bare bound call', 'floor', async () =>
        each(await bareSpan(relay, awaited('host', 'host'), one, echoed), one),
      ),
      contestant('bare bound call alone', 'floor', async () => {
        const began = performance.now()
        for (let i = 0; i < one; i++) expectSame(await echoed(i), i)
        return each(performance.now() - began, one)
      }),
      contestant('countersign, its bridge alone', 'ours', async () => {
        const began = performance.now()
        for (let i = 0; i < one; i++) await page.operations.judge('test.echo', i)
        return each(performance.now() - began, one)
      }),
    ],
    plan,
  ),
})

const many = 500
const atOnce = (call: string, mark: string): string => `
  await ${mark}('start')
  const made = []
  for (let i = 0; i < ${many}; i++) made.push(${call}(i))
  const got = await Promise.all(made)
  await ${mark}('end')
  return got.reduce((sum, each) => sum + each, 0)`
const sum = (many * (many - 1)) / 2

/** Five hundred calls at once, against a bound call for each: awaited one by one, and all at once. */
export const callsAtOnceToGo: AppRow = async (page, relay, plan) => ({
  series: await measure(
    [
      contestant('countersign', 'ours', async () =>
        each(await span(page, atOnce('sdk.test.echo', 'sdk.mark'), sum), many),
      ),
      contestant('bare relay, a bound call each', 'floor', async () =>
        each(await bareSpan(relay, awaited('host', 'host'), one, echoed), one),
      ),
      contestant('bare relay, a bound call each, at once', 'floor', async () =>
        each(await bareSpan(relay, atOnce('host', 'host'), sum, echoed), many),
      ),
      contestant('countersign, its bridge alone', 'ours', async () => {
        const began = performance.now()
        const made: Promise<boolean>[] = []
        for (let i = 0; i < many; i++) made.push(page.operations.judge('test.echo', i))
        expectSame((await Promise.all(made)).some(Boolean), false)
        return each(performance.now() - began, many)
      }),
    ],
    plan,
  ),
})

/** What the log adds to unmarked calls: the same function with its entries left out. */
export const logging: AppRow = async (page, _, plan) => ({
  series: await measure(
    [
      contestant('countersign', 'ours', async () =>
        each(await span(page, awaited('sdk.test.echo', 'sdk.mark'), one), one),
      ),
      contestant('countersign, no log', 'floor', async () =>
        each(await span(page, awaited('sdk.test.unlogged', 'sdk.mark'), one), one),
      ),
    ],
    plan,
  ),
})

const parts = 2
const part = 10_000_000

/** Twenty million bytes from a Go function to the program: two results, since one holds up to 12 MiB. */
export const bytesFromGo: AppRow = async (page, relay, plan) => ({
  series: await measure(
    [
      contestant('countersign', 'ours', async () => ({
        ms: await span(
          page,
          `await sdk.mark('start')
           const got = await Promise.all([${Array(parts).fill(`sdk.test.bytes({ bytes: ${part} })`).join(', ')}])
           await sdk.mark('end')
           for (const bytes of got) for (let i = 0; i < bytes.length; i += 4096) if (bytes[i] !== ((i >> 12) & 255)) throw new Error('the bytes are others')
           return got.reduce((sum, each) => sum + each.length, 0)`,
          parts * part,
        ),
      })),
      contestant('bare asset route, and relay', 'floor', async () => ({
        ms: await bareSpan(
          relay,
          `await host('start')
           const got = await Promise.all([${Array(parts).fill(`host(${part})`).join(', ')}])
           await host('end')
           return got.reduce((sum, each) => sum + each.length, 0)`,
          parts * part,
          async (size) => new Uint8Array(await (await fetch(`/desktoptest/bytes?size=${size}`)).arrayBuffer()),
        ),
      })),
    ],
    plan,
  ),
})

const rows = 16

/** Sixteen approved writes: from Go's decision to the last outcome. */
export const approvedWrites: AppRow = async (page, _, plan) => ({
  series: await measure(
    [
      contestant('countersign', 'ours', async () => {
        const ended = await page.run(
          `for (let id = 0; id < ${rows}; id++) await sdk.test.write({ id })\nreturn 'written'`,
        )
        const now = performance.now()
        expectSame(endedOk(ended), 'written')
        if (ended.decidedAt === 0) throw new Error('expected that the writes waited for a decision; they did not')
        return { ms: now - ended.decidedAt }
      }),
      contestant('one durable commit', 'floor', async () => {
        const { result } = await page.run(
          'let sum = 0; for (let i = 0; i < 8; i++) sum += await sdk.test.commit({}); return sum / 8',
        )
        if (result.status !== 'ok' || typeof result.value !== 'number' || result.value <= 0)
          throw new Error(`expected how long a commit took, got ${JSON.stringify(result.status)}`)
        return { ms: result.value }
      }),
    ],
    plan,
  ),
})
