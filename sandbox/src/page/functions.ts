// The functions a host defines. The map is checked, copied and frozen once.

import { demand, isObject, mayBe, mistake } from './mistake.js'

type Check = [what: string, ok: (value: unknown) => boolean]
const text: Check = ['a string', (value) => mayBe(value, 'string')]
const schema: Check = ['a JSON Schema', (value) => mayBe(value, 'boolean') || isObject(value)]
/** What an entry has, and what each part must be. */
const parts: { [key in keyof FunctionEntry]-?: Check } = {
  call: ['a function', (value) => typeof value === 'function'],
  approval: ['true, false or a function', (value) => mayBe(value, 'boolean') || typeof value === 'function'],
  title: text,
  description: text,
  input: schema,
  output: schema,
}
const badParts = new Set(['__proto__', 'constructor', 'prototype', 'then', 'toJSON'])
const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u

export interface CallContext {
  /** Fires when the run ends. */
  signal: AbortSignal
  runId: string
  callId: string
  seq: number
  fn: string
}

// biome-ignore lint/suspicious/noExplicitAny: a host's function knows its own input
type Call = (input: any, ctx: CallContext) => unknown

/** Every function has a member `call`; said here, it does not hide the type of an entry's `call`. */
export interface HostFunction extends Call {
  call: Call
}

/** A JSON Schema, as far as this library cares. */
export type JsonSchema = boolean | { [key: string]: unknown }

export interface FunctionEntry {
  call: Call
  /** true: every call is marked. A predicate decides from its own copy of the input: only exactly `false` unmarks. */
  // biome-ignore lint/suspicious/noExplicitAny: a host's predicate knows its own input
  approval?: boolean | ((input: any) => unknown)
  title?: string
  description?: string
  input?: JsonSchema
  output?: JsonSchema
}

export type FunctionMap = { [name: string]: HostFunction | FunctionEntry }
const defined = new WeakSet<object>()

/** Functions by name, as `run` takes them. */
export type Functions = Readonly<Record<string, Readonly<FunctionEntry>>>

/**
 * Checks and freezes a map of functions. Throws a TypeError that names the
 * entry when a name or an entry cannot be used.
 */
export const defineFunctions = (map: FunctionMap): Functions => {
  if (defined.has(map)) return map as Functions
  const isMap = isObject(map) && !(Symbol.iterator in map)
  demand(isMap, 'What defineFunctions takes', 'a plain object: { name: function or { call, approval?, … } }', map)
  const functions: Record<string, FunctionEntry> = Object.create(null)
  const names = Object.keys(map)
  for (const name of names) {
    const refuse = (why: string): never => mistake(`Function “${name}”: ${why}.`)
    for (const part of name.split('.')) {
      if (badParts.has(part)) refuse(`“${part}” cannot be part of a name`)
      if (!identifier.test(part)) refuse('a name is made of identifiers joined by dots, like orders.cancel')
    }
    const longer = names.find((other) => other.startsWith(`${name}.`))
    if (longer) refuse(`it cannot be both a function and the beginning of “${longer}”`)
    const given: unknown = map[name]
    const entry = (isObject(given) ? { ...given } : { call: given }) as FunctionEntry
    // A mark that is misspelt must not unmark.
    const strange = Object.keys(entry).find((key) => !Object.hasOwn(parts, key))
    if (strange) refuse(`an entry is a function or { ${Object.keys(parts).join(', ')} }, and has no “${strange}”`)
    for (const [key, [what, ok]] of Object.entries(parts)) {
      const value = entry[key as keyof FunctionEntry]
      demand(ok(value), `Function “${name}”: ${key}`, what, value)
    }
    const { input, output } = entry
    if (input) entry.input = structuredClone(input)
    if (output) entry.output = structuredClone(output)
    functions[name] = Object.freeze(entry)
  }
  defined.add(functions)
  return Object.freeze(functions)
}
