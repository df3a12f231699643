import { expect, it } from 'vitest'
import { BridgeError } from '../bridge/bridgeError'
import type { Definition } from '../bridge/operations'
import { until } from '../testing/until'
import { createFunctionList } from './functions'

const named = (name: string): Definition => ({
  name,
  title: name,
  description: '',
  approval: 'never',
  input: { type: 'object' },
  output: {},
})

/** A Go whose answers come when they are given, in order. */
const fakeAsk = () => {
  const asked: unknown[] = []
  const answers: ((answer: Promise<unknown>) => void)[] = []
  const ask = (_op: string, args: unknown) => {
    asked.push(args)
    return new Promise<unknown>((resolve) => answers.push(resolve))
  }
  const answer = async (with_: Promise<unknown>) => {
    await until(() => answers.length > 0)
    answers.shift()?.(with_)
  }
  return { ask, asked, answer }
}

it('follows what Go tells, and asks from where it is', async () => {
  const { ask, asked, answer } = fakeAsk()
  const list = createFunctionList(ask, [named('a.first')], 1)
  let told = 0
  list.subscribe(() => told++)
  expect(list.current().map(({ name }) => name)).toEqual(['a.first'])
  await answer(Promise.resolve({ revision: 4, functions: [named('a.first'), named('b.second')] }))
  await until(() => told === 1)
  expect(list.current().map(({ name }) => name)).toEqual(['a.first', 'b.second'])
  await until(() => asked.length === 2)
  expect(asked).toEqual([{ since: 0 }, { since: 4 }])
})

it('keeps what it knows when the answer fails or is none, and asks again', async () => {
  const { ask, asked, answer } = fakeAsk()
  const list = createFunctionList(ask, [named('a.first')], 1)
  await answer(Promise.reject(new BridgeError('Cancelled', 'nobody waits for news any more')))
  await answer(Promise.resolve({ revision: 2, functions: [{ name: 'broken' }] }))
  await until(() => asked.length === 3)
  expect(asked).toEqual([{ since: 0 }, { since: 0 }, { since: 0 }])
  expect(list.current().map(({ name }) => name)).toEqual(['a.first'])
})
