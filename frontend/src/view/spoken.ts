import { part } from '../part/part'

/** What shows requests, answers and runs. A page that opens with nothing said does without it. */
export const spoken = part('showing what was said', () => import('./said'))
