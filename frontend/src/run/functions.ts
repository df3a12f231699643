import type { FunctionEntry, FunctionMap } from '@faustine-ai/browser-sandbox'
import type { Definition, Operations } from '../bridge/operations'
import { decode } from '../value/decode'
import { encode } from '../value/encode'

/**
 * The functions that a program may call, from Go's own definitions. `begun`
 * resolves once Go has logged the run that the calls belong to; no call of it
 * may come before.
 *
 * What is marked is Go's word. An input that has no tagged form is not marked
 * here, so that the call itself fails at its call site, before any card.
 */
export const functionsOf = (
  definitions: Definition[],
  operations: Operations,
  begun: () => Promise<void>,
): FunctionMap => {
  const entryOf = ({ name, title, description, approval, input, output }: Definition): FunctionEntry => ({
    title,
    description,
    input,
    output,
    approval:
      approval === 'never'
        ? false
        : async (value: unknown) => {
            const tagged = await encode(value).catch(() => undefined)
            return tagged === undefined ? false : operations.judge(name, tagged)
          },
    call: async (value, { runId, callId, seq, fn, signal }) => {
      const tagged = await encode(value)
      await begun()
      return decode(await operations.call({ runId, callId, seq, fn, input: tagged }, signal))
    },
  })
  return Object.fromEntries(definitions.map((definition) => [definition.name, entryOf(definition)]))
}
