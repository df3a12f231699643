import { useState } from 'react'
import type { Log } from './operations'
import type { Comparison } from './shapes'

const titles: Record<string, string> = {
  same: 'The same head',
  'goes on': 'This log goes on from that head',
  differs: 'Not the same',
  'ends before': 'This log ends before that head',
  removed: 'That entry is gone',
  'another log': 'Another log',
}

/** Compares the log with a head that was noted down, or with the last line of an export. */
export const Compare = ({ log }: { log: Log }) => {
  const [text, setText] = useState('')
  const [result, setResult] = useState<Comparison>()
  const [failure, setFailure] = useState<string>()
  const compare = async (): Promise<void> => {
    setResult(undefined)
    setFailure(undefined)
    try {
      setResult(await log.compare(text))
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <section aria-label="Comparing">
      <h3>Compare with a head of earlier</h3>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void compare()
        }}
      >
        <textarea
          rows={3}
          value={text}
          aria-label="A head that was noted down, or the last line of an export"
          placeholder="A number and a hash as you noted them, or the last line of an export"
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" className="review-button" disabled={text.trim() === ''}>
          Compare
        </button>
      </form>
      {failure !== undefined && (
        <p className="review-failure" role="alert">
          {failure}
        </p>
      )}
      {result && (
        <div className={`review-verdict review-verdict-${result.weight}`} role="status">
          <div>
            <h4>{titles[result.finding] ?? result.finding}</h4>
            <p>{result.text}</p>
          </div>
        </div>
      )}
    </section>
  )
}
