// Compiles the program as the body of an async function, from a string that
// was sent as data. Finding out whether it is one function expression compiles
// other texts too, but runs none of them.

import { indexOf, regexpExec, slice } from '../shared/intrinsics.js'
import { setExtent } from './fault.js'

const AsyncFunction = (async () => {}).constructor as new (body: string) => () => Promise<unknown>
const space = /^(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*/
const fence = /^(\s*)(`{3,}|~{3,})[^\n`~]*\n([\s\S]*?)\n?[ \t]*\2\s*$/
const exported = /^export\s+default\s+/
const functionHead = /^(?:async\b\s*)?function\b/
// Looser than the language where that costs less: what begins so must parse as well.
const arrowHead = /^(?:async\b\s*)?(?:\(|[\w$\x80-\uffff]+\s*=>)/
const tail = /(?:;\s*(?:\/\/.*\s*)*)$/

const parses = (text: string): boolean => {
  try {
    return !!new AsyncFunction(text)
  } catch {
    return false
  }
}

const trimEnd = (text: string): string => {
  let end = text.length
  while (end && regexpExec(/[\s;]/, text[end - 1] as string)) end--
  return slice(text, 0, end)
}

/** Whether `text` parses as one function or arrow expression, perhaps in parentheses. */
const isFunction = (text: string): boolean => {
  const start = slice(text, (regexpExec(space, text) as RegExpExecArray)[0].length)
  const declared = regexpExec(functionHead, start)
  // Most programs are seen to be none without compiling anything.
  if (!declared && !regexpExec(arrowHead, start)) return false
  // Two kinds of brackets, so that a text cannot close the one around it; of two expressions with a comma none is it.
  if (!parses(`(${text}\n)`) || !parses(`[0?${text}\n:0]`)) return false
  // A declaration that is called at once ends in “)”.
  if (declared) return regexpExec(/\}\s*(?:\/\/.*\s*)*$/, start) !== null
  // An arrow function cannot be an operand; a call or a parenthesised function can.
  if (!parses(`0||${text}\n`)) return indexOf(text, '=>') > 0
  const inner = trimEnd(start)
  return inner[0] === '(' && inner[inner.length - 1] === ')' && isFunction(slice(inner, 1, -1))
}

/** Takes a Markdown fence off that stands around the whole text; line numbers stay. */
const unfence = (code: string): string => {
  const match = regexpExec(fence, code)
  return match ? `${match[1]}\n${match[3]}` : code
}

/** Compiles the program; throws the engine's SyntaxError. */
export const compile = (code: string): (() => Promise<unknown>) => {
  let text = unfence(code)
  // A hashbang is a comment in a file; here it becomes one.
  if (text[0] === '#' && text[1] === '!') text = `//${slice(text, 2)}`
  const before = (regexpExec(space, text) as RegExpExecArray)[0]
  const rest = slice(text, before.length)
  const head = regexpExec(exported, rest)
  const blank = head ? regexpExec(/[^\n]*$/, head[0]) : undefined
  const body = head
    ? before +
      '\n'.repeat(head[0].split('\n').length - 1) +
      ' '.repeat(blank ? blank[0].length : 0) +
      slice(rest, head[0].length)
    : text
  const expression = slice(body, 0, body.length - (regexpExec(tail, body)?.[0].length ?? 0))
  if (isFunction(expression)) {
    // “return (” stands before its first line, and the call of it on a line behind.
    setExtent(8, expression)
    return new AsyncFunction(`return (${expression}\n)()`)
  }
  setExtent(0, text)
  return new AsyncFunction(text)
}
