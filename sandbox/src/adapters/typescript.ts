// Takes the types off a program, for `createSandbox({ transform: stripTypes })`.
//
// sucrase does the work: it removes in place, so every line stays where it was.
// Three things are ours. A program is the body of a function and may be one
// anonymous function. Plain JavaScript must come out as it went in: some of it
// reads as type arguments (`f(a < b, c > (d))`). And what sucrase drops
// without a word (a namespace with code in it) is an error here.

import { transform } from 'sucrase'

// The same fence that the core takes off: only around the whole program.
const fence = /^(\s*```[^\n`]*\n)([\s\S]*?)(\n?[ \t]*```\s*)$/
const namespace = /^[ \t]*(?:export[ \t]+)?(?:namespace|module)\s+[\w.]+\s*\{/gm
// `id<Item>(x)`, written tight: nobody compares like that.
const typeArguments = /[\w$]<[^\s=<>()](?:[^()<>]|<[^()<>]*>)*>[(`]/
const spacedComparison = /[\w$)\]]\s+<\s/

interface Place {
  line: number
  column: number
}

const failure = (message: string, { line, column }: Place): SyntaxError =>
  Object.assign(new SyntaxError(`${message} (line ${line})`), { line, column })

const run = (code: string, transforms: ['typescript'] | []): string =>
  transform(code, { transforms, disableESTransforms: true, keepUnusedImports: true }).code

const isJavaScript = (code: string): boolean => {
  try {
    run(code, [])
    return true
  } catch {
    return false
  }
}

const strip = (code: string): string => {
  const javascript = isJavaScript(code)
  let out: string
  try {
    out = run(code, ['typescript'])
  } catch (error) {
    if (javascript) return code
    throw error
  }
  if (javascript && out !== code && spacedComparison.test(code) && !typeArguments.test(code)) return code
  if (out === code) return code
  const gone = [...code.matchAll(namespace)].find(([text]) => !out.includes(text))
  if (gone) {
    const before = code.slice(0, gone.index).split('\n')
    throw failure('A namespace cannot be stripped: write an object or plain functions', {
      line: before.length,
      column: 1,
    })
  }
  return out
}

const stripBody = (code: string): string => {
  let furthest: (Place & { text: string }) | undefined
  // An anonymous function is an expression only, so parentheses are tried too.
  for (const [open, close] of [
    ['', ''],
    ['(', '\n)'],
  ] as const) {
    try {
      const out = strip(open + code + close)
      return out.slice(open.length, out.length - close.length)
    } catch (error) {
      const { loc, message } = error as { loc?: Place; message: string }
      if (!loc) throw error
      const place = { line: loc.line, column: loc.line === 1 ? loc.column - open.length : loc.column }
      const further =
        !furthest || place.line > furthest.line || (place.line === furthest.line && place.column > furthest.column)
      // What is found missing at the added parenthesis is no news.
      if (further && place.line <= code.split('\n').length)
        furthest = { ...place, text: message.replace(/\s*\(\d+:\d+\)$/, '') }
    }
  }
  const { text, ...place } = furthest as Place & { text: string }
  throw failure(text, place)
}

/**
 * The program without its types, for the option `transform` of `createSandbox`.
 * Every line stays where it was. Enums, `as`, `satisfies`, `!`, generics and
 * parameter properties are understood; plain JavaScript, a Markdown fence
 * around the whole and `export default` are left as they were. Types are not
 * checked.
 *
 * Throws a SyntaxError with `line` and `column` (from 1) for what is neither
 * TypeScript nor JavaScript. Needs the package `sucrase`, version 3.
 */
export const stripTypes = (code: string): string => {
  const fenced = fence.exec(code)
  if (!fenced) return stripBody(code)
  const [, head, body, tail] = fenced as unknown as [string, string, string, string]
  try {
    return head + stripBody(body) + tail
  } catch (error) {
    const { line, column, message } = error as Place & { message: string }
    const lines = head.split('\n').length - 1
    throw failure(message.replace(/ \(line \d+\)$/, ''), { line: line + lines, column })
  }
}
