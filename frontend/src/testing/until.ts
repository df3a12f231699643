import { vi } from 'vitest'

/** Waits until something holds. Vitest's own second is too short on a machine that is busy with other tests. */
export const until = (holds: () => unknown) => vi.waitUntil(holds, { timeout: 20_000 })
