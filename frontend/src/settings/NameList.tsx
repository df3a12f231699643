import { useId, useState } from 'react'

/** A list of short names to which the person adds one by one. */
export const NameList = ({
  label,
  placeholder,
  names,
  suggestions,
  empty,
  disabled,
  onAdd,
  onRemove,
}: {
  label: string
  placeholder: string
  names: string[]
  suggestions?: string[]
  /** What is said while there are none. */
  empty: string
  disabled?: boolean
  /** True when the name is in the list now. */
  onAdd: (name: string) => Promise<boolean>
  onRemove: (name: string) => void
}) => {
  const [text, setText] = useState('')
  const id = useId()
  const add = async (): Promise<void> => {
    const name = text.trim()
    // The person may have gone on to the next one.
    if (name !== '' && (await onAdd(name))) setText((now) => (now === text ? '' : now))
  }
  return (
    <>
      {names.length === 0 ? (
        <p className="set-none">{empty}</p>
      ) : (
        <ul className="set-names">
          {names.map((name) => (
            <li key={name}>
              <code>{name}</code>
              <button
                type="button"
                className="set-remove"
                disabled={disabled}
                aria-label={`Remove ${name}`}
                onClick={() => onRemove(name)}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <form
        className="set-row"
        onSubmit={(event) => {
          event.preventDefault()
          void add()
        }}
      >
        <label className="unseen" htmlFor={id}>
          {label}
        </label>
        <input
          id={id}
          className="set-text"
          value={text}
          placeholder={placeholder}
          list={suggestions ? `${id}-known` : undefined}
          disabled={disabled}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setText(event.target.value)}
        />
        {suggestions && (
          <datalist id={`${id}-known`}>
            {suggestions.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        )}
        <button type="submit" className="set-button" disabled={disabled || text.trim() === ''}>
          Add
        </button>
      </form>
    </>
  )
}
