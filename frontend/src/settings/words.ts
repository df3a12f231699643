/** Cuts a command line into words; quotes hold one together, a backslash takes the next letter as it is. */
export const wordsOf = (line: string): string[] => {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < line.length; at++) {
    const c = line.charAt(at)
    if (c === '\\' && quote !== "'" && at + 1 < line.length) word = (word ?? '') + line.charAt(++at)
    else if (quote !== '') {
      if (c === quote) quote = ''
      else word = (word ?? '') + c
    } else if (c === '"' || c === "'") {
      quote = c
      word ??= ''
    } else if (/\s/.test(c)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + c
  }
  if (word !== undefined) words.push(word)
  return words
}

/** Reads a name and a value from each line that is not empty. */
export const pairsOf = (text: string, mark: '=' | ':'): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .map((line) => {
        const at = line.indexOf(mark)
        return at < 0 ? [line, ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()]
      }),
  )
