import { CirclePause } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import type { WaitingRuns } from '../run/waiting'
import { counted } from './words'

/** The way to what waits for the person, from every place; nothing while nothing does. */
export const WaitingLink = ({ waiting, onGo }: { waiting: WaitingRuns; onGo: () => void }) => {
  const { waiting: list } = useSyncExternalStore(waiting.subscribe, waiting.get)
  if (list.length === 0) return null
  const label = `${counted(list.length, 'request waits', 'requests wait')} for you`
  const show = (): void => {
    onGo()
    // The conversation is drawn again before it can be gone to.
    requestAnimationFrame(() => {
      const heading = document.querySelector<HTMLElement>('.waiting h2')
      heading?.scrollIntoView({ block: 'start' })
      heading?.focus({ preventScroll: true })
    })
  }
  return (
    <button type="button" className="way way-waiting" title={label} onClick={show}>
      <CirclePause />
      <span className="way-label">{label}</span>
      <span className="way-count" aria-hidden="true">
        {list.length}
      </span>
    </button>
  )
}
