import { Download } from 'lucide-react'
import { useState } from 'react'
import type { Format, Log } from './operations'
import { Popup } from './Popup'
import type { Exported, Filter } from './shapes'
import { bytes, isEmpty, plural } from './words'

/** Writes exactly what is listed to a file that the person chooses. */
export const ExportMenu = ({
  log,
  filter,
  count,
  signs,
}: {
  log: Log
  filter: Filter
  count: number | undefined
  signs: boolean
}) => {
  const [done, setDone] = useState<Exported>()
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  const write = async (format: Format): Promise<void> => {
    setBusy(true)
    setDone(undefined)
    setFailure(undefined)
    try {
      const result = await log.export(filter, format)
      if (result.path !== '') setDone(result)
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
    } finally {
      setBusy(false)
    }
  }
  const what =
    count === undefined
      ? 'what is listed'
      : isEmpty(filter)
        ? `all ${plural(count, 'call', 'calls')}`
        : plural(count, 'call', 'calls')
  return (
    <Popup
      label="Export"
      className="review-button"
      button={
        <>
          <Download aria-hidden /> Export…
        </>
      }
    >
      {() => (
        <div className="review-export">
          <p>
            Export {what}, exactly as {isEmpty(filter) ? 'the log has them' : 'the filter chooses them'}.
          </p>
          <button type="button" disabled={busy} onClick={() => void write('jsonl')}>
            <strong>JSON Lines, to verify</strong>
            <span>
              Every entry as it was hashed, with the chain’s hashes
              {signs ? ', signed with this log’s key' : '; not signed: the key is not here'}.
            </span>
          </button>
          <button type="button" disabled={busy} onClick={() => void write('csv')}>
            <strong>CSV, one row per call</strong>
            <span>For a spreadsheet: the same columns as “countersign log list --format csv”.</span>
          </button>
          <button type="button" disabled={busy} onClick={() => void write('entries')}>
            <strong>CSV, one row per entry</strong>
            <span>With the chain’s hashes, for reading.</span>
          </button>
          <div role="status">
            {busy && <p>Choose where…</p>}
            {done && (
              <p className="review-done">
                {plural(done.calls, 'call', 'calls')}
                {done.entries > 0 ? `, ${plural(done.entries, 'entry', 'entries')}` : ''}, {bytes(done.bytes)}
                {done.signed ? ', signed' : ''}: <span className="review-path">{done.path}</span>
              </p>
            )}
          </div>
          {failure !== undefined && (
            <p className="review-failure" role="alert">
              {failure}
            </p>
          )}
        </div>
      )}
    </Popup>
  )
}
