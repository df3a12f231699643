// The names that @cloudflare/codemode gives to tools: its own rule, since its
// prompt shows the model these names and its executors must answer to them.

const reserved = new Set(
  'abstract arguments await boolean break byte case catch char class const continue debugger default delete do double else enum eval export extends false final finally float for function goto if implements import in instanceof int interface let long native new null package private protected public return short static super switch synchronized this throw throws transient true try typeof undefined var void volatile while with yield'.split(
    ' ',
  ),
)

/** Whether a word cannot name a namespace: no program could say it, or the package keeps it. */
export const isReserved = (word: string): boolean =>
  reserved.has(word) || /^__(?:dispatchers|connectors|logs)$/.test(word)

/** The name under which the program calls a tool. */
export const safeName = (name: string): string => {
  const safe =
    name
      .replace(/[-.\s]/g, '_')
      .replace(/[^\w$]/g, '')
      .replace(/^\d/, '_$&') || '_'
  return reserved.has(safe) ? `${safe}_` : safe
}
