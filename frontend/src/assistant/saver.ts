import type { Definition } from '../bridge/operations'
import { keptOf } from '../run/keptView'
import type { RunView } from '../run/runView'
import { withoutSecrets } from '../run/withoutSecrets'
import type { Assistant } from './assistant'
import type { Change, ConversationOperations } from './conversationOperations'
import { type AssistantMessage, runParts, textOf, titleOf, wordsOf } from './messages'

/** How long after a change it is kept, in ms: a stream changes many times a second. */
const pause = 700

export interface Saver {
  /** Keeps what is not kept yet, now. */
  flush(): Promise<void>
  /** Nothing is kept any more. */
  end(): void
}

/**
 * Keeps a conversation as it changes: only the messages from the first that
 * changed on, and the runs whose view changed. One save is on its way at a time;
 * a failed one is tried again with the next change.
 */
export const createSaver = (
  { id, chat, runs, keyOf }: Assistant,
  operations: Pick<ConversationOperations, 'save'>,
  kept: { messages: AssistantMessage[]; title?: string },
  on: { saved(change: Change): void; failed(error: Error): void },
  definitions: () => Definition[] = () => [],
): Saver => {
  let saved = kept.messages
  const savedRuns = new Map<string, RunView>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let last: Promise<void> = Promise.resolve()
  let over = false

  const keysOf = (messages: AssistantMessage[]): string[] =>
    messages.flatMap(runParts).flatMap(({ toolCallId }) => [keyOf(toolCallId), ...runs.againOf(keyOf(toolCallId))])
  for (const key of keysOf(kept.messages)) {
    const view = runs.get(key)
    if (view) savedRuns.set(key, view)
  }

  const changedRuns = (): [string, RunView][] =>
    keysOf(chat.messages)
      .map((key): [string, RunView | undefined] => [key, runs.get(key)])
      .filter((each): each is [string, RunView] => each[1] !== undefined && savedRuns.get(each[0]) !== each[1])

  const save = async (): Promise<void> => {
    if (over) return
    const messages = chat.messages
    const from = messages.findIndex((message, at) => message !== saved[at])
    const views = changedRuns()
    const shrunk = messages.length < saved.length
    if (from < 0 && views.length === 0 && !shrunk) return
    const first = from < 0 ? messages.length : from
    const asked = messages.find(({ role }) => role === 'user')
    const change: Change = {
      id,
      title: kept.title ?? (titleOf(asked ? textOf(asked) : '') || 'Untitled'),
      from: first,
      messages: messages.slice(first).map((message) => ({ words: wordsOf(message), body: message })),
      runs: await Promise.all(
        views.map(async ([key, view]) => ({
          toolCallId: key.slice(keyOf('').length),
          runId: view.runId ?? '',
          view: await keptOf(withoutSecrets(view, definitions())),
        })),
      ),
    }
    if (over) return
    await operations.save(change)
    saved = messages
    for (const [key, view] of views) savedRuns.set(key, view)
    on.saved(change)
  }

  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    last = last.then(save).catch((error: Error) => on.failed(error))
    return last
  }
  const later = (): void => {
    timer ??= setTimeout(() => void flush(), pause)
  }
  // A run that waits must be found again by another page, with its conversation; and what a run
  // came to is worth more than what it does at the moment.
  const look = (): void => {
    const changed = changedRuns()
    if (changed.length === 0) return
    const matters = ([key, { standing, result }]: [string, RunView]): boolean => {
      const before = savedRuns.get(key)
      return result !== before?.result || (standing !== before?.standing && standing !== 'running')
    }
    if (changed.some(matters)) void flush()
    else later()
  }
  const atRest = (): void => {
    if (chat.status === 'ready' || chat.status === 'error') void flush()
  }

  const forget = [
    chat['~registerMessagesCallback'](later),
    chat['~registerStatusCallback'](atRest),
    runs.subscribe(look),
  ]
  return {
    flush,
    end: () => {
      over = true
      clearTimeout(timer)
      for (const each of forget) each()
    },
  }
}
