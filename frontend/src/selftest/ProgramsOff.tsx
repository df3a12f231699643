import { useSyncExternalStore } from 'react'
import type { Opened } from '../open'
import { brief, type Isolated } from './isolation'

/** Says that nothing runs, and why, when a check has failed or could not be made. */
export const ProgramsOff = ({ opened: { isolation, places } }: { opened: Opened }) => {
  const isolated = useSyncExternalStore(isolation.subscribe, isolation.get)
  const words = wordsFor(isolated)
  if (!words) return null
  return (
    <div className="notice notice-error programs-off" role="alert">
      <div>
        <strong>{words.title}</strong>
        <p>{words.text}</p>
      </div>
      <button type="button" onClick={() => places.go({ at: 'settings', section: 'isolation' })}>
        See the checks
      </button>
    </div>
  )
}

const wordsFor = (isolated: Isolated): { title: string; text: string } | undefined => {
  switch (isolated.state) {
    case 'broken':
      return {
        title: 'Programs are turned off',
        text: `This machine’s webview does not keep programs in as it must, so none runs: ${brief(isolated.failed, 'failed')}. An update of the system may bring a webview that does.`,
      }
    case 'unchecked':
      return {
        title: 'Programs cannot run yet',
        text: `It is not known whether programs are kept in: ${brief(isolated.failed, 'could not be made')}. ${isolated.failed.length === 1 ? 'It is' : 'They are'} made again before the next program.`,
      }
    default:
      return undefined
  }
}
