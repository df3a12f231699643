// How to write a program, in the words a model reads.

import type { FunctionEntry, Functions } from '../../index.js'

/** Whether calls of a function wait for approval, as a sentence; nothing when they do not. */
export const waits = ({ approval }: Readonly<FunctionEntry>): string | undefined =>
  approval === undefined || approval === false
    ? undefined
    : approval === true
      ? 'Waits for approval.'
      : 'May wait for approval, depending on the input.'

/** The instructions: the form of a program, what waits for approval, how to batch, what errors mean. */
export const instructionsFor = (functions: Functions): string => {
  const marked = Object.entries(functions)
    .filter(([, entry]) => waits(entry))
    .map(([name, { approval }]) => `sdk.${name}${approval === true ? '' : ' (depending on the input)'}`)
  return `Write a program: the body of an async JavaScript function. Top-level await and return work; there is no import, network, page or file.
Call functions as await sdk.name(input), with one input. Do all you can in one program, and return only what you need to know; console.log adds to that.
A call that fails throws an Error: catch it where the rest should go on.${
    marked.length
      ? `
These wait for a person's approval: ${marked.join(', ')}. A rejected call throws ApprovalRejected and has not run: catch it for each call when the others should go on, and do not try it in another way.
To have all approved at once, make these calls in a plain loop (for … await) and do not read properties of their results inside it. Say that something was done only if the output says so.`
      : ''
  }`
}
