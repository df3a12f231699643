import { useEffect, useState, useSyncExternalStore } from 'react'
import { type AssistantMessage, textOf } from '../assistant/messages'
import type { Runs } from '../run/runs'
import { counted, runTitle } from './words'

interface Props {
  messages: AssistantMessage[]
  runs: Runs
  keyOf: (toolCallId: string) => string
  working: boolean
  failed: boolean
}

/**
 * Says to a screen reader what the eye sees change: that calls wait, how a
 * program ended, and the answer once it is whole – not each streamed word.
 */
export const Announcer = ({ messages, runs, keyOf, working, failed }: Props) => {
  const last = messages.at(-1)
  const runPart = last?.parts.findLast((part) => part.type === 'tool-runCode')
  const run = useSyncExternalStore(runs.subscribe, () => (runPart ? runs.get(keyOf(runPart.toolCallId)) : undefined))
  const waiting = run?.calls.filter(({ standing }) => standing === 'waiting').length ?? 0
  // Read aloud, Markdown's signs are noise.
  const answer = last?.role === 'assistant' ? textOf(last).replace(/[*_`#>|]/g, '') : ''

  const saying = ((): string => {
    if (failed) return ''
    if (run?.standing === 'waiting' && waiting > 0) {
      return `${counted(waiting, 'call waits', 'calls wait')} for your approval, in a window of its own.`
    }
    if (working) return run ? `Program: ${runTitle(run)}.` : 'Working on your request.'
    return answer
  })()
  const [said, setSaid] = useState('')
  useEffect(() => setSaid(saying), [saying])
  return (
    <p className="unseen" role="status">
      {said}
    </p>
  )
}
