/**
 * Text as the card shows it: what is not drawn as itself, or turns the direction of
 * what is around it, is written as an escape, \u{202E}. The rules are those of
 * app/card/plain.go, but for letters that pass for others, which want a table.
 */

/** Nearly all text. */
const ordinary = /^[\x20-\x7e\n\t]*$/

/** What is escaped, by the words of the card's warning. */
const kinds: [RegExp, string][] = [
  [/\p{Bidi_Control}/u, 'characters that change the direction of text'],
  [/[\p{Cf}\p{DI}\p{Me}\u2800\ufffc]/u, 'invisible characters'],
  [/[\p{Cc}\p{Zl}\p{Zp}]/u, 'control characters'],
  [/\p{Zs}/u, 'unusual blanks'],
  [/\p{M}/u, 'stacked marks'],
  [/[\p{Cn}\p{Co}\p{Cs}]/u, 'characters without a meaning'],
]

/**
 * A selector of how a symbol is drawn stays behind a symbol; a mark stays on a letter,
 * a digit or a symbol, three of them at most.
 */
const odd =
  /(?<!\p{So})[\ufe0e\ufe0f]|(?! |[\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Z}\p{Me}\p{DI}\p{Cn}\p{Co}\p{Cs}\u2800\ufffc]|(?<![\p{L}\p{N}\p{So}\p{M}])\p{M}|(?<=\p{M}{3})\p{M}/gu

const escaped = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}}`

/** Text of a natural language: only what turns the direction of what is around it is escaped. */
export const unturned = (text: string): string => text.replace(/\p{Bidi_Control}/gu, escaped)

/** On one line: line breaks are escaped too. */
export const plain = (text: string): string =>
  ordinary.test(text) && !/[\n\t]/.test(text) ? text : text.replace(odd, escaped)

/** Text whose line breaks and tabs are its layout. */
export const plainLines = (text: string): string =>
  ordinary.test(text)
    ? text
    : text.replace(odd, (character) => (/[\n\t]/.test(character) ? character : escaped(character)))

/** A sentence about what plainLines escapes, undefined for nothing. */
export const oddIn = (text: string): string | undefined => {
  if (ordinary.test(text)) return undefined
  const found = new Set(
    [...text.matchAll(odd)]
      .filter(([character]) => !/[\n\t]/.test(character))
      .map(([character]) => kinds.find(([kind]) => kind.test(character))?.[1] ?? ''),
  )
  if (found.size === 0) return undefined
  const words = kinds.map(([, said]) => said).filter((said) => found.has(said))
  const last = words.pop()
  return `Contains ${words.length > 0 ? `${words.join(', ')} and ${last}` : last}. They are shown as escapes such as \\u{202E}.`
}
