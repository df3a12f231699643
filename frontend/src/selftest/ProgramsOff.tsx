import { useSyncExternalStore } from 'react'
import type { Opened } from '../open'

/** Says that nothing runs, and why, when a check of the start has failed. */
export const ProgramsOff = ({ opened: { isolation, places } }: { opened: Opened }) => {
  const isolated = useSyncExternalStore(isolation.subscribe, isolation.get)
  if (isolated.state !== 'broken') return null
  return (
    <div className="notice notice-error programs-off" role="alert">
      <div>
        <strong>Programs are turned off</strong>
        <p>
          This machine’s webview does not keep programs in as it must, so none runs. It failed that{' '}
          {isolated.failed.map(({ claim }) => claim).join('; that ')}.
        </p>
      </div>
      <button type="button" onClick={() => places.go({ at: 'settings' })}>
        See the checks
      </button>
    </div>
  )
}
