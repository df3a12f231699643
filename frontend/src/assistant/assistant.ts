/**
 * The conversation: chat state and model loop are the AI SDK's. The model's
 * one tool has no `execute`: its calls come to onToolCall, which starts the
 * program and returns at once, since the SDK holds the stream until it does;
 * the output goes back through addToolOutput, and the SDK asks the model again.
 */

import { Chat } from '@ai-sdk/react'
import {
  DirectChatTransport,
  type LanguageModel,
  lastAssistantMessageIsCompleteWithToolCalls,
  ToolLoopAgent,
  tool,
} from 'ai'
import { z } from 'zod'
import type { Definition } from '../bridge/operations'
import type { Runs } from '../run/runs'
import { type AssistantMessage, lastStep, openRuns, type RunPart, textOf } from './messages'
import { modelErrorText } from './modelError'
import { instructionsFor } from './prompt'

/** How many programs one request may take: a model that repeats itself must end. */
const maxPrograms = 12

const stoppedText = 'The person stopped this program before it ended.'

export interface Assistant {
  readonly chat: Chat<AssistantMessage>
  readonly runs: Runs
  ask(request: string): Promise<void>
  /** Ends the answer and whatever runs for it. */
  stop(): Promise<void>
  /** Asks the model again for what it failed to answer, without running anything twice. */
  retry(): Promise<void>
  /** Whether an answer is complete, so that nothing more will come by itself. */
  atRest(): boolean
}

export interface AssistantParts {
  model: LanguageModel
  /** Who is logged as the author of the programs. */
  modelName: string
  definitions: Definition[]
  runs: Runs
  /** Hears of each text as soon as it is complete. */
  onText?: (text: string) => void
  onFailure?: (text: string) => void
}

export const createAssistant = ({
  model,
  modelName,
  definitions,
  runs,
  onText,
  onFailure,
}: AssistantParts): Assistant => {
  let stopped = false
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
    const programs = messages.at(-1)?.parts.filter((part) => part.type === 'tool-runCode').length ?? 0
    return !stopped && programs < maxPrograms && lastAssistantMessageIsCompleteWithToolCalls({ messages })
  }

  const run = async (toolCallId: string, code: string): Promise<void> => {
    const request = textOf(chat.messages.findLast(({ role }) => role === 'user') ?? { id: '', role: 'user', parts: [] })
    const output = await runs.start(toolCallId, { code, request, model: modelName })
    // After a stop the call has been answered for already.
    if (!stopped) await chat.addToolOutput({ tool: 'runCode', toolCallId, output })
  }

  const tools = {
    runCode: tool({
      description:
        'Runs a JavaScript program and gives its result. The person sees the program and every call it makes.',
      inputSchema: z.object({ code: z.string().describe('the body of an async function') }),
      outputSchema: z.unknown(),
    }),
  }
  const agent = new ToolLoopAgent({
    model,
    instructions: instructionsFor(definitions),
    tools,
    onError: () => {}, // the chat reports it; the SDK would print it too
  })

  const chat: Chat<AssistantMessage> = new Chat<AssistantMessage>({
    transport: new DirectChatTransport({ agent, onError: modelErrorText }),
    sendAutomaticallyWhen: ({ messages }) => goesOn(messages),
    onToolCall: ({ toolCall }) => {
      if (toolCall.dynamic || stopped) return
      tellTexts()
      void run(toolCall.toolCallId, toolCall.input.code)
    },
    onFinish: tellTexts,
    onError: (error) => onFailure?.(error.message),
  })

  return {
    chat,
    runs,
    ask: async (request) => {
      stopped = false
      await chat.sendMessage({ text: request })
    },
    stop: async () => {
      stopped = true
      runs.stop()
      await chat.stop()
      // The next request must not carry a call without an output: servers refuse it.
      for (const { toolCallId } of openCalls(chat)) {
        await chat.addToolOutput({ tool: 'runCode', toolCallId, state: 'output-error', errorText: stoppedText })
      }
    },
    retry: async () => {
      stopped = false
      chat.clearError()
      const last = chat.lastMessage
      if (last?.role !== 'assistant') return chat.sendMessage()
      // What the failed step said is dropped; what earlier steps did stays done.
      const half = lastStep(last)
      const kept = half.some((part) => part.type === 'tool-runCode')
        ? last.parts
        : last.parts.slice(0, -half.length || undefined)
      const before = chat.messages.slice(0, -1)
      chat.messages = kept.some((part) => part.type === 'tool-runCode') ? [...before, { ...last, parts: kept }] : before
      return chat.sendMessage()
    },
    atRest: () => {
      if (runs.busy()) return false
      if (chat.status === 'error') return true
      // Before a request leaves, and between the end of a run and the model's next turn, nothing
      // streams and nothing runs.
      const unanswered = chat.lastMessage?.role === 'user' && !stopped
      return chat.status === 'ready' && !unanswered && openCalls(chat).length === 0 && !goesOn(chat.messages)
    },
  }
}

const openCalls = (chat: Chat<AssistantMessage>): RunPart[] => {
  const { lastMessage } = chat
  return lastMessage?.role === 'assistant' ? openRuns(lastMessage) : []
}
