import type { ComponentType } from 'react'
import type { Opened } from '../open'
import { type Part, part } from '../part/part'
import type { Place } from '../place/places'

type OtherPlace = Exclude<Place['at'], 'conversation'>

/** The places beside the conversation. Each is loaded when the person first goes there. */
export const otherPlaces: Record<OtherPlace, Part<ComponentType<{ opened: Opened }>>> = {
  log: part('the log', async () => (await import('../review/Review')).Review),
  demos: part('the demos', async () => (await import('../gallery/Gallery')).Gallery),
  settings: part('the settings', async () => (await import('../settings/Settings')).Settings),
}

/** The part that a place needs; none for the conversation, which is always there. */
export const partOf = ({ at }: Place) => (at === 'conversation' ? undefined : otherPlaces[at])
