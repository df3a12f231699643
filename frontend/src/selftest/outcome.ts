import type { Bench, Check, Found } from './check'
import { InWords } from './inWords'

/** A check that hangs has failed. */
const patience = 20_000

/** Makes a check. Never rejects: what goes wrong is what was found. */
export const outcome = async <B extends Bench>(check: Check<B>, bench: B): Promise<Found> => {
  const { group, claim, tried, expected } = check
  const { value, threw } = await answerOf(check, bench)
  return {
    group,
    claim,
    tried,
    expected: show(expected),
    answered: threw ?? show(value),
    passed: threw === undefined && same(value instanceof InWords ? value.answer : value, expected),
    ...(threw === undefined ? {} : { unmade: true }),
  }
}

const answerOf = async <B extends Bench>(check: Check<B>, bench: B): Promise<{ value?: unknown; threw?: string }> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${patience} ms`)), patience)
  })
  try {
    return { value: await Promise.race([check.run(bench), late]) }
  } catch (error) {
    return { threw: `threw ${String(error)}` }
  } finally {
    clearTimeout(timer)
  }
}

const show = (value: unknown): string => {
  if (value instanceof InWords) return `${show(value.answer)} (${value.words})`
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
}

/** Whether two plain values are the same, whatever the order of keys. */
const same = (a: unknown, b: unknown): boolean => {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b || Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && same(Reflect.get(a, key), Reflect.get(b, key)))
  )
}
