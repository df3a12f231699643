import { Check, X } from 'lucide-react'
import type { Found } from './check'

/** What checks have found: the claim, and opened what was tried and what the engine answered. */
export const FoundList = ({ found }: { found: Found[] }) => (
  <ol className="found">
    {found.map(({ group, claim, tried, expected, answered, passed }) => (
      <li key={`${group} ${claim}`}>
        <details open={!passed}>
          <summary className={passed ? 'found-passed' : 'found-failed'}>
            {passed ? <Check aria-label="passed" /> : <X aria-label="failed" />}
            <span>{claim}</span>
            <span className="quiet">{group}</span>
          </summary>
          <dl>
            <dt>tried</dt>
            <dd>
              <code>{tried}</code>
            </dd>
            <dt>answered</dt>
            <dd>
              <code>{answered}</code>
            </dd>
            {!passed && (
              <>
                <dt>expected</dt>
                <dd>
                  <code>{expected}</code>
                </dd>
              </>
            )}
          </dl>
        </details>
      </li>
    ))}
  </ol>
)
