import type { Check } from './check'
import { limits } from './limits'
import { networks } from './networks'
import { policies } from './policies'
import { realms } from './realm'
import { replays } from './replay'

/** The checks that need nothing of Go but a canary: a person can run them in the app's own window. */
export const live: Check[] = [...networks, ...realms, ...policies, ...limits, ...replays]
