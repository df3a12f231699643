import type { WaitingRuns } from '../run/waiting'

/** Opens what has waited longest, as soon as it is known: for a scene that nobody watches. */
export const reopenFirst = (waiting: WaitingRuns): void => {
  const open = (): void => {
    const first = waiting.get().waiting[0]
    if (!first) return
    stop()
    void waiting.open(first.runId)
  }
  const stop = waiting.subscribe(open)
  open()
}
