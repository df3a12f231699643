// The doors of the channel: whatever comes is a whole message or nothing, and
// never an exception. test/fixture/records.ts says what is whole a second time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { asFromFrame, asToFrame, asToPage, asToWorker, isThrown } from '../../src/shared/guards.js'
import { type Door, dice, doors, isWhole, mutant } from '../fixture/records.js'

const guards: [keyof typeof doors, (value: unknown) => unknown][] = [
  ['toFrame', asToFrame],
  ['fromFrame', asFromFrame],
  ['toWorker', asToWorker],
  ['toPage', asToPage],
]

for (const [name, guard] of guards) {
  const door: Door = doors[name]

  test(`${name}: of 100,000 mutated messages exactly the whole ones are taken, as they are, and none throws`, () => {
    const roll = dice(20_261_129)
    let whole = 0
    for (let i = 0; i < 100_000; i++) {
      const value = mutant(door, roll)
      const taken = guard(value)
      if (isWhole(door, value)) {
        whole++
        assert.equal(taken, value)
      } else assert.equal(taken, undefined)
    }
    assert.ok(whole > 10_000 && whole < 60_000, `${whole} of the mutants were whole: the test should see both kinds`)
  })

  test(`${name}: of 20,000 values of any kind none throws`, () => {
    const anything = fc.anything({
      withBigInt: true,
      withMap: true,
      withSet: true,
      withDate: true,
      withTypedArray: true,
    })
    fc.assert(
      fc.property(anything, (value) => (guard(value) !== undefined) === isWhole(door, value)),
      { numRuns: 20_000 },
    )
  })

  test(`${name}: each message of PROTOCOL.md is taken, and not when a field is missing or only inherited`, () => {
    for (const example of door.examples) {
      assert.equal(guard(example), example)
      assert.equal(guard(Object.create(example)), undefined)
      for (const field of ['type', ...Object.keys(door.forms[example.type as string] ?? {})]) {
        const { [field]: _, ...rest } = example
        assert.equal(guard(rest), undefined, `${String(example.type)} without ${field}`)
        assert.equal(guard(Object.assign(Object.create(example), rest)), undefined, `${field} inherited`)
      }
    }
  })
}

test('what is thrown into a program is an error in words, or one value', () => {
  for (const thrown of [
    { error: true, name: 'Error', message: '', cause: null },
    { error: true, name: 'Error', message: '', cause: 'why' },
    { error: false, value: undefined },
  ])
    assert.ok(isThrown(thrown))
  for (const other of [null, undefined, 1, {}, { error: true }, { error: false }, { error: 1, value: 1 }])
    assert.ok(!isThrown(other))
})
