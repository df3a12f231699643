import type { UIMessage } from 'ai'

/** The one tool: the model writes a program, the page runs it. */
export type AssistantTools = { runCode: { input: { code: string }; output: unknown } }
export type AssistantMessage = UIMessage<unknown, never, AssistantTools>
export type Part = AssistantMessage['parts'][number]
export type RunPart = Extract<Part, { type: 'tool-runCode' }>

/** The text of a message, without its programs. */
export const textOf = ({ parts }: AssistantMessage): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('')

/** The parts of a message's last step: what came after the last answer to it. */
export const lastStep = ({ parts }: AssistantMessage): Part[] =>
  parts.slice(parts.findLastIndex((part) => part.type === 'step-start') + 1)

/** A program that is run but was not answered for. */
export const openRuns = ({ parts }: AssistantMessage): RunPart[] =>
  parts.filter(
    (part): part is RunPart =>
      part.type === 'tool-runCode' && part.state !== 'output-available' && part.state !== 'output-error',
  )
