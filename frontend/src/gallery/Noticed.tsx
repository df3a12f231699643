import { useSyncExternalStore } from 'react'
import type { Opened } from '../open'

/** In the window of a demo: once it is over, what to notice. */
export const Noticed = ({ opened: { hello, player } }: { opened: Opened }) => {
  const over = useSyncExternalStore(player?.subscribe ?? never, () => player?.over() ?? false)
  const notice = hello.scene?.notice
  if (notice === undefined) return null
  return (
    <div role="status">
      {over && (
        <aside className="noticed" aria-label="What to notice">
          <h3>What to notice</h3>
          <p>{notice}</p>
          <p className="quiet">
            The demo is over. Look at its log on the left, or close this window: its data goes with it.
          </p>
        </aside>
      )}
    </div>
  )
}

const never = (): (() => void) => () => {}
