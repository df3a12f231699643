import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Talk } from '../assistant/conversations'
import { runKey, textOf } from '../assistant/messages'
import { Noticed } from '../gallery/Noticed'
import type { Opened } from '../open'
import { usePart } from '../part/usePart'
import { ProgramsOff } from '../selftest/ProgramsOff'
import { Announcer } from './Announcer'
import { EmptyState, Suggestion } from './EmptyState'
import type { ExchangeActions } from './Exchange'
import { Notice } from './Notice'
import { RequestBox } from './RequestBox'
import { spoken } from './spoken'
import { UnfinishedNotice } from './UnfinishedNotice'
import { useAsking } from './useAsking'
import { useChatOf } from './useChatOf'
import { useKeptScroll } from './useKeptScroll'
import { useLatest } from './useLatest'
import { useModel } from './useModel'
import { useStickToEnd } from './useStickToEnd'
import { WaitingList } from './WaitingList'

/** A conversation: what was asked and answered, and the box to ask. */
export const ConversationView = ({ opened, talk }: { opened: Opened; talk: Talk }) => {
  const { hello, player, waiting, runs, conversations, places } = opened
  const { assistant } = talk
  const { messages, status, error } = useChatOf(assistant)
  const asking = useAsking(talk)
  const busy = useSyncExternalStore(runs.subscribe, () => assistant?.busy() ?? false)
  const working = asking.beginning || status === 'submitted' || status === 'streaming' || busy
  const { there, ...unshown } = usePart(messages.length > 0 ? spoken : undefined)
  const Exchange = there?.Exchange
  const lane = useRef<HTMLElement>(null)
  const toEnd = useStickToEnd(lane)
  const { opened: reopened } = useSyncExternalStore(waiting.subscribe, waiting.get)
  const [shown, showEarlier] = useLatest(messages.length, lane)
  const [editing, setEditing] = useState<string>()
  const ask = (request: string): void => {
    toEnd()
    asking.ask(request)
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
  useEffect(() => player?.play(asking.ask), [player, asking.ask])
  // Asked on every drawing: the chat, its messages and the runs settle one after the other.
  useEffect(() => {
    if (messages.length > 0 && assistant?.atRest()) player?.rest()
  })

  const actions: ExchangeActions = {
    editing,
    startEdit: useCallback((id: string) => setEditing(id), []),
    endEdit: useCallback(() => setEditing(undefined), []),
    edit: useCallback(
      (id: string, request: string) => {
        setEditing(undefined)
        toEnd()
        void assistant?.edit(id, request)
      },
      [assistant, toEnd],
    ),
    runAgain: useCallback((toolCallId: string) => void assistant?.runAgain(toolCallId), [assistant]),
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
          {Exchange &&
            assistant &&
            messages
              .slice(shown)
              .map((message, at) => (
                <Exchange
                  key={message.id}
                  message={message}
                  runs={runs}
                  keyOf={assistant.keyOf}
                  streaming={status === 'streaming' && shown + at === messages.length - 1}
                  actions={actions}
                />
              ))}
          {unshown.failure !== undefined && (
            <Notice
              kind="error"
              title="What was said cannot be shown"
              action={{ label: 'Try again', onClick: unshown.again }}
            >
              {unshown.failure}
            </Notice>
          )}
          {offersRecorded && <Suggestion request={recorded} onAsk={ask} />}
          {(asking.beginning || status === 'submitted') && <p className="thinking">Thinking…</p>}
          {error && (
            <Notice
              kind="error"
              title="No answer"
              action={{ label: 'Try again', onClick: () => void assistant?.retry() }}
            >
              {error.message}
            </Notice>
          )}
          {asking.failure !== undefined && (
            <Notice kind="error" title="This was not asked" action={{ label: 'Try again', onClick: asking.again }}>
              {asking.failure}
            </Notice>
          )}
          {!working && !error && (
            <UnfinishedNotice unfinished={assistant?.unfinished()} onGoOn={() => void assistant?.retry()} />
          )}
          <Noticed opened={opened} />
        </div>
      </main>
      <ProgramsOff opened={opened} />
      <RequestBox
        working={working}
        autoFocus={!player}
        draft={conversations.draft(talk.id)}
        model={offline ? undefined : model.name || 'No model chosen yet'}
        onDraft={(text) => {
          conversations.setDraft(talk.id, text)
          asking.expect()
        }}
        onAsk={ask}
        onStop={asking.stop}
        onEditLast={() => lastRequest && setEditing(lastRequest.id)}
      />
      <Announcer
        messages={messages}
        runs={runs}
        keyOf={(toolCallId) => runKey(talk.id, toolCallId)}
        working={working}
        failed={error !== undefined || asking.failure !== undefined}
      />
    </div>
  )
}
