import { z } from 'zod/mini'
import type { Ask } from '../bridge/bridge'
import { BridgeError } from '../bridge/bridgeError'
import type { Tagged } from '../value/tagged'
import type { AssistantMessage } from './messages'

const summary = z.object({
  id: z.string(),
  title: z.string(),
  created: z.string(),
  updated: z.string(),
  excerpt: z.optional(z.string()),
})
const conversation = z.extend(summary, {
  draft: z.string(),
  messages: z.array(z.looseObject({ id: z.string(), role: z.string(), parts: z.array(z.unknown()) })),
  runs: z.array(z.object({ toolCallId: z.string(), runId: z.string(), view: z.unknown() })),
})

/** A conversation in a list. In `excerpt` what a search found stands between U+0002 and U+0003. */
export type Summary = z.infer<typeof summary>
/** A conversation as a whole; views of runs in tagged form. */
export interface KeptConversation extends Summary {
  draft: string
  messages: AssistantMessage[]
  runs: { toolCallId: string; runId: string; view: unknown }[]
}
/** Messages from number `from` on take the place of those that there are; runs that of their tool call. */
export interface Change {
  id: string
  title: string
  from: number
  messages: { words: string; body: AssistantMessage }[]
  runs: { toolCallId: string; runId: string; view: Tagged }[]
}

/** What Go keeps of conversations. Each rejects with a BridgeError. */
export interface ConversationOperations {
  list(): Promise<Summary[]>
  read(id: string): Promise<KeptConversation>
  save(change: Change): Promise<void>
  rename(id: string, title: string): Promise<void>
  draft(id: string, draft: string): Promise<void>
  /** Can be taken back with restore for a minute. */
  remove(id: string): Promise<void>
  restore(id: string): Promise<void>
  search(text: string): Promise<Summary[]>
  /** The conversation that a run belongs to. */
  ofRun(runId: string): Promise<Summary | null>
  /** Where the person was when the app closed, as the page kept it. */
  left(): Promise<unknown>
  leave(left: unknown): Promise<void>
}

export const createConversationOperations = (ask: Ask): ConversationOperations => {
  const read = async <T>(shape: z.ZodMiniType<T>, op: string, args: unknown): Promise<T> => {
    const result = shape.safeParse(await ask(op, args))
    if (result.success) return result.data
    const why = z.prettifyError(result.error)
    throw new BridgeError('Internal', `The app's answer to “${op}” has an unexpected shape: ${why}`)
  }
  const tell = async (op: string, args: unknown): Promise<void> => void (await ask(op, args))
  return {
    list: () => read(z.array(summary), 'conversation.list', {}),
    read: async (id) => (await read(conversation, 'conversation.read', { id })) as unknown as KeptConversation,
    save: (change) => tell('conversation.save', change),
    rename: (id, title) => tell('conversation.rename', { id, title }),
    draft: (id, draft) => tell('conversation.draft', { id, draft }),
    remove: (id) => tell('conversation.delete', { id }),
    restore: (id) => tell('conversation.restore', { id }),
    search: (text) => read(z.array(summary), 'conversation.search', { text }),
    ofRun: (runId) => read(z.nullable(summary), 'conversation.ofRun', { runId }),
    left: () => ask('conversation.left', {}),
    leave: (left) => tell('conversation.leave', { left }),
  }
}
