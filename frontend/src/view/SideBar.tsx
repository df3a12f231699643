import {
  CircleHelp,
  FlaskConical,
  MessageSquare,
  PanelLeft,
  ScrollText,
  Settings2,
  SquarePen,
  TriangleAlert,
} from 'lucide-react'
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import type { Opened } from '../open'
import type { Place } from '../place/places'
import { ConversationList } from './ConversationList'
import { otherPlaces } from './otherPlaces'
import { useModel } from './useModel'
import { WaitingLink } from './WaitingLink'

type Other = 'log' | 'demos' | 'settings'
const others: { at: Other; label: string; icon: ReactNode }[] = [
  { at: 'log', label: 'Log', icon: <ScrollText /> },
  { at: 'demos', label: 'Demos', icon: <FlaskConical /> },
  { at: 'settings', label: 'Settings', icon: <Settings2 /> },
]

interface Props {
  opened: Opened
  lastConversation: Place & { at: 'conversation' }
  onHelp: () => void
}

/** The ways to all places. In a narrow window a rail of signs, which opens over the place. */
export const SideBar = ({ opened, lastConversation, onHelp }: Props) => {
  const { places, waiting, conversations, trouble } = opened
  const place = useSyncExternalStore(places.subscribe, places.get)
  const wrong = useSyncExternalStore(trouble.subscribe, trouble.get)
  const model = useModel(opened)
  const [wide, setWide] = useState(false)
  const body = useId()
  const search = useRef<HTMLInputElement>(null)
  const go = (to: Place): void => {
    setWide(false)
    places.go(to)
  }
  // In the window of a demo its own log is worth a look; the rest belongs to the person's app.
  const shown = opened.player ? others.filter(({ at }) => at === 'log') : others

  useLayoutEffect(() => {
    const find = (): void => {
      flushSync(() => setWide(true)) // in the rail there is no field to write in
      search.current?.focus()
    }
    document.addEventListener('countersign:search', find)
    return () => document.removeEventListener('countersign:search', find)
  }, [])
  useEffect(() => {
    if (!wide) return
    const close = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') setWide(false)
    }
    document.addEventListener('keydown', close)
    return () => document.removeEventListener('keydown', close)
  }, [wide])

  return (
    <>
      <nav className={wide ? 'side side-open' : 'side'} aria-label="Places" id={body}>
        <div className="side-head">
          <button
            type="button"
            className="side-toggle"
            aria-label={wide ? 'Close the side bar' : 'Open the side bar'}
            aria-expanded={wide}
            aria-controls={body}
            onClick={() => setWide(!wide)}
          >
            <PanelLeft />
          </button>
          <h1>Countersign</h1>
          {model.provider === 'offline' && <span className="pill">Offline demo</span>}
        </div>
        <WaitingLink waiting={waiting} onGo={() => go(lastConversation)} />
        <Way
          label="New conversation"
          icon={<SquarePen />}
          here={place.at === 'conversation' && place.id === undefined}
          onGo={() => go({ at: 'conversation' })}
        />
        <div className="rail-only">
          <Way
            label="Conversations"
            icon={<MessageSquare />}
            here={place.at === 'conversation' && place.id !== undefined}
            onGo={() => (place.at === 'conversation' ? setWide(true) : go(lastConversation))}
          />
        </div>
        <ConversationList
          conversations={conversations}
          current={place.at === 'conversation' ? place.id : undefined}
          search={search}
          onGo={(id) => go({ at: 'conversation', id })}
        />
        <div className="side-others">
          {shown.map(({ at, label, icon }) => (
            <Way
              key={at}
              label={label}
              icon={icon}
              here={place.at === at}
              trouble={at === 'log' ? wrong?.title : undefined}
              onNear={otherPlaces[at].expect}
              onGo={() => go(at === 'log' && wrong?.seen === false ? { at, tab: 'trust' } : { at })}
            />
          ))}
          <Way label="Keyboard shortcuts" icon={<CircleHelp />} onGo={onHelp} />
        </div>
      </nav>
      {wide && (
        <button type="button" className="side-veil" aria-label="Close the side bar" onClick={() => setWide(false)} />
      )}
    </>
  )
}

interface WayProps {
  label: string
  icon: ReactNode
  here?: boolean
  /** What is wrong there. */
  trouble?: string | undefined
  /** The pointer or the focus has come to it: the person may go there. */
  onNear?: () => void
  onGo: () => void
}

const Way = ({ label, icon, here = false, trouble, onNear, onGo }: WayProps) => (
  <button
    type="button"
    className="way"
    aria-label={trouble === undefined ? label : `${label}: ${trouble}`}
    aria-current={here ? 'page' : undefined}
    title={trouble === undefined ? label : `${label}: ${trouble}`}
    onPointerEnter={onNear}
    onFocus={onNear}
    onClick={onGo}
  >
    {icon}
    <span className="way-label">{label}</span>
    {trouble !== undefined && <TriangleAlert className="way-trouble" aria-hidden />}
  </button>
)
