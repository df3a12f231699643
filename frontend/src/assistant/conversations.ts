import type { Definition } from '../bridge/operations'
import type { Place, Places } from '../place/places'
import type { InTheLog } from '../run/inTheLog'
import { viewOf, withTheLog } from '../run/keptView'
import type { Reopened } from '../run/resumeRun'
import type { Runs } from '../run/runs'
import type { RunView } from '../run/runView'
import type { Assistant } from './assistant'
import type { ConversationOperations, Summary } from './conversationOperations'
import { type AssistantMessage, runKey, runParts } from './messages'
import { createSaver, type Saver } from './saver'

/**
 * A conversation that is open. The new one has no assistant before its first words
 * are written: what speaks with models is loaded then. A talk never changes.
 */
export interface Talk {
  readonly id: string
  readonly assistant: Assistant | undefined
  /** Its assistant, made if there is none. Rejects with a sentence for the person; the next call tries again. */
  begin(): Promise<Assistant>
}

/** A conversation that was opened, or why it could not be. */
export type OpenedConversation = { talk: Talk } | { failure: string } | 'opening'

/** What the side bar shows of conversations. A state never changes. */
export interface ConversationsState {
  list: Summary[]
  /** Why what is said is not kept. */
  failure?: string
  /** What was deleted last, as long as it can be brought back. */
  deleted?: Summary
}

export interface Conversations {
  subscribe(listener: () => void): () => void
  get(): ConversationsState
  /** The conversation with an id, without one the new one. Begins to open it. */
  open(id?: string): OpenedConversation
  /** What the person has written there and not asked. */
  draft(id: string): string
  setDraft(id: string, draft: string): void
  /** Each of these never rejects: what fails is in the state. */
  rename(id: string, title: string): Promise<void>
  remove(id: string): Promise<void>
  undo(): Promise<void>
  /** Rejects where it cannot be searched. */
  search(text: string): Promise<Summary[]>
  /** Where a waiting run belongs, or undefined; the person is taken there when it goes on. */
  home(runId: string): Promise<Home | undefined>
  /** Keeps everything that is not kept yet. */
  flush(): Promise<void>
}

export interface MadeOf {
  id: string
  messages?: AssistantMessage[]
  waiting?: ReadonlySet<string>
}

/** The conversation that a waiting run came from. */
export interface Home {
  reopen(waiting: Reopened): Promise<void>
  dismissed(): Promise<void>
}

export interface ConversationsParts {
  operations: ConversationOperations
  runs: Runs
  places: Places
  /** Makes an assistant, for a new conversation or a kept one. Rejects with a sentence for the person. */
  make(of: MadeOf): Promise<Assistant> | Assistant
  /** The runs that wait for the person. */
  waiting(): Promise<readonly string[]>
  /** The functions, whose schemas tell what is secret. */
  definitions?: () => Definition[]
  /** Loads what it takes to show what was said. */
  ready?: () => Promise<unknown>
  /** What the log knows of a run. */
  inTheLog?: (runId: string) => Promise<InTheLog>
  /** The draft of the new conversation. */
  draft?: string
}

/** How long a deleted conversation can be brought back, in ms; Go gives a minute. */
const undoTime = 20_000

