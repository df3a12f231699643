import { z } from 'zod'
import type { Ask } from '../bridge/bridge'

const shown = z.object({
  name: z.string(),
  title: z.string(),
  request: z.string(),
  notice: z.string(),
  playing: z.boolean(),
})
const played = z.object({ good: z.boolean(), message: z.string().optional() })

/** A demo as Go lists it. `playing`: a window of its own is open on it. */
export type Demo = z.infer<typeof shown>
/** How a demo ended: as it should, or why not. */
export type Played = z.infer<typeof played>

export const listDemos = async (ask: Ask): Promise<Demo[]> => z.array(shown).parse(await ask('demos', {}))

/** Opens a demo in a window of its own; resolves when that has been closed. */
export const playDemo = async (ask: Ask, name: string): Promise<Played> =>
  played.parse(await ask('demo.play', { name }))
