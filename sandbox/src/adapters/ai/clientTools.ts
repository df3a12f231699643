// Tools that run in the page of an AI SDK chat.
//
// What the chat demands:
// 1. It awaits `onToolCall` inside the queue that `addToolOutput` waits for, so
//    `onToolCall` starts the work and returns at once.
// 2. It knows nothing of the work: `stop()` must end it, so `attach` puts its own
//    in front. A stopped part is answered at once, since a part left open would
//    fail the person's next message, and by way of the messages, since
//    `addToolOutput` after a stop sends the stopped chat on its way again.
// 3. A part that is open although nobody works on it was left by a reload. It is
//    answered, never run again: what its program had done is not known. Nor is a
//    call run again that a resumed stream brings once more.

import type { InferUITools, Tool, ToolExecutionOptions, ToolSet } from 'ai'

/** What `onToolCall` is given, as far as it matters here. */
export interface ClientToolCall {
  toolCallId: string
  toolName: string
  input: unknown
  /** a call of a tool that was defined at run time: handled by its name all the same */
  dynamic?: boolean | undefined
  /** run by the provider: none of ours */
  providerExecuted?: boolean | undefined
}

/** A `Chat`, or what `useChat` returns. */
export interface AttachableChat {
  readonly status: string
  messages: readonly { readonly role: string; readonly parts: readonly object[] }[]
  stop: () => Promise<void>
  // biome-ignore lint/suspicious/noExplicitAny: its own type depends on the chat's messages
  addToolOutput: (output: any) => unknown
  // biome-ignore lint/suspicious/noExplicitAny: as above
  setMessages?: (change: any) => void
}

type Used<TOOLS extends ToolSet> = InferUITools<TOOLS>

export interface ClientTools<TOOLS extends ToolSet> {
  /** For `useChat` or `new Chat`: starts the work and returns at once. */
  onToolCall: (options: { toolCall: ClientToolCall }) => void
  /**
   * Ties the tools to the chat they answer to; call it before the first message.
   * For a `Chat`: once; its `stop` then ends what runs, too. For what `useChat`
   * returns: each time it renders; use the `stop` of what `attach` returns.
   *
   * Parts that a reload left open are answered as interrupted, unless `open` is
   * `'leave'` (for a chat whose stream is going to be resumed).
   */
  attach: <CHAT extends AttachableChat>(chat: CHAT, options?: { open?: 'answer' | 'leave' }) => CHAT
  /** The tools without their `execute`: what the model's side gets, so that calls come to the page. */
  // biome-ignore lint/suspicious/noExplicitAny: the context matters to `execute` only
  tools: { [NAME in keyof Used<TOOLS>]: Tool<Used<TOOLS>[NAME]['input'], Used<TOOLS>[NAME]['output'], any> }
}

type Execute = NonNullable<ToolSet[string]['execute']>
type Answer = { output: unknown } | { state: 'output-error'; errorText: string }
interface Part {
  type: string
  toolName?: string
  toolCallId: string
  state: string
  input?: unknown
  providerExecuted?: boolean
}

const failed = (error: unknown): Answer => ({ state: 'output-error', errorText: `${error}` })
const stoppedText = 'Stopped by the person before it ended.'
const interrupted = failed(
  'The page was reloaded while this ran. What waited for approval has not run; other calls may have. Look before you try again.',
)

/**
 * Runs tools in the page: `clientTools({ runCode: runCodeTool({ sandbox, … }) })`.
 * Any tool of AI SDK 7 with an `execute` will do; it gets `toolCallId` and an
 * `abortSignal` that fires at `stop()`.
 */
export const clientTools = <TOOLS extends ToolSet>(tools: TOOLS): ClientTools<TOOLS> => {
  /** Answers by call and input: a stream that is replayed brings its calls again, and they get what they got. */
  const known = new Map<string, Promise<Answer>>()
  const keyOf = (id: string, input: unknown) => id + JSON.stringify(input)
  const running = new Map<string, { chat: AttachableChat; stop: AbortController }>()
  let current: AttachableChat | undefined

  const executeOf = (name = '') => (Object.hasOwn(tools, name) ? tools[name]?.execute : undefined)

  /** Puts an answer into the messages; nothing is sent because of it. */
  const write = (chat: AttachableChat, id: string, answer: Answer) => {
    const done = { state: 'output-available', output: undefined, errorText: undefined, ...answer }
    const change = (messages: AttachableChat['messages']) =>
      messages.map((message) => ({
        ...message,
        parts: message.parts.map((part) => ((part as Part).toolCallId === id ? { ...part, ...done } : part)),
      }))
    if (chat.setMessages) chat.setMessages(change)
    else chat.messages = change(chat.messages)
  }

  const work = async (execute: Execute, input: unknown, options: ToolExecutionOptions<unknown>): Promise<Answer> => {
    try {
      let output = await execute(input as never, options as never)
      // A tool may give preliminary outputs; the last one counts.
      if (output?.[Symbol.asyncIterator]) for await (const each of output as AsyncIterable<unknown>) output = each
      return { output }
    } catch (error) {
      return failed(error)
    }
  }

  const onToolCall = ({ toolCall }: { toolCall: ClientToolCall }): void => {
    const { toolCallId, toolName, input, providerExecuted } = toolCall
    const execute = executeOf(toolName)
    if (providerExecuted || !execute) return
    const chat = current
    if (!chat) throw new Error('clientTools: call attach(chat) before the first message.')
    if (running.has(toolCallId)) return
    const stop = new AbortController()
    running.set(toolCallId, { chat, stop })
    const key = keyOf(toolCallId, input)
    // Not awaited, see 1. What fails inside is an answer.
    const done =
      known.get(key) ?? work(execute, input, { toolCallId, messages: [], abortSignal: stop.signal, context: {} })
    known.set(key, done)
    void done.then((answer) => {
      running.delete(toolCallId)
      // Stopped: what it had done by then takes the place of what stop() wrote.
      if (stop.signal.aborted) return write(chat, toolCallId, answer)
      return chat.addToolOutput({ tool: toolName, toolCallId, ...answer })
    })
  }

  const end = () => {
    for (const [id, { chat, stop }] of running) {
      stop.abort(new DOMException(stoppedText, 'AbortError'))
      write(chat, id, failed(stoppedText))
    }
  }

  const answerOpen = (chat: AttachableChat) => {
    if (chat.status !== 'ready') return
    for (const part of chat.messages.flatMap(({ parts }) => parts as Part[])) {
      const { type, toolCallId, state, input, providerExecuted } = part
      const name = type === 'dynamic-tool' ? part.toolName : type.startsWith('tool-') ? type.slice(5) : undefined
      const key = keyOf(toolCallId, input)
      if (state !== 'input-available' || providerExecuted || known.has(key) || !executeOf(name)) continue
      known.set(key, Promise.resolve(interrupted))
      void chat.addToolOutput({ tool: name, toolCallId, ...interrupted })
    }
  }

  return {
    onToolCall,
    attach(chat, { open = 'answer' } = {}) {
      const { stop } = chat
      const stopAll = () => {
        const stopped = stop()
        end()
        return stopped
      }
      current = chat
      // Later, since a component that renders must not change its own state.
      if (open === 'answer') setTimeout(() => answerOpen(chat))
      if (chat.setMessages) return { ...chat, stop: stopAll }
      chat.stop = stopAll
      return chat
    },
    // Copies, since the tools themselves may be used with their execute elsewhere.
    tools: Object.fromEntries(
      Object.entries(tools).map(([name, tool]) => [name, { ...tool, execute: undefined }]),
    ) as never,
  }
}
