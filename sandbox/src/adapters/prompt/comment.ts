// JSDoc comments from texts that somebody else wrote.

/** A comment that no text can end before its end, each line after `indent`; empty without text. */
export const comment = (parts: readonly (string | undefined)[], indent: string): string => {
  const lines = parts
    .flatMap(
      (part) =>
        part
          ?.trim()
          .replaceAll('*/', '*\\/')
          .split(/\s*[\n\r\u2028\u2029]+\s*/) ?? [],
    )
    .filter(Boolean)
  if (!lines.length) return ''
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`
}
