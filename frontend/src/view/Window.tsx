import { Activity, useEffect, useRef, useSyncExternalStore } from 'react'
import { Gallery } from '../gallery/Gallery'
import type { Opened } from '../open'
import type { Place } from '../place/places'
import { Review } from '../review/Review'
import { Settings } from '../settings/Settings'
import { Conversation } from './Conversation'
import { SideBar } from './SideBar'
import { useShortcuts } from './useShortcuts'

/** The side bar, and the place where the person is. */
export const Window = ({ opened }: { opened: Opened }) => {
  const { places, conversations } = opened
  const place = useSyncExternalStore(places.subscribe, places.get)
  const last = useRef<Place & { at: 'conversation' }>({ at: 'conversation' })
  if (place.at === 'conversation') last.current = place
  const help = useShortcuts(opened)
  useEffect(() => {
    // Nothing that was said a moment ago is lost when the window is closed.
    const flush = (): void => void conversations.flush()
    window.addEventListener('pagehide', flush)
    document.addEventListener('visibilitychange', flush)
    return () => {
      window.removeEventListener('pagehide', flush)
      document.removeEventListener('visibilitychange', flush)
    }
  }, [conversations])
  return (
    <div className="window">
      <SideBar opened={opened} lastConversation={last.current} onHelp={help.open} />
      {/* It stays as it is, with what is half written in it, while the person is elsewhere. */}
      <Activity mode={place.at === 'conversation' ? 'visible' : 'hidden'}>
        <Conversation opened={opened} place={last.current} />
      </Activity>
      {place.at === 'log' && <Review opened={opened} />}
      {place.at === 'demos' && <Gallery opened={opened} />}
      {place.at === 'settings' && <Settings opened={opened} />}
      {help.dialog}
    </div>
  )
}
