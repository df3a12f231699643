import { Eye } from 'lucide-react'
import type { Source } from './shapes'

/** Says that what is shown is not the app's own log. Nothing of it can be changed here. */
export const ReadOnlyBanner = ({ source, onClose }: { source: Source; onClose: () => void }) => (
  <div className="review-banner" role="note" aria-label="Not this app’s own log">
    <Eye aria-hidden />
    <p>
      <strong>Read-only: {source.kind === 'export' ? 'an export' : 'another log file'}, not this app’s own log.</strong>{' '}
      <span className="review-banner-path">{source.path}</span>
      {source.partial && ' It holds chosen calls; what lies between them is not in it.'}
    </p>
    <button type="button" onClick={onClose}>
      Close it
    </button>
  </div>
)
