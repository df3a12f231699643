import { useLayoutEffect, useRef } from 'react'
import { tinykeys } from 'tinykeys'
import { type Tab, tabs } from './ReviewHead'

/** Alt+1 to Alt+4 show the ways to look at the log, Alt+O opens another. */
export const useTabKeys = (onTab: (tab: Tab) => void, onOpen: () => void): void => {
  const open = useRef(onOpen)
  open.current = onOpen
  useLayoutEffect(() => {
    const acts: [string, () => void][] = tabs.map(([name], at) => [`Alt+${at + 1}`, () => onTab(name)])
    acts.push(['Alt+o', () => open.current()])
    const keys = acts.map(([keys, act]): [string, (event: KeyboardEvent) => void] => [
      keys,
      (event) => {
        event.preventDefault()
        act()
      },
    ])
    return tinykeys(window, Object.fromEntries(keys))
  }, [onTab])
}
