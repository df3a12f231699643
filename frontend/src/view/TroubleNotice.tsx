import { useSyncExternalStore } from 'react'
import type { Opened } from '../open'
import { Notice } from './Notice'

/** Says at every place that the start has found something wrong with the log, until the person looks at it. */
export const TroubleNotice = ({ opened: { trouble, places } }: { opened: Opened }) => {
  const found = useSyncExternalStore(trouble.subscribe, trouble.get)
  if (!found || found.seen) return null
  return (
    <div className="window-notice">
      <Notice
        kind="error"
        title={found.title}
        action={{ label: 'Look at it', onClick: () => places.go({ at: 'log', tab: 'trust' }) }}
      >
        {found.text} {found.do}
      </Notice>
    </div>
  )
}
