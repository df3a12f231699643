// TypeScript types from JSON Schemas, for a model to read.
//
// Why not a library: this runs in a page, at once, over many small schemas that
// belong together. json-schema-to-typescript and its -lite need Node's modules
// and do not bundle; @fumari/json-schema-to-typescript bundles (22 kB gzipped)
// but gives a promise, and throws at a $ref without the parser that needs Node;
// @cloudflare/codemode keeps its generator to itself. All of them write a file
// of exported interfaces per schema, whose names clash between functions. None
// says “integer”, “date-time” or “at least 1” where the model can read it.
//
// What JSON Schema says and TypeScript cannot goes into comments. Where a
// keyword is not understood the type gets wider, never wrong.

import type { JsonSchema } from '../../index.js'
import { comment } from './comment.js'

type Schema = { [key: string]: unknown }

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u

/** A name as it stands in an object type. */
export const memberName = (name: string): string => (identifier.test(name) ? name : JSON.stringify(name))

const literal = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (isObject(value)) {
    const members = Object.entries(value).map(([name, each]) => `${memberName(name)}: ${literal(each)}`)
    return members.length ? `{ ${members.join('; ')} }` : 'Record<string, never>'
  }
  return JSON.stringify(value) ?? 'unknown'
}

const unique = (types: string[], wide: string, none: string, by: ' | ' | ' & '): string => {
  const kept = [...new Set(types)].filter((type) => type !== none)
  if (kept.includes(wide)) return wide
  // An operator inside another binds as it is meant.
  return kept.length > 1 ? kept.map((type) => (by === ' & ' ? grouped(type) : type)).join(by) : (kept[0] ?? none)
}
const union = (types: string[]) => unique(types, 'unknown', 'never', ' | ')
const both = (types: string[]) => unique(types, 'never', 'unknown', ' & ')

/** Whether ` | ` or ` & ` stands outside all brackets and strings. */
const compound = (type: string): boolean => {
  let depth = 0
  for (const [part] of type.matchAll(/"(?:[^"\\]|\\.)*"|\/\*[\s\S]*?\*\/|[{}()[\]<>|&]/g)) {
    if ('{([<'.includes(part)) depth++
    else if ('})]>'.includes(part)) depth--
    else if (!depth && part.length === 1) return true
  }
  return false
}
const grouped = (type: string): string => (compound(type) ? `(${type})` : type)

const isTuple = (schema: Schema): boolean => Array.isArray(schema.prefixItems ?? schema.items)

/** What the type cannot say, in words. */
const facts = (schema: Schema): string => {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength, minItems, maxItems, multipleOf } =
    schema
  const say = (value: unknown, text: (value: unknown) => string) =>
    value === undefined || value === null ? [] : [text(value)]
  return [
    ...([schema.type].flat().includes('integer') ? ['integer'] : []),
    ...say(schema.format, (name) => `${name}`),
    ...say(schema.contentEncoding, (name) => `${name}`),
    // Who names a format needs no pattern for it.
    ...say(schema.format === undefined ? schema.pattern : undefined, (text) => `matches ${text}`),
    ...say(minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum, (n) => `at least ${n}`),
    ...say(maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum, (n) => `at most ${n}`),
    ...say(exclusiveMinimum, (n) => `more than ${n}`),
    ...say(exclusiveMaximum, (n) => `less than ${n}`),
    ...say(multipleOf, (n) => `a multiple of ${n}`),
    ...say(minLength, (n) => `at least ${n} characters`),
    ...say(maxLength, (n) => `at most ${n} characters`),
    ...(minItems === maxItems
      ? say(isTuple(schema) ? undefined : minItems, (n) => `exactly ${n} items`)
      : [...say(minItems, (n) => `at least ${n} items`), ...say(maxItems, (n) => `at most ${n} items`)]),
    ...say(schema.default, (value) => `default ${JSON.stringify(value)}`),
    ...(schema.deprecated === true ? ['deprecated'] : []),
  ].join(', ')
}

