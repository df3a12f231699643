import { Check, X } from 'lucide-react'
import { CopyButton } from '../view/CopyButton'
import { Scroll } from './Scroll'
import type { Entry } from './shapes'
import { localTime } from './words'

/** The entries of a call as they are stored, each with its hash and the one before. */
export const Entries = ({ entries }: { entries: Entry[] }) => (
  <section className="review-part">
    <h4>What the log holds: {entries.length === 1 ? 'one entry' : `${entries.length} entries`}</h4>
    <ol className="review-entries">
      {entries.map((entry) => (
        <li key={entry.number}>
          <details>
            <summary>
              <span className="review-entry-number">{entry.number}</span>
              <span className="review-entry-kind">{entry.kind}</span>
              <time dateTime={entry.at} title={`${entry.at} UTC`}>
                {localTime(entry.at)}
              </time>
              <span className={`review-fits ${entry.fits ? 'review-fits-yes' : 'review-fits-no'}`}>
                {entry.fits ? <Check aria-hidden /> : <X aria-hidden />}
                {entry.fits ? 'hash fits' : 'hash does not fit'}
              </span>
            </summary>
            <dl>
              <div>
                <dt>Hash</dt>
                <dd>
                  <code>{entry.hash}</code>{' '}
                  <CopyButton text={entry.hash} label={`Copy the hash of entry ${entry.number}`} />
                </dd>
              </div>
              <div>
                <dt>Hash of the entry before</dt>
                <dd>
                  <code>{entry.previous}</code>
                </dd>
              </div>
            </dl>
            <Scroll className="review-text" label={`Body of entry ${entry.number}`}>
              <pre>
                {entry.body.length > 60_000 ? `${entry.body.slice(0, 60_000)}\n… (exports have all of it)` : entry.body}
              </pre>
            </Scroll>
          </details>
        </li>
      ))}
    </ol>
  </section>
)
