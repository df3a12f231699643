import { useChat } from '@ai-sdk/react'
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Assistant } from '../assistant/assistant'
import { type AssistantMessage, textOf } from '../assistant/messages'
import { Noticed } from '../gallery/Noticed'
import type { Opened } from '../open'
import { ProgramsOff } from '../selftest/ProgramsOff'
import { Announcer } from './Announcer'
import { EmptyState, Suggestion } from './EmptyState'
import { Exchange, type ExchangeActions } from './Exchange'
import { Notice } from './Notice'
import { RequestBox } from './RequestBox'
import { UnfinishedNotice } from './UnfinishedNotice'
import { useKeptScroll } from './useKeptScroll'
import { useLatest } from './useLatest'
import { useModel } from './useModel'
import { useStickToEnd } from './useStickToEnd'
import { WaitingList } from './WaitingList'

/** A conversation: what was asked and answered, and the box to ask. */
export const ConversationView = ({ opened, assistant }: { opened: Opened; assistant: Assistant }) => {
  const { hello, player, waiting, runs, conversations, places } = opened
  const { messages, status, error } = useChat<AssistantMessage>({ chat: assistant.chat, throttle: 30 })
  const busy = useSyncExternalStore(runs.subscribe, assistant.busy)
  const working = status === 'submitted' || status === 'streaming' || busy
  const lane = useRef<HTMLElement>(null)
  const toEnd = useStickToEnd(lane)
  const { opened: reopened } = useSyncExternalStore(waiting.subscribe, waiting.get)
  const [shown, showEarlier] = useLatest(messages.length, lane)
  const [editing, setEditing] = useState<string>()
  const ask = (request: string): void => {
    toEnd()
    void assistant.ask(request)
  }
  const lastRequest = messages.findLast(({ role }) => role === 'user')
  const model = useModel(opened)
  const offline = model.provider === 'offline'
  const recorded = offline ? hello.scene?.request : undefined
  const offersRecorded =
    recorded !== undefined && !player && !working && lastRequest !== undefined && textOf(lastRequest) !== recorded

  // A scene plays by itself, a run that waited goes on below what waits, and a
  // conversation is gone on with at its end – unless something waits above it.
  const begun = reopened.length > 0 || player !== undefined
  const resumed = useRef(messages.length > 0 && waiting.get().waiting.length === 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: again for each that is opened
  useEffect(() => {
    if (begun || resumed.current) toEnd()
    resumed.current = false
  }, [begun, reopened.length, toEnd])
  useKeptScroll(lane)
  useEffect(() => player?.play((request) => void assistant.ask(request)), [player, assistant])
  // Asked on every drawing: the chat, its messages and the runs settle one after the other.
  useEffect(() => {
    if (messages.length > 0 && assistant.atRest()) player?.rest()
  })

  const actions: ExchangeActions = {
    editing,
    startEdit: useCallback((id: string) => setEditing(id), []),
    endEdit: useCallback(() => setEditing(undefined), []),
    edit: useCallback(
      (id: string, request: string) => {
        setEditing(undefined)
        toEnd()
        void assistant.edit(id, request)
      },
      [assistant, toEnd],
    ),
    runAgain: useCallback((toolCallId: string) => void assistant.runAgain(toolCallId), [assistant]),
    showLog: useCallback((run: string) => places.go({ at: 'log', run }), [places]),
  }

  return (
    <div className="page">
      <main className="lane" ref={lane} aria-label="Conversation">
        <div className="column">
          <WaitingList waiting={waiting} runs={runs} />
          {messages.length === 0 && reopened.length === 0 && (
            <EmptyState opened={opened} suggestion={recorded} onAsk={ask} />
          )}
          {shown > 0 && (
            <button type="button" className="earlier" onClick={showEarlier}>
              Show earlier messages
            </button>
          )}
          {messages.slice(shown).map((message, at) => (
            <Exchange
              key={message.id}
              message={message}
              runs={runs}
              keyOf={assistant.keyOf}
              streaming={status === 'streaming' && shown + at === messages.length - 1}
              actions={actions}
            />
          ))}
          {offersRecorded && <Suggestion request={recorded} onAsk={ask} />}
          {status === 'submitted' && <p className="thinking">Thinking…</p>}
          {error && (
            <Notice
              kind="error"
              title="No answer"
              action={{ label: 'Try again', onClick: () => void assistant.retry() }}
            >
              {error.message}
            </Notice>
          )}
          {!working && !error && (
            <UnfinishedNotice unfinished={assistant.unfinished()} onGoOn={() => void assistant.retry()} />
          )}
          <Noticed opened={opened} />
        </div>
      </main>
      <ProgramsOff opened={opened} />
      <RequestBox
        working={working}
        autoFocus={!player}
        draft={conversations.draft(assistant.id)}
        model={offline ? undefined : model.name || 'No model chosen yet'}
        onDraft={(text) => conversations.setDraft(assistant.id, text)}
        onAsk={ask}
        onStop={() => void assistant.stop()}
        onEditLast={() => lastRequest && setEditing(lastRequest.id)}
      />
      <Announcer
        messages={messages}
        runs={runs}
        keyOf={assistant.keyOf}
        working={working}
        failed={error !== undefined}
      />
    </div>
  )
}
