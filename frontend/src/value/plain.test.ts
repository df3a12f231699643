import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { oddIn, plain, plainLines } from './plain'

/** The card's own examples, so that page and card show the same. */
const examples = [
  ...readFileSync('../app/card/plain_test.go', 'utf8').matchAll(
    /^\t\t\{"([^"]+)", ("(?:[^"\\]|\\.)*"|`[^`]*`), (.+), ([A-Z]\w+(?: \| \w+)*|0)\},$/gm,
  ),
].map(([, name = '', from = '', to = '', kind = '']) => ({ name, from, to, kind }))

/** A string of Go as JavaScript reads it; undefined for bytes that are no text. */
const read = (go: string): string | undefined => {
  const parts = go.split(' + ').map((part) => {
    if (part.startsWith('`')) return part.slice(1, -1)
    if (/\\x[89a-f]/i.test(part)) return undefined
    return JSON.parse(
      part
        .replace(/\\x(..)/g, '\\u00$1')
        .replace(/\\U000(.....)/g, (_, hex) =>
          JSON.stringify(String.fromCodePoint(Number.parseInt(hex, 16))).slice(1, -1),
        ),
    ) as string
  })
  return parts.includes(undefined) ? undefined : parts.join('')
}

describe('text as the card shows it', () => {
  it('has the examples of the card', () => {
    expect(examples.length).toBeGreaterThan(30)
  })

  it.each(examples.filter(({ from, kind }) => kind !== 'Masked' && read(from) !== undefined))(
    '$name',
    ({ from, to }) => {
      expect(plain(read(from) ?? '')).toBe(read(to))
    },
  )

  it('keeps line breaks and tabs where they are the layout', () => {
    expect(plainLines('{\n\t"a": "\u202eb"\r\n}')).toBe('{\n\t"a": "\\u{202E}b"\\u{000D}\n}')
    expect(plain('a\tb\n')).toBe('a\\u{0009}b\\u{000A}')
  })

  it('says what was found, in the words of the card', () => {
    expect(oddIn('{\n\t"a": 1, "b": "Grüße, 東京"\n}')).toBeUndefined()
    expect(oddIn('three\u202ehidden')).toBe(
      'Contains characters that change the direction of text. They are shown as escapes such as \\u{202E}.',
    )
    expect(oddIn('pay\u200bnow\u202e\u00a0')).toBe(
      'Contains characters that change the direction of text, invisible characters and unusual blanks. They are shown as escapes such as \\u{202E}.',
    )
  })
})
