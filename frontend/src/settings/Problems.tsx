import { useBusy } from './useBusy'
import { useSettings } from './useSettings'

const inForce = {
  file: '',
  defaults: 'The defaults are in force.',
  'last good': 'The last settings without a mistake stay in force.',
  strictest:
    'No settings without a mistake were ever read, so the strictest are in force: nothing that needs approval runs.',
}

/** What is wrong with the file, with its lines, and what is in force instead. */
export const Problems = ({
  onReload,
  onPutAside,
}: {
  onReload: () => Promise<void>
  onPutAside: () => Promise<void>
}) => {
  const { state } = useSettings()
  const { busy, failed, run } = useBusy()
  if (state.problems.length === 0) return null
  const mistakes = state.problems.some(({ severity }) => severity === 'error')
  return (
    <section
      className={mistakes ? 'set-problems' : 'set-problems set-problems-mild'}
      aria-labelledby="set-problems-title"
    >
      <h3 id="set-problems-title">
        {mistakes ? 'The settings file is not in force as it is' : 'About the settings file'}
      </h3>
      {mistakes && <p>{inForce[state.inForce]}</p>}
      <div role={mistakes ? 'alert' : undefined}>
        <ul>
          {state.problems.map(({ line, column, text }) => (
            <li key={`${line} ${column} ${text}`}>
              {line > 0 && (
                <span className="set-line">
                  line {line}, column {column}
                </span>
              )}
              {text}
            </li>
          ))}
        </ul>
      </div>
      {mistakes && (
        <>
          <p className="set-path">{state.path}</p>
          <div className="set-buttons">
            <button type="button" className="set-button" disabled={busy} onClick={() => void run(onReload)}>
              Read it again
            </button>
            <button type="button" className="set-button" disabled={busy} onClick={() => void run(onPutAside)}>
              Put it aside and go on with what is in force
            </button>
          </div>
        </>
      )}
      {failed !== undefined && (
        <p className="set-problem" role="alert">
          {failed}
        </p>
      )}
    </section>
  )
}
