// The page's door for records of a worker: whatever comes, it is a whole record
// or nothing, and never an exception.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { asRecord } from '../../src/shared/guards.js'

const natural = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0

/** What SPEC §8 and PROTOCOL.md ask of a record, written down a second time. */
function whole(record: Record<string, unknown>): boolean {
  switch (record.type) {
    case 'call':
      return (
        natural(record.id) &&
        record.id !== 0 &&
        typeof record.fn === 'string' &&
        Object.hasOwn(record, 'input') &&
        natural(record.bytes) &&
        natural(record.line)
      )
    case 'log':
      return (
        ['debug', 'log', 'info', 'warn', 'error'].includes(record.level as string) && typeof record.text === 'string'
      )
    case 'digest':
      return (
        natural(record.id) &&
        record.id !== 0 &&
        typeof record.algorithm === 'string' &&
        record.data instanceof ArrayBuffer
      )
    case 'cut':
    case 'end':
      return true
    case 'limit':
      return (
        ['inputBytes', 'outputBytes', 'logLines', 'logBytes'].includes(record.limit as string) &&
        typeof record.figure === 'number' &&
        record.figure > 0
      )
    case 'body':
      return typeof record.ok === 'boolean' && Object.hasOwn(record, 'value') && Array.isArray(record.open)
    default:
      return false
  }
}

const types = [
  'call',
  'log',
  'digest',
  'cut',
  'limit',
  'body',
  'end',
  'up',
  'settle',
  'start',
  'constructor',
  '__proto__',
  '',
]
const field = fc.constantFrom(
  'type',
  'id',
  'fn',
  'input',
  'bytes',
  'line',
  'level',
  'text',
  'algorithm',
  'data',
  'limit',
  'figure',
  'ok',
  'value',
  'open',
  '__proto__',
)
const atom = fc.oneof(
  fc.anything({
    withBigInt: true,
    withMap: true,
    withSet: true,
    withDate: true,
    withTypedArray: true,
    withSparseArray: true,
  }),
  fc.integer(),
  fc.constantFrom(...types, 'echo', 'log', 'inputBytes', 1, 2, true, [], [1], new ArrayBuffer(1)),
)
const mutated = fc.oneof(
  fc.anything(),
  fc.dictionary(field, atom).chain((body) => fc.constantFrom(...types).map((type) => ({ ...body, type }))),
)

test('100,000 mutated records: each is a whole record or nothing, never an exception', () => {
  fc.assert(
    fc.property(mutated, (value) => {
      const record = asRecord(value)
      if (record !== undefined)
        assert.ok(
          whole(record as unknown as Record<string, unknown>),
          JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? String(v) : v)),
        )
    }),
    { numRuns: 100_000 },
  )
})

test('a field that is only inherited is not there', () => {
  assert.equal(asRecord(Object.create({ type: 'end' })), undefined)
  assert.equal(
    asRecord(Object.assign(Object.create({ input: 1, bytes: 1 }), { type: 'call', id: 1, seen: 0, fn: 'x', line: 0 })),
    undefined,
  )
})

test('whole records of each type are taken as they are', () => {
  for (const record of [
    { type: 'call', id: 1, seen: 0, fn: 'a', input: undefined, bytes: 0, line: 0 },
    { type: 'log', level: 'warn', text: '' },
    { type: 'digest', id: 3, algorithm: 'SHA-256', data: new ArrayBuffer(0) },
    { type: 'cut', seen: 0 },
    { type: 'limit', limit: 'logLines', figure: 2 },
    { type: 'body', seen: 0, ok: false, value: null, bytes: 4, open: [1, 2] },
    { type: 'end' },
  ]) {
    assert.equal(asRecord(record), record)
  }
})
