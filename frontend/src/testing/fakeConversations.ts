/** What Go keeps of conversations, in memory. */

import type { Change, ConversationOperations, KeptConversation, Summary } from '../assistant/conversationOperations'
import { BridgeError } from '../bridge/bridgeError'

export const fakeConversations = () => {
  const kept = new Map<string, KeptConversation & { named?: boolean; deleted?: boolean }>()
  let left: unknown = null
  const there = (id: string) => {
    const found = kept.get(id)
    if (!found || found.deleted) throw new BridgeError('NotFound', `there is no conversation “${id}”`)
    return found
  }
  const list = (): Summary[] =>
    [...kept.values()]
      .filter(({ deleted }) => !deleted)
      .map(({ id, title, created, updated }) => ({ id, title, created, updated }))
      .reverse()
  const operations: ConversationOperations = {
    list: async () => list(),
    read: async (id) => structuredClone(there(id)),
    save: async ({ id, title, from, messages, runs }: Change) => {
      const now = new Date().toISOString()
      const known = kept.get(id) ?? { id, title, created: now, updated: now, draft: '', messages: [], runs: [] }
      if (known.deleted) throw new BridgeError('NotFound', 'it was deleted')
      kept.delete(id)
      kept.set(id, {
        ...known,
        title: known.named ? known.title : title,
        updated: now,
        messages: structuredClone([...known.messages.slice(0, from), ...messages.map(({ body }) => body)]),
        runs: [
          ...known.runs.filter(({ toolCallId }) => !runs.some((run) => run.toolCallId === toolCallId)),
          ...structuredClone(runs),
        ],
      })
    },
    rename: async (id, title) => void Object.assign(there(id), { title, named: true }),
    draft: async (id, draft) => void Object.assign(there(id), { draft }),
    remove: async (id) => void Object.assign(there(id), { deleted: true }),
    restore: async (id) => {
      const found = kept.get(id)
      if (found) found.deleted = false
    },
    search: async (text) => list().filter(({ id }) => JSON.stringify(kept.get(id)).includes(text)),
    ofRun: async (runId) => list().find(({ id }) => kept.get(id)?.runs.some((run) => run.runId === runId)) ?? null,
    left: async () => left,
    leave: async (next) => {
      left = next
    },
  }
  return { operations, kept, left: () => left }
}