/** Description and facts of a schema, as lines of a comment. */
export const remarks = (schema: unknown): string[] => {
  if (!isObject(schema)) return []
  const text = schema.description ?? schema.title
  return [typeof text === 'string' ? text : '', facts(schema)]
}

/** Types of many schemas, which share one set of names. */
export class TypeWriter {
  /** Named types so far, as declarations, in order of first use. */
  readonly declarations: string[] = []
  readonly #names = new Map<string, string>()
  readonly #taken = new Set<string>()

  /** The type of a schema. `name` names it where it refers to itself; `indent` is that of the line it stands on. */
  type(schema: JsonSchema, name: string, indent = ''): string {
    return this.#type(schema, { root: schema, name, direct: [] }, indent)
  }

  #type(schema: unknown, at: Scope, indent: string): string {
    if (schema === false) return 'never'
    if (!isObject(schema)) return 'unknown'
    const parts = [this.#own(schema, at, indent)]
    if (typeof schema.$ref === 'string') parts.push(this.#named(schema.$ref, at))
    for (const each of listOf(schema.allOf)) parts.push(this.#type(each, at, indent))
    for (const choice of [schema.anyOf, schema.oneOf]) {
      if (Array.isArray(choice)) parts.push(union(choice.map((each) => this.#type(each, at, indent))))
    }
    if (isObject(schema.not) && !Object.keys(schema.not).length) return 'never'
    const type = both(parts)
    return schema.nullable === true ? union([type, 'null']) : type
  }

  /** What the keywords beside $ref, allOf, anyOf and oneOf say. */
  #own(schema: Schema, at: Scope, indent: string): string {
    if ('const' in schema) return literal(schema.const)
    if (Array.isArray(schema.enum)) return union(schema.enum.map(literal))
    const types = schema.type === undefined ? [] : [schema.type].flat()
    if (!types.length) {
      if (isObject(schema.properties) || schema.additionalProperties !== undefined) types.push('object')
      else if (schema.items !== undefined || schema.prefixItems !== undefined) types.push('array')
      else return 'unknown'
    }
    const inner = { ...at, direct: [] }
    // null reads best at the end.
    const texts = types.map((type) => {
      if (type === 'string' || type === 'boolean' || type === 'number' || type === 'null') return type
      if (type === 'integer') return 'number'
      if (type === 'array') return this.#array(schema, inner, indent)
      return type === 'object' ? this.#object(schema, inner, indent) : 'unknown'
    })
    return union([...texts.filter((text) => text !== 'null'), ...texts.filter((text) => text === 'null')])
  }

  #array(schema: Schema, at: Scope, indent: string): string {
    const { minItems, maxItems } = schema
    const first = Array.isArray(schema.prefixItems)
      ? schema.prefixItems
      : Array.isArray(schema.items)
        ? schema.items
        : undefined
    if (first) {
      const rest = Array.isArray(schema.items) ? schema.additionalItems : schema.items
      const least = typeof minItems === 'number' ? minItems : first.length
      const items = first.map((each, i) => {
        const type = this.#type(each, at, indent)
        return i < least ? type : `${grouped(type)}?`
      })
      if (rest !== false && !(typeof maxItems === 'number' && maxItems <= first.length))
        items.push(`...${grouped(this.#type(rest, at, indent))}[]`)
      return `[${items.join(', ')}]`
    }
    if (maxItems === 0) return '[]'
    const item = this.#type(schema.items, at, indent)
    // A Go array: as a tuple while that is short to read.
    if (minItems === maxItems && typeof minItems === 'number' && (item.length + 2) * minItems <= 60)
      return `[${Array(minItems).fill(item).join(', ')}]`
    return `${grouped(item)}[]`
  }

  #object(schema: Schema, at: Scope, indent: string): string {
    const properties = isObject(schema.properties) ? Object.entries(schema.properties) : []
    const required = new Set(listOf(schema.required))
    const deeper = `${indent}  `
    let remarked = false
    const types: string[] = []
    const members = properties.map(([name, each]) => {
      const text = comment(remarks(each), deeper)
      if (text) remarked = true
      const type = this.#type(each, at, deeper)
      types.push(type)
      return `${text}${deeper}${memberName(name)}${required.has(name) ? '' : '?'}: ${type}\n`
    })
    const others = isObject(schema.patternProperties) ? Object.values(schema.patternProperties) : []
    const { additionalProperties: more } = schema
    if (more !== undefined && more !== false && !(isObject(more) && isEmptyNot(more))) others.push(more)
    // A named member is read by its own type only if the others may be that too.
    const index = others.length
      ? `Record<string, ${union([...others.map((each) => this.#type(each, at, indent)), ...types])}>`
      : ''
    if (!members.length) return index || (more === undefined ? 'Record<string, unknown>' : 'Record<string, never>')
    const short = `{ ${members.map((member) => member.trim()).join('; ')} }`
    const body =
      !remarked && !short.includes('\n') && short.length + indent.length <= 100
        ? short
        : `{\n${members.join('')}${indent}}`
    return index ? `${body} & ${index}` : body
  }

  /** The name of what a $ref points to; declares it on first use. */
  #named(ref: string, at: Scope): string {
    const target = find(at.root, ref)
    if (target === undefined) return 'unknown'
    // The same text in the same surroundings is the same type.
    const text = JSON.stringify(target)
    const key = text.includes('"$ref"') || text.includes('"$dynamicRef"') ? `${ref} ${JSON.stringify(at.root)}` : text
    let name = this.#names.get(key)
    // A name that means only itself means nothing.
    if (name && at.direct.includes(name)) return 'unknown'
    if (!name) {
      name = this.#newName(ref === '#' ? at.name : (ref.split('/').pop() as string))
      this.#names.set(key, name)
      const place = this.declarations.push('') - 1
      const type = this.#type(target, { ...at, direct: [...at.direct, name] }, '')
      this.declarations[place] = `${comment(remarks(target), '')}type ${name} = ${type}\n`
    }
    return name
  }

  #newName(wish: string): string {
    const words = wish.replace(/%[\da-f]{2}|~[01]/gi, ' ').split(/[^\p{ID_Continue}$]+/u)
    const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
    const base = identifier.test(joined) && !globals.has(joined) ? joined : `Type${joined}`
    let name = base
    for (let n = 2; this.#taken.has(name); n++) name = `${base}${n}`
    this.#taken.add(name)
    return name
  }
}

interface Scope {
  /** where $ref starts from */
  root: unknown
  name: string
  /** names that are being declared, with nothing but references in between */
  direct: string[]
}

/** Names that the written types use themselves. */
const globals = new Set(['Record', 'Promise'])

// How Go writes `false`.
const isEmptyNot = (schema: Schema) =>
  Object.keys(schema).length === 1 && isObject(schema.not) && !Object.keys(schema.not).length

/** What a local JSON pointer, or an $anchor or $id inside, points to. */
const find = (root: unknown, ref: string): unknown => {
  if (!ref.startsWith('#')) return undefined
  if (ref === '#') return root
  if (ref[1] !== '/') return anchored(root, ref.slice(1))
  let at: unknown = root
  for (const part of ref.slice(2).split('/')) {
    let key = part
    try {
      key = decodeURIComponent(part)
    } catch {}
    key = key.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = (at as Schema)[key]
  }
  return at
}

const anchored = (at: unknown, anchor: string): unknown => {
  if (typeof at !== 'object' || at === null) return undefined
  if ((at as Schema).$anchor === anchor) return at
  for (const each of Object.values(at)) {
    const found = anchored(each, anchor)
    if (found !== undefined) return found
  }
  return undefined
}
