// Where in the program something was thrown. The engines tell it differently,
// and a wrong line is worse than none: see the table in SECURITY.md.

import { branded, getter, indexOf, NativeError, regexpExec, regexpTest, slice } from '../shared/intrinsics.js'
import type { Fault } from '../shared/protocol.js'
import { errorText, print } from '../shared/text.js'
import { isPending } from './pending.js'

/** Lines that the function constructor puts before the body. */
const linesBefore = 2
/** Longest error text that leaves the worker, in characters. */
const room = 10_000

// V8: “at f (eval at run (blob:…:1:2), <anonymous>:5:6)”. A deeper eval origin,
// with parentheses inside, is code that the program compiled itself.
const inV8 = /\(eval at [^()]* \(blob:[^()]*\), <anonymous>:(\d+):(\d+)\)$/
// Firefox: “f@blob:… line 33 > AsyncFunction:5:1”.
const inFirefox = /@blob:\S+ line \d+ > AsyncFunction:(\d+):(\d+)$/

const stackGetter = getter(NativeError.prototype, 'stack')

const read = (error: object, key: string): unknown => {
  try {
    return (error as Record<string, unknown>)[key]
  } catch {
    return undefined
  }
}

const stackOf = (error: object): string => {
  const stack = stackGetter && branded(stackGetter, error) ? stackGetter(error) : read(error, 'stack')
  return typeof stack === 'string' ? stack : ''
}

export interface Position {
  line: number
  column: number
  stack: string
}

let firstColumn = 0
let lastLine = 0
let lastKnown = false
/**
 * Says where the program stands in what is compiled: columns before its first
 * line, and its text. Behind a U+2028 or U+2029 no line is told, since engines
 * do not agree whether one inside a string ends a line.
 */
export const setExtent = (columns: number, text: string): void => {
  const counted = text.split(/[\u2028\u2029]/)
  firstColumn = columns
  lastLine = (counted[0] as string).split(/\r\n|[\n\r]/).length
  lastKnown = counted.length === 1
}

// JavaScriptCore cannot tell code that the program compiled from the program.
let compiles = false
const compiler = /\b(?:Function|eval)\b|(?:\.\s*|['"`])constructor\b/

/** Looks whether the program may compile code of its own. */
export const noteProgram = (code: string): void => {
  compiles = regexpTest(compiler, code)
}

// Errors that JavaScriptCore places at the beginning of their function.
const misplaced =
  /uninitialized variable|readonly property|cannot be destructured|[Ss]pread syntax|non-object type in the constructor/
const messageOf = (error: object): string => {
  const message = read(error, 'message')
  return typeof message === 'string' ? message : ''
}

const native = /^(?:(?:Type|Range|Reference|Syntax|URI|Eval|Aggregate)Error|DOMException)?$/
/** The name of the class that made an error; nothing for Error itself. */
const makerOf = (error: object): string => {
  const maker = read(error, 'constructor')
  if (typeof maker !== 'function' || maker === NativeError) return ''
  const name = read(maker, 'name')
  return typeof name === 'string' ? slice(name, 0, 100) : ''
}

/**
 * The program's frames of an error, the innermost first; line 0 where the
 * engine does not tell. `compiling`: thrown by compiling the program itself.
 */
export const position = (error: object, compiling = false): Position => {
  const found: Position = { line: 0, column: 0, stack: '' }
  const add = (line: number, column: number) => {
    line -= linesBefore
    if (line === 1) column -= firstColumn
    // What is missing at the end is missed behind it.
    if (compiling && lastKnown && line > lastLine) {
      line = lastLine
      column = 0
    }
    if (line < 1 || line > lastLine) return
    if (!found.line) {
      found.line = line
      found.column = column
    }
    if (found.stack.length < room)
      found.stack += `${found.stack && '\n'}at line ${line}${column > 0 ? `:${column}` : ''}`
  }
  const stack = slice(stackOf(error), 0, 100_000)
  const maker = makerOf(error)
  for (let start = 0; start <= stack.length; ) {
    let end = indexOf(stack, '\n', start)
    if (end < 0) end = stack.length
    const text = slice(stack, start, end)
    const match = regexpExec(inV8, text) ?? regexpExec(inFirefox, text)
    // A class of the program's own errors is not where they are thrown.
    if (
      match &&
      !(maker && !found.line && (indexOf(text, `at new ${maker} (`) >= 0 || indexOf(text, `${maker}@`) === 0))
    )
      add(+(match[1] as string), +(match[2] as string))
    start = end + 1
  }
  if (found.line) return found
  // Firefox gives a SyntaxError's place beside the stack.
  const inFile = read(error, 'lineNumber')
  if (typeof inFile === 'number') {
    if (compiling) add(inFile, +(read(error, 'columnNumber') as number))
    return found
  }
  // JavaScriptCore: a source address marks harness code, but for a SyntaxError, whose column it spoils. An error
  // of the program's own class is placed in the constructor of that.
  const line = read(error, 'line')
  if (typeof line !== 'number') return found
  if (compiling) add(line, 0)
  else if (
    !compiles &&
    regexpTest(native, maker) &&
    !read(error, 'sourceURL') &&
    !regexpTest(misplaced, messageOf(error))
  )
    add(line, +(read(error, 'column') as number))
  return found
}

/** Describes anything thrown: never throws itself, runs no more of the program than its getters. */
export const describe = (thrown: unknown, compiling = false): Fault => {
  let name = 'Error'
  let message: string
  let at: Position = { line: 0, column: 0, stack: '' }
  let error = false
  try {
    error = !isPending(thrown) && thrown instanceof NativeError
  } catch {}
  if (error) {
    const own = read(thrown as object, 'name')
    const text = read(thrown as object, 'message')
    if (typeof own === 'string' && own) name = own
    message = typeof text === 'string' ? text : errorText(thrown as object)
    at = position(thrown as object, compiling)
  } else {
    message = print(thrown, room, special)
  }
  return {
    name: slice(name, 0, 200),
    message: message.length > room ? `${slice(message, 0, room)}… (${message.length} characters)` : message,
    line: at.line,
    column: at.column > 0 ? at.column : 0,
    stack: at.stack,
  }
}

export const special = (value: unknown): string | undefined => (isPending(value) ? '[pending]' : undefined)
