import { z } from 'zod'
import type { Ask } from '../bridge/bridge'
import type { Canary } from './check'

const begun = z.object({ canary: z.string() })
const heard = z.object({ connections: z.number() })

/** Has Go listen for what gets out; `end` stops it. */
export const openCanary = async (ask: Ask): Promise<Canary & { end(): Promise<void> }> => ({
  address: begun.parse(await ask('isolation.begin', {})).canary,
  heard: async () => heard.parse(await ask('isolation.heard', {})).connections,
  knock: async () => void (await ask('isolation.knock', {})),
  end: async () => void (await ask('isolation.end', {})),
})
