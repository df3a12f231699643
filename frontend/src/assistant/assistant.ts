/**
 * The conversation: chat state and model loop are the AI SDK's, the way from a
 * call of the model's tool to a run and back is the library's `/ai` adapter.
 */

import { Chat } from '@ai-sdk/react'
import { clientTools, runCodeTool } from '@faustine-ai/browser-sandbox/ai'
import {
  type ChatTransport,
  DirectChatTransport,
  lastAssistantMessageIsCompleteWithToolCalls,
  ToolLoopAgent,
  type ToolSet,
} from 'ai'
import { z } from 'zod'
import type { Definition } from '../bridge/operations'
import type { Reopened } from '../run/resumeRun'
import type { Runs } from '../run/runs'
import { type AssistantMessage, lastStep, openRuns, type RunPart, restored, runKey, runParts, textOf } from './messages'
import type { ChosenModel } from './model'
import { modelErrorText } from './modelError'
import { instructionsFor } from './prompt'

/** How many programs one request may take: a model that repeats itself must end. */
const maxPrograms = 12

/** Why nothing more will come by itself, although the last word is not said. */
export type Unfinished = 'unanswered' | 'cut' | 'program'

export interface Assistant {
  /** Of the conversation, and of its chat. */
  readonly id: string
  readonly chat: Chat<AssistantMessage>
  readonly runs: Runs
  /** The key of a run among the runs of the page: ids of tool calls repeat from one conversation to the next. */
  keyOf(toolCallId: string): string
  ask(request: string): Promise<void>
  /** Puts another request in the place of an earlier one; what came after it is dropped. */
  edit(messageId: string, request: string): Promise<void>
  /** Ends the answer and whatever runs for it. */
  stop(): Promise<void>
  /** Asks the model to go on: for what it failed to answer, without running anything twice. */
  retry(): Promise<void>
  /** Runs the program of a run once more; the model is not told. */
  runAgain(toolCallId: string): Promise<void>
  /** Goes on with a run that waited since before; the model hears what came of it. */
  reopen(toolCallId: string, waiting: Reopened): Promise<void>
  /** Answers for a run that waited and was dismissed. */
  dismissed(toolCallId: string): Promise<void>
  /** Whether anything runs for it. */
  busy(): boolean
  /** Whether an answer is complete, so that nothing more will come by itself. */
  atRest(): boolean
  /** Why the last word is not said although nothing goes on. */
  unfinished(): Unfinished | undefined
}

export interface AssistantParts {
  id?: string
  /** Asked at each request, so that settings can change in between. Throws what a person can read. */
  model: () => ChosenModel | Promise<ChosenModel>
  definitions: () => Definition[]
  runs: Runs
  /** What was said before. */
  messages?: AssistantMessage[]
  /** Tool calls whose runs still wait for the person; they are not answered for. */
  waiting?: ReadonlySet<string>
  /** Hears of each text as soon as it is complete. */
  onText?: (text: string) => void
  onFailure?: (text: string) => void
}

