import { Bookmark, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Logs } from './operations'
import { Popup } from './Popup'
import type { Filter, SavedFilter } from './shapes'
import { filterFlags, isEmpty } from './words'

/** Filters under a name: to take one, keep the one that is set, or forget one. */
export const SavedFilters = ({
  logs,
  filter,
  onFilter,
}: {
  logs: Logs
  filter: Filter
  onFilter: (filter: Filter) => void
}) => {
  const [list, setList] = useState<SavedFilter[]>([])
  const [name, setName] = useState('')
  const [failure, setFailure] = useState<string>()
  const attempt = async (what: () => Promise<SavedFilter[]>): Promise<void> => {
    setFailure(undefined)
    try {
      setList(await what())
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <Popup
      label="Saved filters"
      className="review-link"
      button={
        <>
          <Bookmark aria-hidden /> Saved
        </>
      }
      onOpen={() => void attempt(logs.filters)}
    >
      {(close) => (
        <>
          {list.length === 0 && <p className="quiet">No filter is saved yet.</p>}
          <ul className="review-saved">
            {list.map((saved) => (
              <li key={saved.name}>
                <button
                  type="button"
                  onClick={() => {
                    onFilter(saved.filter)
                    close()
                  }}
                >
                  {saved.name}
                  <code>{filterFlags(saved.filter) || 'all calls'}</code>
                </button>
                <button
                  type="button"
                  className="tool"
                  aria-label={`Forget the filter ${saved.name}`}
                  onClick={() => void attempt(() => logs.deleteFilter(saved.name))}
                >
                  <Trash2 aria-hidden />
                </button>
              </li>
            ))}
          </ul>
          <form
            className="review-save"
            onSubmit={(event) => {
              event.preventDefault()
              void attempt(() => logs.saveFilter(name, filter)).then(() => setName((now) => (now === name ? '' : now)))
            }}
          >
            <input
              type="text"
              value={name}
              maxLength={80}
              aria-label="Name for the filter that is set"
              placeholder={isEmpty(filter) ? 'Set a filter first' : 'Name for this filter'}
              disabled={isEmpty(filter)}
              onChange={(event) => setName(event.target.value)}
            />
            <button type="submit" className="review-button" disabled={isEmpty(filter) || name.trim() === ''}>
              Save
            </button>
          </form>
          {failure !== undefined && (
            <p className="review-failure" role="alert">
              {failure}
            </p>
          )}
        </>
      )}
    </Popup>
  )
}
