import { Activity, type ComponentType, useEffect, useRef, useSyncExternalStore } from 'react'
import type { Opened } from '../open'
import { usePart } from '../part/usePart'
import type { Place } from '../place/places'
import { Conversation } from './Conversation'
import { Notice } from './Notice'
import { partOf } from './otherPlaces'
import { SideBar } from './SideBar'
import { TroubleNotice } from './TroubleNotice'
import { useShortcuts } from './useShortcuts'

interface Shown {
  at: Place['at']
  Other?: ComponentType<{ opened: Opened }> | undefined
}

/** The side bar, and the place where the person is. */
export const Window = ({ opened }: { opened: Opened }) => {
  const { places, conversations, isolation } = opened
  const place = useSyncExternalStore(places.subscribe, places.get)
  const last = useRef<Place & { at: 'conversation' }>({ at: 'conversation' })
  if (place.at === 'conversation') last.current = place
  const { there, failure, again } = usePart(partOf(place))
  // While a place is loaded the person stays at the one that they come from.
  const shown = useRef<Shown>({ at: 'conversation' })
  if (place.at === 'conversation' || there || failure !== undefined) shown.current = { at: place.at, Other: there }
  const { at, Other } = shown.current
  const help = useShortcuts(opened, last)
  useEffect(() => {
    // Once the window can be used; a program that comes sooner does not wait for this.
    const frame = requestAnimationFrame(() => setTimeout(isolation.begin))
    return () => cancelAnimationFrame(frame)
  }, [isolation])
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
      <TroubleNotice opened={opened} />
      {/* It stays as it is, with what is half written in it, while the person is elsewhere. */}
      <Activity mode={at === 'conversation' ? 'visible' : 'hidden'}>
        <Conversation opened={opened} place={last.current} />
      </Activity>
      {Other && <Other opened={opened} />}
      {failure !== undefined && (
        <main className="page page-empty">
          <div className="empty">
            <Notice kind="error" title="This place cannot be shown" action={{ label: 'Try again', onClick: again }}>
              {failure}
            </Notice>
          </div>
        </main>
      )}
      {help.dialog}
    </div>
  )
}