export const createConversations = ({
  operations,
  runs,
  places,
  make,
  waiting,
  definitions,
  ready = async () => {},
  inTheLog = async () => ({ calls: [] }),
  draft: firstDraft = '',
}: ConversationsParts): Conversations => {
  const listeners = new Set<() => void>()
  const opened = new Map<string, OpenedConversation>()
  const savers = new Map<string, Saver>()
  const drafts = new Map<string, string>()
  let state: ConversationsState = { list: [] }
  let fresh: { talk: Talk } | undefined
  let forgetDeleted: ReturnType<typeof setTimeout> | undefined
  const timers = new Map<string, ReturnType<typeof setTimeout>>()

  const show = (next: Partial<ConversationsState>): void => {
    state = { ...state, ...next }
    for (const tell of listeners) tell()
  }
  const failed = (error: unknown): void => show({ failure: textOf(error) })
  const refresh = async (): Promise<void> => {
    try {
      show({ list: await operations.list(), failure: undefined })
    } catch (error) {
      failed(error)
    }
  }

  const keep = (assistant: Assistant, kept: { messages: AssistantMessage[]; title?: string }): void => {
    const saver = createSaver(
      assistant,
      operations,
      kept,
      {
        saved: ({ id, title }) => {
          // The list is in the order of what was spoken in last.
          const known = state.list.find((each) => each.id === id)
          const now = new Date().toISOString()
          const summary = known ? { ...known, updated: now } : { id, title, created: now, updated: now }
          show({ list: [summary, ...state.list.filter((each) => each !== known)], failure: undefined })
        },
        failed,
      },
      definitions,
    )
    savers.set(assistant.id, saver)
  }

  const begun = (assistant: Assistant): void => {
    const own = { talk: { id: assistant.id, assistant, begin: async () => assistant } }
    opened.set(assistant.id, own)
    if (fresh?.talk.id !== assistant.id) return
    fresh = own
    const stop = assistant.chat['~registerMessagesCallback'](() => {
      if (assistant.chat.messages.length === 0) return
      stop()
      // With its first words it has a place of its own.
      if (fresh === own) fresh = undefined
      const place = places.get()
      if (place.at === 'conversation' && place.id === undefined) places.go({ at: 'conversation', id: assistant.id })
      drafts.delete(assistant.id)
    })
  }

  const makeFresh = (): { talk: Talk } => {
    const id = crypto.randomUUID()
    let making: Promise<Assistant> | undefined
    const begin = async (): Promise<Assistant> => {
      const assistant = await make({ id })
      keep(assistant, { messages: [] })
      begun(assistant)
      show({})
      return assistant
    }
    const own = {
      talk: {
        id,
        assistant: undefined,
        begin: () => {
          making ??= begin().catch((error: unknown) => {
            making = undefined
            throw error
          })
          return making
        },
      },
    }
    opened.set(id, own)
    return own
  }

  /** Shows a run as it was kept; of one that was interrupted the log may know more. */
  const restore = (key: string, view: RunView): void => {
    runs.restore(key, view)
    if (view.standing !== 'interrupted' || view.runId === undefined) return
    inTheLog(view.runId).then(
      (known) => runs.get(key) === view && runs.restore(key, withTheLog(view, known)),
      () => {}, // it is shown as what it is: interrupted
    )
  }

  const load = async (id: string): Promise<void> => {
    try {
      const [{ messages, runs: views, draft, title }, waitingIds] = await Promise.all([
        operations.read(id),
        waiting(),
        ready(),
      ])
      for (const { toolCallId, view } of views) {
        const key = runKey(id, toolCallId)
        if (!runs.get(key)) restore(key, viewOf(view))
      }
      const waits = new Set(views.filter(({ runId }) => waitingIds.includes(runId)).map(({ toolCallId }) => toolCallId))
      if (draft !== '') drafts.set(id, draft)
      const assistant = await make({ id, messages, waiting: waits })
      keep(assistant, { messages, title })
      begun(assistant)
    } catch (error) {
      opened.set(id, { failure: textOf(error) })
    }
    show({})
  }

  const open = (id?: string): OpenedConversation => {
    if (id === undefined) {
      if (!fresh) {
        fresh = makeFresh()
        drafts.set(fresh.talk.id, firstDraft)
      }
      return fresh
    }
    const known = opened.get(id)
    if (known) return known
    opened.set(id, 'opening')
    void load(id)
    return 'opening'
  }

  /** Opens one and waits for it. */
  const opening = async (id: string): Promise<Assistant | undefined> => {
    if (open(id) === 'opening') {
      await new Promise<void>((resolve) => {
        const look = (): void => {
          if (opened.get(id) === 'opening') return
          listeners.delete(look)
          resolve()
        }
        listeners.add(look)
      })
    }
    const now = opened.get(id)
    return typeof now === 'object' && 'talk' in now ? now.talk.assistant : undefined
  }

  const leave = (place: Place): void => {
    const draft = fresh ? (drafts.get(fresh.talk.id) ?? '') : ''
    operations.leave({ place, draft }).catch(failed)
  }
  places.subscribe(() => leave(places.get()))
  void refresh()

  return {
    subscribe: (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    get: () => state,
    open,
    draft: (id) => drafts.get(id) ?? '',
    setDraft: (id, draft) => {
      if ((drafts.get(id) ?? '') === draft) return
      drafts.set(id, draft)
      clearTimeout(timers.get(id))
      const save = (): void => {
        if (fresh?.talk.id === id) leave(places.get())
        else operations.draft(id, draft).catch(() => {}) // one without a word yet is not there to keep it
      }
      timers.set(id, setTimeout(save, 300))
    },
    rename: async (id, title) => {
      show({ list: state.list.map((each) => (each.id === id ? { ...each, title } : each)) })
      await operations.rename(id, title).catch(failed)
      await refresh()
    },
    remove: async (id) => {
      const summary = state.list.find((each) => each.id === id)
      const known = opened.get(id)
      if (typeof known === 'object' && 'talk' in known) await known.talk.assistant?.stop()
      await savers.get(id)?.flush()
      savers.get(id)?.end()
      savers.delete(id)
      opened.delete(id)
      try {
        await operations.remove(id)
        show({ list: state.list.filter((each) => each.id !== id), ...(summary ? { deleted: summary } : {}) })
        clearTimeout(forgetDeleted)
        forgetDeleted = setTimeout(() => show({ deleted: undefined }), undoTime)
      } catch (error) {
        failed(error)
      }
      const place = places.get()
      if (place.at === 'conversation' && place.id === id) places.go({ at: 'conversation' })
    },
    undo: async () => {
      const { deleted } = state
      if (!deleted) return
      show({ deleted: undefined })
      await operations.restore(deleted.id).catch(failed)
      await refresh()
      places.go({ at: 'conversation', id: deleted.id })
    },
    search: (text) => operations.search(text),
    home: async (runId) => {
      const summary = await operations.ofRun(runId).catch(() => null)
      if (!summary) return undefined
      const assistant = await opening(summary.id)
      const part = assistant?.chat.messages
        .flatMap(runParts)
        .find(({ toolCallId }) => runs.get(assistant.keyOf(toolCallId))?.runId === runId)
      if (!assistant || !part) return undefined
      return {
        reopen: (kept) => {
          places.go({ at: 'conversation', id: summary.id })
          return assistant.reopen(part.toolCallId, kept)
        },
        dismissed: () => assistant.dismissed(part.toolCallId),
      }
    },
    flush: async () => {
      await Promise.all([...savers.values()].map((saver) => saver.flush()))
    },
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
