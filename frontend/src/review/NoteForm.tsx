import { useId, useState } from 'react'
import type { Finding, Log } from './operations'

const findings: [Finding, string][] = [
  ['took effect', 'It took effect'],
  ['took no effect', 'It took no effect'],
  ['cannot be known', 'It cannot be known'],
]

interface Props {
  log: Log
  id: number
  own: boolean
  onNoted: () => void
}

/** Notes what a person has found out about a call whose outcome is unknown, as a further entry. */
export const NoteForm = ({ log, id, own, onNoted }: Props) => {
  const [finding, setFinding] = useState<Finding>()
  const [reason, setReason] = useState('')
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  const name = useId()
  if (!own) return <p className="quiet">A finding is noted in the app’s own log only; this one is read-only.</p>
  const note = async (): Promise<void> => {
    if (!finding) return
    setBusy(true)
    setFailure(undefined)
    try {
      await log.note(id, finding, reason.trim())
      onNoted()
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className="review-note"
      onSubmit={(event) => {
        event.preventDefault()
        void note()
      }}
    >
      <fieldset disabled={busy}>
        <legend>What did you find?</legend>
        {findings.map(([value, words]) => (
          <label key={value}>
            <input
              type="radio"
              name={name}
              value={value}
              checked={finding === value}
              onChange={() => setFinding(value)}
            />
            {words}
          </label>
        ))}
        <textarea
          rows={2}
          maxLength={1000}
          aria-label="How you know"
          placeholder="How you know (it is logged as you write it)"
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <button type="submit" className="send" disabled={!finding}>
          Note it in the log
        </button>
        <span className="quiet">A further entry; it changes none, and cannot be taken back.</span>
      </fieldset>
      {failure !== undefined && (
        <p className="review-failure" role="alert">
          {failure}
        </p>
      )}
    </form>
  )
}
