import { useChat } from '@ai-sdk/react'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { type AssistantMessage, textOf } from '../assistant/messages'
import type { Opened } from '../open'
import { Announcer } from './Announcer'
import { EmptyState, Suggestion } from './EmptyState'
import { Exchange } from './Exchange'
import { Notice } from './Notice'
import { RequestBox } from './RequestBox'
import { useStickToEnd } from './useStickToEnd'
import { WaitingList } from './WaitingList'

/** The conversation: what was asked and answered, and the box to ask. */
export const Conversation = ({ opened }: { opened: Opened }) => {
  const { assistant, hello, player, waiting } = opened
  const { messages, status, error } = useChat<AssistantMessage>({ chat: assistant.chat, throttle: 30 })
  const busy = useSyncExternalStore(assistant.runs.subscribe, assistant.runs.busy)
  const working = status === 'submitted' || status === 'streaming' || busy
  const lane = useRef<HTMLElement>(null)
  const toEnd = useStickToEnd(lane)
  const { opened: reopened } = useSyncExternalStore(waiting.subscribe, waiting.get)
  const ask = (request: string): void => {
    toEnd()
    void assistant.ask(request)
  }
  const lastRequest = messages.findLast(({ role }) => role === 'user')
  const recorded = hello.scene?.request
  const offersRecorded =
    recorded !== undefined && !player && !working && lastRequest !== undefined && textOf(lastRequest) !== recorded

  // A scene plays by itself, and a run that waited goes on below what waits.
  const begun = reopened.length > 0 || player !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: again for each that is opened
  useEffect(() => {
    if (begun) toEnd()
  }, [begun, reopened.length, toEnd])
  useEffect(() => player?.play((request) => void assistant.ask(request)), [player, assistant])
  // Asked on every drawing: the chat, its messages and the runs settle one after the other.
  useEffect(() => {
    if (messages.length > 0 && assistant.atRest()) player?.rest()
  })

  return (
    <div className="page">
      <main className="lane" ref={lane}>
        <div className="column">
          <WaitingList waiting={waiting} runs={assistant.runs} />
          {messages.length === 0 && reopened.length === 0 && <EmptyState suggestion={recorded} onAsk={ask} />}
          {messages.map((message, at) => (
            <Exchange
              key={message.id}
              message={message}
              runs={assistant.runs}
              streaming={status === 'streaming' && at === messages.length - 1}
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
        </div>
      </main>
      <RequestBox working={working} autoFocus={!player} onAsk={ask} onStop={() => void assistant.stop()} />
      <Announcer messages={messages} runs={assistant.runs} working={working} failed={error !== undefined} />
    </div>
  )
}
