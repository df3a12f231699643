import { useSyncExternalStore } from 'react'
import type { Opened } from '../open'

/** Says that nothing runs, and why, when a check has failed or could not be made. */
export const ProgramsOff = ({ opened: { isolation, places } }: { opened: Opened }) => {
  const isolated = useSyncExternalStore(isolation.subscribe, isolation.get)
  if (isolated.state !== 'broken' && isolated.state !== 'unchecked') return null
  const claims = isolated.failed.map(({ claim }) => claim).join('; that ')
  return (
    <div className="notice notice-error programs-off" role="alert">
      <div>
        {isolated.state === 'broken' ? (
          <>
            <strong>Programs are turned off</strong>
            <p>This machine’s webview does not keep programs in as it must, so none runs. It failed that {claims}.</p>
          </>
        ) : (
          <>
            <strong>Programs cannot run yet</strong>
            <p>It could not be checked that {claims}. It is checked again before the next program.</p>
          </>
        )}
      </div>
      <button type="button" onClick={() => places.go({ at: 'settings' })}>
        See the checks
      </button>
    </div>
  )
}
