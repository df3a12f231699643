import { Activity, useSyncExternalStore } from 'react'
import { Gallery } from '../gallery/Gallery'
import type { Opened } from '../open'
import { Review } from '../review/Review'
import { Settings } from '../settings/Settings'
import { Conversation } from './Conversation'
import { SideBar } from './SideBar'

/** The side bar, and the place where the person is. */
export const Window = ({ opened }: { opened: Opened }) => {
  const { places } = opened
  const { at } = useSyncExternalStore(places.subscribe, places.get)
  return (
    <div className="window">
      <SideBar opened={opened} />
      {/* It stays as it is, with what is half written in it, while the person is elsewhere. */}
      <Activity mode={at === 'conversation' ? 'visible' : 'hidden'}>
        <Conversation opened={opened} />
      </Activity>
      {at === 'log' && <Review opened={opened} />}
      {at === 'demos' && <Gallery opened={opened} />}
      {at === 'settings' && <Settings opened={opened} />}
    </div>
  )
}
