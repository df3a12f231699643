import { describeFunctions } from '@faustine-ai/browser-sandbox/prompt'
import type { Definition } from '../bridge/operations'

/** What the model is told: its job, how to write a program, and the functions with their types. */
export const instructionsFor = (definitions: Definition[]): string => {
  const { instructions, declarations } = describeFunctions(
    Object.fromEntries(definitions.map((definition) => [definition.name, describable(definition)])),
  )
  return `You are Countersign, an assistant on a person's computer.
You act by writing small JavaScript programs and running them with the tool runCode. Answer without a program when nothing needs to be looked up or done.

${instructions}

The person sees each program, every call it makes, and its result; do not repeat those. After a program has run, say briefly what was done and what was not. What the person rejected stays undone: do not ask for it again, and do not reach it in another way, unless they say so. Never say that something was done unless the output says so. When a program failed, read the line and the message, and run a corrected one; say so when you cannot.

${declarations}`
}

const describable = ({ title, description, approval, input, output }: Definition) => ({
  title,
  description,
  input,
  output,
  // Only how it is described matters here: these are never called.
  call: () => undefined,
  approval: approval === 'always' ? true : approval === 'depends' ? () => true : false,
})
