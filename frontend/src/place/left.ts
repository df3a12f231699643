import { z } from 'zod/mini'
import type { Place } from './places'

/** Where the person was when the app closed, and what they had written in the new conversation. */
export interface Left {
  place: Place
  draft: string
}

const place = z.discriminatedUnion('at', [
  z.object({ at: z.literal('conversation'), id: z.optional(z.string()) }),
  z.object({ at: z.literal('log'), run: z.optional(z.string()) }),
  z.object({ at: z.literal('demos') }),
  z.object({ at: z.literal('settings') }),
])
const left = z.object({ place, draft: z.string() })

/** Reads what was kept. Where nothing fits, as after an update, the person begins at a new conversation. */
export const readLeft = (kept: unknown): Left => {
  const read = left.safeParse(kept)
  return read.success ? (read.data as Left) : { place: { at: 'conversation' }, draft: '' }
}
