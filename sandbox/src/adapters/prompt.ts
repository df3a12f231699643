// What a model reads about the functions: their types, and how to write a
// program that calls them. prompt/schema.ts says why no library writes the types.

import { defineFunctions, type FunctionEntry, type FunctionMap, type Functions } from '../index.js'
import { comment } from './prompt/comment.js'
import { instructionsFor, waits } from './prompt/instructions.js'
import { memberName, remarks, TypeWriter } from './prompt/schema.js'

/** Two texts for the model's prompt. */
export interface Description {
  /** `declare const sdk: { … }` in TypeScript, with the named types it uses before it. */
  declarations: string
  /** How to write a program, what waits for approval, how to batch, and what errors mean. */
  instructions: string
}

interface Branch {
  [name: string]: Branch | string
}

/** Whether a call without an input is one. */
const optional = (schema: FunctionEntry['input']): boolean =>
  schema === undefined ||
  schema === true ||
  (typeof schema === 'object' &&
    !(schema.required as unknown[] | undefined)?.length &&
    ['object', undefined].includes(schema.type as string | undefined) &&
    !schema.$ref &&
    !schema.anyOf &&
    !schema.oneOf &&
    !schema.allOf)

/**
 * Describes functions to the model: put both texts into the system prompt or
 * into the tool's description. The types come from each entry's JSON Schemas
 * `input` and `output`; `title` and `description` become comments.
 *
 * Throws a TypeError for a map that `defineFunctions` refuses.
 */
export const describeFunctions = (map: Functions | FunctionMap): Description => {
  const functions = defineFunctions(map)
  const writer = new TypeWriter()
  const tree: Branch = Object.create(null)
  for (const [name, entry] of Object.entries(functions)) {
    const parts = name.split('.')
    const last = parts.pop() as string
    let branch = tree
    for (const part of parts) {
      branch[part] ??= Object.create(null)
      branch = branch[part] as Branch
    }
    const indent = '  '.repeat(parts.length + 1)
    const typeName = name.replaceAll('.', ' ')
    const input = writer.type(entry.input ?? true, `${typeName} Input`, indent)
    const output = writer.type(entry.output ?? true, `${typeName} Output`, indent)
    const text = [
      entry.title,
      entry.description === entry.title ? undefined : entry.description,
      ...remarks(entry.input).slice(0, 1),
      waits(entry),
    ]
    branch[last] =
      `${comment(text, indent)}${indent}${memberName(last)}(input${optional(entry.input) ? '?' : ''}: ${input}): Promise<${output}>\n`
  }
  const write = (branch: Branch, indent: string): string =>
    Object.entries(branch)
      .map(([name, each]) =>
        typeof each === 'string' ? each : `${indent}${memberName(name)}: {\n${write(each, `${indent}  `)}${indent}}\n`,
      )
      .join('')
  const sdk = write(tree, '  ')
  return {
    declarations: `${writer.declarations.join('')}declare const sdk: {${sdk && '\n'}${sdk}}\n`,
    instructions: instructionsFor(functions),
  }
}
