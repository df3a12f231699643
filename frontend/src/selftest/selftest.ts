import { type Bench, type Check, InWords } from './check'
import { gates } from './gate'
import { limits } from './limits'
import { networks } from './networks'
import { policies } from './policies'
import { realms } from './realm'
import { replays } from './replay'

export const checks: Check[] = [...networks, ...realms, ...policies, ...limits, ...gates, ...replays]

/** A check that hangs has failed. */
const patience = 20_000

/** Runs every check in this page, one after another, and reports each to Go. */
export const selfTest = async (bench: Bench): Promise<void> => {
  for (const check of checks) {
    const { group, claim, tried, expected } = check
    const answered = await answerOf(check, bench)
    const { value } = answered
    const passed = answered.threw === undefined && same(value instanceof InWords ? value.answer : value, expected)
    await bench.ask('selftest.report', {
      check: {
        group,
        claim,
        tried,
        expected: show(expected),
        answered: answered.threw ?? show(value),
        passed,
      },
    })
  }
  await bench.ask('selftest.report', { done: checks.length })
}

const answerOf = async (check: Check, bench: Bench): Promise<{ value?: unknown; threw?: string }> => {
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
