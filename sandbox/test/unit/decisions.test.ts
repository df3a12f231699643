// Decisions are taken as a whole or not at all (SPEC §2).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { verdictsOf } from '../../src/page/decisions.js'

const ids = ['a', 'b', 'c', 'd']

test('any split of the pending ids, in any order, gives each its verdict', () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray(ids, { minLength: 4 }),
      fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
      (order, marks) => {
        const approve = order.filter((_, i) => marks[i])
        const reject = order.filter((_, i) => !marks[i])
        const verdicts = verdictsOf({ approve, reject }, ids)
        assert.equal(verdicts.size, ids.length)
        for (const id of ids) assert.equal(verdicts.get(id)?.approve, approve.includes(id))
      },
    ),
  )
})

test('whatever is not exactly one decision for each call is a TypeError', () => {
  const list = fc.array(fc.constantFrom(...ids, 'e', '__proto__', ''), { maxLength: 6 })
  fc.assert(
    fc.property(list, list, (approve, reject) => {
      const all = [...approve, ...reject]
      const right = all.length === ids.length && ids.every((id) => all.includes(id))
      if (right) assert.equal(verdictsOf({ approve, reject }, ids).size, 4)
      else assert.throws(() => verdictsOf({ approve, reject }, ids), TypeError)
    }),
    { numRuns: 5_000 },
  )
})

test('rubbish of any shape is a TypeError', () => {
  fc.assert(
    fc.property(fc.anything(), (decisions) => {
      const all = (decisions as { all?: unknown } | null)?.all
      fc.pre(all !== 'approve' && all !== 'reject')
      assert.throws(() => verdictsOf(decisions as never, ids), TypeError)
    }),
    { numRuns: 5_000 },
  )
})
