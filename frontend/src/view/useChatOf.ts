import { useEffect, useState } from 'react'
import type { Assistant } from '../assistant/assistant'
import type { AssistantMessage } from '../assistant/messages'

interface ChatNow {
  messages: AssistantMessage[]
  status: Assistant['chat']['status']
  error: Error | undefined
}

/** How long streamed words may gather before they are drawn, in ms. */
const pause = 30

const silent: ChatNow = { messages: [], status: 'ready', error: undefined }

/** What an assistant's chat has come to; silence as long as there is no assistant. */
export const useChatOf = (assistant: Assistant | undefined): ChatNow => {
  const chat = assistant?.chat
  const [read, setRead] = useState(() => ({ chat, now: nowOf(chat) }))
  if (read.chat !== chat) setRead({ chat, now: nowOf(chat) })
  useEffect(() => {
    if (!chat) return
    let current = true
    const look = (): void => {
      if (current) setRead((before) => (same(before.now, chat) ? before : { chat, now: nowOf(chat) }))
    }
    const forget = [
      chat['~registerMessagesCallback'](look, pause),
      chat['~registerStatusCallback'](look),
      chat['~registerErrorCallback'](look),
    ]
    look()
    return () => {
      current = false
      for (const each of forget) each()
    }
  }, [chat])
  return read.chat === chat ? read.now : nowOf(chat)
}

const nowOf = (chat: ChatNow | undefined): ChatNow =>
  chat ? { messages: chat.messages, status: chat.status, error: chat.error } : silent

const same = (a: ChatNow, b: ChatNow): boolean =>
  a.messages === b.messages && a.status === b.status && a.error === b.error