export const createAssistant = ({
  id = crypto.randomUUID(),
  model,
  definitions,
  runs,
  messages: kept = [],
  waiting = new Set(),
  onText,
  onFailure,
}: AssistantParts): Assistant => {
  const keyOf = (toolCallId: string): string => runKey(id, toolCallId)
  const before = restored(kept)
  // What was kept goes on only when the person says so.
  let going = false
  let cut = before.cut
  let author = ''
  const told = new Set<string>()

  /** Tells of the texts of the last message that are complete and new. */
  const tellTexts = (): void => {
    const { lastMessage } = chat
    if (lastMessage?.role !== 'assistant') return
    lastMessage.parts.forEach((part, at) => {
      const key = `${lastMessage.id} ${at}`
      if (part.type !== 'text' || part.text === '' || told.has(key)) return
      told.add(key)
      onText?.(part.text)
    })
  }

  const goesOn = (messages: AssistantMessage[]): boolean => {
    const last = messages.at(-1)
    return (
      going &&
      last !== undefined &&
      runParts(last).length < maxPrograms &&
      lastAssistantMessageIsCompleteWithToolCalls({ messages })
    )
  }

  const programOf = (toolCallId: string, code: string) => {
    const at = chat.messages.findIndex((message) => runParts(message).some((part) => part.toolCallId === toolCallId))
    const asked = chat.messages.slice(0, at < 0 ? undefined : at).findLast(({ role }) => role === 'user')
    return { code, request: asked ? textOf(asked) : '', model: author }
  }

  const code = clientTools({
    runCode: {
      ...runCodeTool({
        functions: {},
        description:
          'Runs a JavaScript program and gives its result. The person sees the program and every call it makes.',
      }),
      inputSchema: z.object({ code: z.string().describe('the body of an async function') }),
      execute: (input: { code: string }, options: { toolCallId: string; abortSignal?: AbortSignal }) =>
        runs.start(keyOf(options.toolCallId), programOf(options.toolCallId, input.code), id, options.abortSignal),
    },
  })

  const transport: ChatTransport<AssistantMessage> = {
    sendMessages: async (options) => {
      const { model: chosen, name } = await model()
      author = name
      const agent = new ToolLoopAgent({
        model: chosen,
        instructions: instructionsFor(definitions()),
        tools: code.tools as ToolSet,
        maxRetries: 0, // Go tries again by itself, before the first piece
        onError: () => {}, // the chat reports it; the SDK would print it too
      })
      return new DirectChatTransport({ agent, onError: modelErrorText }).sendMessages(options as never)
    },
    reconnectToStream: async () => null,
  }

  const chat: Chat<AssistantMessage> = new Chat<AssistantMessage>({
    id,
    messages: before.messages,
    transport,
    sendAutomaticallyWhen: ({ messages }) => goesOn(messages),
    onToolCall: ({ toolCall }) => {
      // The model called a tool that there is not; the SDK tells it so.
      if (toolCall.dynamic || !going) return
      tellTexts()
      code.onToolCall({ toolCall })
    },
    onFinish: tellTexts,
    onError: (error) => onFailure?.(error.message),
  })
  const waits = chat.messages.some((message) => openRuns(message).some(({ toolCallId }) => waiting.has(toolCallId)))
  code.attach(chat, { open: waits ? 'leave' : 'answer' })

  const openNow = (): RunPart[] => (chat.lastMessage?.role === 'assistant' ? openRuns(chat.lastMessage) : [])

  /** The next request must not carry a call without an output: servers refuse it. */
  const answerOpen = async (): Promise<void> => {
    going = false
    for (const { toolCallId } of openNow()) {
      if (runs.busy(id)) continue
      await chat.addToolOutput({ tool: 'runCode', toolCallId, state: 'output-error', errorText: waitsOn })
    }
  }

  /** Puts what came of a run in its place; the model hears of it if it has said nothing since. */
  const answer = async (toolCallId: string, output: unknown, tell = true): Promise<void> => {
    const { lastMessage } = chat
    const isLast = lastMessage?.parts.findLast((part) => part.type === 'tool-runCode' || part.type === 'text')
    const goesOnFrom = isLast?.type === 'tool-runCode' && isLast.toolCallId === toolCallId
    chat.messages = chat.messages.map((message) => ({
      ...message,
      parts: message.parts.map((part) =>
        part.type === 'tool-runCode' && part.toolCallId === toolCallId
          ? ({ ...part, state: 'output-available', output, errorText: undefined } as RunPart)
          : part,
      ),
    }))
    if (!goesOnFrom || !tell) return
    going = true
    await chat.sendMessage()
  }

  return {
    id,
    chat,
    runs,
    keyOf,
    ask: async (request) => {
      await answerOpen()
      going = true
      cut = false
      await chat.sendMessage({ text: request })
    },
    edit: async (messageId, request) => {
      going = false
      await chat.stop()
      going = true
      cut = false
      await chat.sendMessage({ text: request, messageId })
    },
    stop: async () => {
      going = false
      runs.stop(id)
      await chat.stop()
    },
    retry: async () => {
      await answerOpen()
      going = true
      cut = false
      chat.clearError()
      const last = chat.lastMessage
      if (last?.role !== 'assistant') return chat.sendMessage()
      // What the failed step said is dropped; what earlier steps did stays done.
      const half = lastStep(last)
      const parts = half.some((part) => part.type === 'tool-runCode')
        ? last.parts
        : last.parts.slice(0, -half.length || undefined)
      const earlier = chat.messages.slice(0, -1)
      const ran = parts.some((part) => part.type === 'tool-runCode')
      chat.messages = ran ? [...earlier, { ...last, parts }] : earlier
      return chat.sendMessage()
    },
    runAgain: async (toolCallId) => {
      const part = chat.messages.flatMap(runParts).find((each) => each.toolCallId === toolCallId)
      const written = part?.input?.code ?? runs.get(keyOf(toolCallId))?.code
      if (written === undefined) return
      const { name } = author === '' ? { name: 'unknown' } : { name: author }
      await runs.again(keyOf(toolCallId), { ...programOf(toolCallId, written), model: name }, id)
    },
    reopen: async (toolCallId, kept) => answer(toolCallId, await runs.reopen(keyOf(toolCallId), kept, id)),
    dismissed: (toolCallId) => answer(toolCallId, dismissal, false),
    busy: () => runs.busy(id),
    atRest: () => {
      if (runs.busy(id)) return false
      if (chat.status === 'error') return true
      // Before a request leaves, and between the end of a run and the model's next turn, nothing
      // streams and nothing runs.
      const unanswered = chat.lastMessage?.role === 'user' && going
      return chat.status === 'ready' && !unanswered && openNow().length === 0 && !goesOn(chat.messages)
    },
    unfinished: () => {
      const { lastMessage } = chat
      if (chat.status !== 'ready' || runs.busy(id) || !lastMessage || openNow().length > 0 || goesOn(chat.messages))
        return
      if (lastMessage.role === 'user') return 'unanswered'
      if (cut) return 'cut'
      const last = lastMessage.parts.findLast(({ type }) => type === 'text' || type === 'tool-runCode')
      return last?.type === 'tool-runCode' ? 'program' : undefined
    },
  }
}

const dismissal = {
  status: 'aborted',
  error: { name: 'Dismissed', message: 'The person dismissed this run. What waited for approval has not run.' },
}
const waitsOn = 'This still waits for the person’s approval. What waits has not run.'
