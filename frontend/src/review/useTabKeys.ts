import { useEffect } from 'react'
import { tinykeys } from 'tinykeys'
import { type Tab, tabs } from './ReviewHead'

/** Alt+1 to Alt+4 show the ways to look at the log. */
export const useTabKeys = (onTab: (tab: Tab) => void): void => {
  useEffect(
    () =>
      tinykeys(
        window,
        Object.fromEntries(
          tabs.map(([name], at) => [
            `Alt+${at + 1}`,
            (event: KeyboardEvent) => {
              event.preventDefault()
              onTab(name)
            },
          ]),
        ),
      ),
    [onTab],
  )
}
