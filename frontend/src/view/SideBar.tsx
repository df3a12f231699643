import { FlaskConical, MessageSquare, PanelLeft, ScrollText, Settings2, SquarePen } from 'lucide-react'
import { type ReactNode, useEffect, useId, useState, useSyncExternalStore } from 'react'
import type { Opened } from '../open'
import type { Place } from '../place/places'
import { WaitingLink } from './WaitingLink'

const others: { at: 'log' | 'demos' | 'settings'; label: string; icon: ReactNode }[] = [
  { at: 'log', label: 'Log', icon: <ScrollText /> },
  { at: 'demos', label: 'Demos', icon: <FlaskConical /> },
  { at: 'settings', label: 'Settings', icon: <Settings2 /> },
]

/** The ways to all places. In a narrow window a rail of signs, which opens over the place. */
export const SideBar = ({ opened }: { opened: Opened }) => {
  const { places, hello, waiting } = opened
  const place = useSyncExternalStore(places.subscribe, places.get)
  const [wide, setWide] = useState(false)
  const body = useId()
  const go = (to: Place): void => {
    setWide(false)
    places.go(to)
  }
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
          {hello.scene && <span className="pill">Offline demo</span>}
        </div>
        <WaitingLink waiting={waiting} onGo={() => go({ at: 'conversation' })} />
        <Way label="New conversation" icon={<SquarePen />} onGo={() => go({ at: 'conversation' })} />
        <Way
          label="Conversations"
          icon={<MessageSquare />}
          here={place.at === 'conversation'}
          onGo={() => go({ at: 'conversation' })}
        />
        <div className="side-others">
          {others.map(({ at, label, icon }) => (
            <Way key={at} label={label} icon={icon} here={place.at === at} onGo={() => go({ at })} />
          ))}
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
  onGo: () => void
}

const Way = ({ label, icon, here = false, onGo }: WayProps) => (
  <button type="button" className="way" aria-current={here ? 'page' : undefined} title={label} onClick={onGo}>
    {icon}
    <span className="way-label">{label}</span>
  </button>
)
