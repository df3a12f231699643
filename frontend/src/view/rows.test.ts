import { describe, expect, it } from 'vitest'
import { rowsOf } from './rows'

describe('a value that is a table', () => {
  it.each<[string, unknown, string[]]>([
    ['a list of objects', [{ a: 1 }, { a: 2, b: 3 }], ['a', 'b']],
    ['an object whose one member is such a list', { rows: [{ a: 1 }, { a: 2 }] }, ['a']],
  ])('is %s', (_name, value, columns) => {
    expect(rowsOf(value)?.columns).toEqual(columns)
  })

  it.each<[string, unknown]>([
    ['one row', [{ a: 1 }]],
    ['numbers', [1, 2]],
    ['something beside the list', { rows: [{ a: 1 }, { a: 2 }], total: 2 }],
    ['rows with nothing in common', [{ a: 1 }, { b: 1 }, { c: 1 }]],
    ['empty rows', [{}, {}]],
    ['dates', [new Date(0), new Date(1)]],
    ['nothing', undefined],
    ['a text', 'text'],
  ])('is not %s', (_name, value) => {
    expect(rowsOf(value)).toBeUndefined()
  })
})
