import { Search } from 'lucide-react'
import { type RefObject, useEffect, useState, useSyncExternalStore } from 'react'
import type { Summary } from '../assistant/conversationOperations'
import type { Conversations } from '../assistant/conversations'
import { ConversationItem } from './ConversationItem'
import { counted } from './words'

interface Props {
  conversations: Conversations
  current: string | undefined
  search: RefObject<HTMLInputElement | null>
  onGo: (id: string) => void
}

/** How many are listed before the person asks for more. */
const few = 60

/** The conversations, the one that was spoken in last first, or those that a search finds. */
export const ConversationList = ({ conversations, current, search, onGo }: Props) => {
  const { list, failure, deleted } = useSyncExternalStore(conversations.subscribe, conversations.get)
  const [text, setText] = useState('')
  const found = useSearch(conversations, text, list)
  const [all, setAll] = useState(false)
  const shown = found.hits ?? (all ? list : list.slice(0, few))

  return (
    <div className="side-list">
      <label className="side-search">
        <Search aria-hidden="true" />
        <span className="unseen">Search in conversations</span>
        <input
          ref={search}
          type="search"
          placeholder="Search"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && text !== '') {
              event.stopPropagation()
              setText('')
            }
          }}
        />
      </label>
      <p className="unseen" aria-live="polite">
        {found.hits ? `${counted(found.hits.length, 'conversation', 'conversations')} found` : ''}
      </p>
      {(failure ?? found.failure) !== undefined && (
        <p className="side-failure" role="alert">
          {failure ?? found.failure}
        </p>
      )}
      {shown.length === 0 && (
        <p className="side-nothing">{found.hits ? 'Nothing was found.' : 'What you ask is listed here.'}</p>
      )}
      <ul className="side-items" aria-label="Conversations">
        {shown.map((each: Summary) => (
          <ConversationItem
            key={each.id}
            summary={each}
            here={each.id === current}
            onGo={onGo}
            onRename={(title) => void conversations.rename(each.id, title)}
            onDelete={() => void conversations.remove(each.id)}
          />
        ))}
      </ul>
      {!found.hits && !all && list.length > few && (
        <button type="button" className="linklike side-more" onClick={() => setAll(true)}>
          Show all {list.length}
        </button>
      )}
      {deleted && (
        <div className="side-undo" aria-live="polite">
          <span>Deleted “{deleted.title}”</span>
          <button type="button" onClick={() => void conversations.undo()}>
            Undo
          </button>
        </div>
      )}
    </div>
  )
}

/** What a search finds, a moment after the last key. */
const useSearch = (
  conversations: Conversations,
  text: string,
  list: Summary[],
): { hits?: Summary[]; failure?: string } => {
  const [found, setFound] = useState<{ hits?: Summary[]; failure?: string }>({})
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is found changes with what there is
  useEffect(() => {
    if (text.trim() === '') return setFound({})
    let current = true
    const timer = setTimeout(() => {
      conversations.search(text).then(
        (hits) => current && setFound({ hits }),
        (error: Error) => current && setFound({ failure: error.message }),
      )
    }, 150)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [conversations, text, list])
  // What was deleted a moment ago is not there, whatever was found before.
  const hits = found.hits?.filter(({ id }) => list.some((each) => each.id === id))
  return hits ? { hits } : found
}
