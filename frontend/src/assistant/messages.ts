import type { UIMessage } from 'ai'

/** The one tool: the model writes a program, the page runs it. */
export type AssistantTools = { runCode: { input: { code: string }; output: unknown } }
export type AssistantMessage = UIMessage<unknown, never, AssistantTools>
export type Part = AssistantMessage['parts'][number]
export type RunPart = Extract<Part, { type: 'tool-runCode' }>

/** The text of a message, without its programs. */
export const textOf = ({ parts }: AssistantMessage): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('')

/** What a person may search for in a message: its text and its programs. */
export const wordsOf = ({ parts }: AssistantMessage): string =>
  parts
    .map((part) => (part.type === 'text' ? part.text : part.type === 'tool-runCode' ? (part.input?.code ?? '') : ''))
    .filter((text) => text !== '')
    .join('\n')

/** The parts of a message's last step: what came after the last answer to it. */
export const lastStep = ({ parts }: AssistantMessage): Part[] =>
  parts.slice(parts.findLastIndex((part) => part.type === 'step-start') + 1)

/** The programs of a message. */
export const runParts = ({ parts }: AssistantMessage): RunPart[] =>
  parts.filter((part): part is RunPart => part.type === 'tool-runCode')

/** The key of a run of a conversation among all runs. */
export const runKey = (conversation: string, toolCallId: string): string => `${conversation}/${toolCallId}`

/** A program that is run but was not answered for. */
export const openRuns = (message: AssistantMessage): RunPart[] =>
  runParts(message).filter(({ state }) => state !== 'output-available' && state !== 'output-error')

/** A title for what begins with this request. */
export const titleOf = (request: string): string => {
  const line = request.trim().split('\n', 1)[0] ?? ''
  return line.length > 64 ? `${line.slice(0, 64).replace(/\s+\S*$/, '')}…` : line
}

/**
 * Messages as they were kept, fit to be gone on from: what was half written when
 * the app went cannot be finished. `cut`: the last answer is such.
 */
export const restored = (kept: AssistantMessage[]): { messages: AssistantMessage[]; cut: boolean } => {
  let cut = false
  const messages = kept.map((message, at) => ({
    ...message,
    parts: message.parts.flatMap((part): Part[] => {
      const half =
        (part.type === 'tool-runCode' && part.state === 'input-streaming') ||
        (part.type === 'text' && part.state === 'streaming')
      if (half && at === kept.length - 1) cut = true
      if (part.type === 'text') return [{ ...part, state: 'done' }]
      return half ? [] : [part]
    }),
  }))
  return { messages, cut }
}
