import { ChartColumn, CircleHelp, FolderOpen, List, ShieldAlert, ShieldCheck } from 'lucide-react'
import { type KeyboardEvent, useRef } from 'react'
import type { Source } from './shapes'

export type Tab = 'calls' | 'charts' | 'ends' | 'trust'

export const tabs: [Tab, string, typeof List][] = [
  ['calls', 'Calls', List],
  ['charts', 'Pictures', ChartColumn],
  ['ends', 'Open ends', CircleHelp],
  ['trust', 'Trust', ShieldCheck],
]

interface Props {
  tab: Tab
  /** What is wrong with this log, which Trust tells. */
  trouble: string | undefined
  onTab: (tab: Tab) => void
  sources: Source[]
  chosen: string
  onChoose: (id: string) => void
  onOpen: () => void
}

/** What is looked at, and the four ways to look at it. */
export const ReviewHead = ({ tab, trouble, onTab, sources, chosen, onChoose, onOpen }: Props) => {
  const bar = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step === undefined) return
    const at = (tabs.findIndex(([name]) => name === tab) + step + tabs.length) % tabs.length
    const next = tabs[at]?.[0]
    if (!next) return
    onTab(next)
    bar.current?.querySelectorAll('button')[at]?.focus()
  }
  return (
    <header className="review-head">
      <h2>Log</h2>
      <div className="review-tabs" role="tablist" aria-label="Ways to look at the log" ref={bar} onKeyDown={onKeyDown}>
        {tabs.map(([name, label, Icon], at) => (
          <button
            key={name}
            type="button"
            role="tab"
            className={trouble !== undefined && name === 'trust' ? 'review-tab-bad' : undefined}
            aria-selected={tab === name}
            aria-keyshortcuts={`Alt+${at + 1}`}
            title={trouble !== undefined && name === 'trust' ? `${trouble} · Alt ${at + 1}` : `Alt ${at + 1}`}
            tabIndex={tab === name ? 0 : -1}
            onClick={() => onTab(name)}
          >
            {trouble !== undefined && name === 'trust' ? <ShieldAlert aria-hidden /> : <Icon aria-hidden />}
            {label}
          </button>
        ))}
      </div>
      <div className="review-source">
        {sources.length > 1 && (
          <select aria-label="Which log" value={chosen} onChange={(event) => onChoose(event.target.value)}>
            {sources.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        )}
        <button type="button" className="review-button" aria-keyshortcuts="Alt+O" title="Alt O" onClick={onOpen}>
          <FolderOpen aria-hidden />
          Open another…
        </button>
      </div>
    </header>
  )
}
