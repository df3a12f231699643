import { Play } from 'lucide-react'
import { useId } from 'react'
import type { Demo } from './operations'

/** Where a demo is, as far as this page knows. */
export type Playing = { at: 'idle' | 'playing' | 'good' } | { at: 'bad'; why: string }

/** One demo: what it shows, what to notice, and how it ended when it was played. */
export const DemoRow = ({ demo, state, onPlay }: { demo: Demo; state: Playing; onPlay: () => void }) => {
  const title = useId()
  return (
    <li className="demo" aria-labelledby={title}>
      <div>
        <h3 id={title}>{demo.title}</h3>
        <p className="demo-request">“{demo.request}”</p>
        <p className="demo-notice">
          <strong>What to notice.</strong> {demo.notice}
        </p>
        <p className="demo-command">
          <code>countersign demo {demo.name}</code>
        </p>
      </div>
      <div className="demo-play">
        <button
          type="button"
          className="send"
          disabled={state.at === 'playing'}
          aria-describedby={title}
          onClick={onPlay}
        >
          <Play aria-hidden />
          {state.at === 'playing' ? 'Playing' : state.at === 'idle' ? 'Play' : 'Play again'}
        </button>
        <p className={`demo-state demo-state-${state.at}`} role="status">
          {wordsOf(state)}
        </p>
      </div>
    </li>
  )
}

const wordsOf = (state: Playing): string => {
  switch (state.at) {
    case 'idle':
      return ''
    case 'playing':
      return 'In a window of its own. Close that when you have seen it.'
    case 'good':
      return 'It ended as it should: its data and its log agree.'
    case 'bad':
      return `It did not end as it should: ${state.why}`
  }
}
