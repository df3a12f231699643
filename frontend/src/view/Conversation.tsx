import { useSyncExternalStore } from 'react'
import type { Opened } from '../open'
import type { Place } from '../place/places'
import { ConversationView } from './ConversationView'
import { Notice } from './Notice'

/** The conversation that the person is in, once it has been read. */
export const Conversation = ({ opened, place }: { opened: Opened; place: Place & { at: 'conversation' } }) => {
  const { conversations, places } = opened
  const now = useSyncExternalStore(conversations.subscribe, () => conversations.open(place.id))
  if (now === 'opening') {
    return (
      <main className="page page-empty">
        <p className="opening" role="status">
          Opening the conversation…
        </p>
      </main>
    )
  }
  if ('failure' in now) {
    return (
      <main className="page page-empty">
        <div className="empty">
          <Notice
            kind="error"
            title="This conversation cannot be shown"
            action={{ label: 'Begin a new one', onClick: () => places.go({ at: 'conversation' }) }}
          >
            {now.failure}
          </Notice>
        </div>
      </main>
    )
  }
  return <ConversationView key={now.talk.id} opened={opened} talk={now.talk} />
}
