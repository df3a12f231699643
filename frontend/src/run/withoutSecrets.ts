import type { Definition } from '../bridge/operations'
import type { RunView } from './runView'

const word = '(secret: not kept)'

/**
 * A run without what its functions call secret (`writeOnly` in their schemas). The
 * person has seen it on the card; the log keeps a commitment to it, and nothing
 * else keeps it at all. What a program says in its own text stays as it is.
 */
export const withoutSecrets = (view: RunView, definitions: Definition[]): RunView => ({
  ...view,
  calls: view.calls.map((call) => {
    const definition = definitions.find(({ name }) => name === call.fn)
    if (!definition) return call
    return {
      ...call,
      input: conceal(call.input, definition.input),
      ...('value' in call ? { value: conceal(call.value, definition.output) } : {}),
    }
  }),
})

const conceal = (value: unknown, schema: unknown): unknown => {
  if (!isObject(schema) || value === undefined) return value
  if (schema.writeOnly === true) return word
  if (Array.isArray(value)) {
    const { items } = schema
    return items === undefined ? value : value.map((item) => conceal(item, items))
  }
  const { properties } = schema
  if (!isObject(properties) || !isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, conceal(part, properties[key])]))
}

/** Of what is built in, such as dates and bytes, nothing has properties of its own in a schema. */
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value))
