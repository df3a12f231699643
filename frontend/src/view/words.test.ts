import { expect, it } from 'vitest'
import { age, counted, duration } from './words'

it.each([
  [0, '< 1 ms'],
  [0.96, '1 ms'],
  [8.4, '8 ms'],
  [999.4, '999 ms'],
  [999.6, '1.0 s'],
  [1_450, '1.4 s'],
  [59_940, '59.9 s'],
  [59_970, '1 min 0 s'],
  [125_000, '2 min 5 s'],
  [179_900, '3 min 0 s'],
])('%d ms is written %s', (ms, text) => {
  expect(duration(ms)).toBe(text)
})

it.each([
  [0, '0 calls'],
  [1, '1 call'],
  [3, '3 calls'],
])('%d', (n, text) => {
  expect(counted(n, 'call', 'calls')).toBe(text)
})

it.each([
  [-5_000, 'just now'],
  [59_999, 'just now'],
  [60_000, '1 minute ago'],
  [59 * 60_000, '59 minutes ago'],
  [119 * 60_000, '1 hour ago'],
  [47 * 3600_000, '1 day ago'],
  [9 * 24 * 3600_000, '9 days ago'],
])('%d ms ago is %s', (ms, text) => {
  expect(age(ms)).toBe(text)
})
