import { useEffect, useId, useState } from 'react'
import type { KeyStatus } from './operations'
import { useBusy } from './useBusy'
import { useSettings } from './useSettings'

const places = { environment: 'in the variable', file: 'in the file', keychain: 'in the keychain' }

const where = ({ from, name, tail }: KeyStatus): string => {
  if (from === 'none') return 'None is set.'
  const end = tail === '' ? '' : `, ends with ${tail}`
  return `${places[from]}${name === '' ? '' : ` ${name}`}${end}`
}

/** Sets and forgets the key of the model in force. The page sends it to Go and never gets it back. */
export const KeyRow = ({ needed }: { needed: boolean }) => {
  const { operations, locked } = useSettings()
  const [status, setStatus] = useState<KeyStatus>()
  const [key, setKey] = useState('')
  const [replacing, setReplacing] = useState(false)
  const [inFile, setInFile] = useState(false)
  const { busy, failed, run } = useBusy()
  const id = useId()
  useEffect(() => {
    void run(async (signal) => setStatus(await operations.keyStatus(signal)))
  }, [operations, run])

  const set = (): Promise<void> =>
    run(async () => {
      setStatus(await operations.setKey(key, inFile ? 'file' : 'keychain'))
      setKey('')
      setReplacing(false)
      // A list that was refused for want of a key may be there now.
      document.dispatchEvent(new CustomEvent('countersign:key'))
    })
  const forget = (): Promise<void> => run(async () => setStatus(await operations.forgetKey()))
  const asks = status !== undefined && (status.from === 'none' || replacing)
  return (
    <div className="set-field">
      <span className="set-label" id={`${id}-label`}>
        Key
      </span>
      {status && (
        <p className="set-key" aria-live="polite">
          <span>
            {status.from === 'none' && !needed ? 'None is set; many servers of your own want none.' : where(status)}
          </span>
          {status.from !== 'none' && status.from !== 'environment' && !replacing && (
            <>
              <button type="button" className="set-button" disabled={locked || busy} onClick={() => setReplacing(true)}>
                Replace
              </button>
              <button type="button" className="set-button" disabled={locked || busy} onClick={() => void forget()}>
                Forget
              </button>
            </>
          )}
          {status.from === 'environment' && <span>Change it there, outside of Countersign.</span>}
        </p>
      )}
      {status && asks && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void set()
          }}
        >
          <div className="set-row">
            <input
              className="set-text set-address"
              type="password"
              aria-label="The key"
              value={key}
              autoComplete="off"
              placeholder="Paste the key"
              disabled={locked || busy}
              onChange={(event) => setKey(event.target.value)}
            />
            <button type="submit" className="set-button" disabled={locked || busy || key.trim() === ''}>
              Keep it
            </button>
            {replacing && (
              <button type="button" className="set-button" onClick={() => setReplacing(false)}>
                Leave it
              </button>
            )}
          </div>
          <fieldset className="set-places" disabled={locked || busy}>
            <legend className="unseen">Where the key is kept</legend>
            <label>
              <input type="radio" name={`${id}-in`} checked={!inFile} onChange={() => setInFile(false)} /> In the
              system’s keychain
            </label>
            <label>
              <input type="radio" name={`${id}-in`} checked={inFile} onChange={() => setInFile(true)} /> In a file as
              plain text that only you can read, <span className="set-path">{status.file}</span>
            </label>
          </fieldset>
          <p className="set-hint">
            Or start Countersign with the variable <code>{status.env}</code>. The page and the model never see the key.
          </p>
        </form>
      )}
      {status && status.problem !== '' && status.from === 'none' && (
        <p className="set-warning">{status.problem.charAt(0).toUpperCase() + status.problem.slice(1)}.</p>
      )}
      {failed !== undefined && (
        <p className="set-problem" role="alert">
          {failed}
        </p>
      )}
    </div>
  )
}
