import { useEffect, useRef } from 'react'
import type { Loosening } from './shapes'

/** Asks whether what a change loosens is meant. Escape, and the first button, leave everything as it is. */
export const LooseningDialog = ({
  loosened,
  onAnswer,
}: {
  loosened: Loosening[]
  onAnswer: (yes: boolean) => void
}) => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className="loosening"
      aria-labelledby="loosening-title"
      onCancel={(event) => {
        event.preventDefault()
        onAnswer(false)
      }}
    >
      <h2 id="loosening-title">This lets Countersign do more</h2>
      <ul>
        {loosened.map(({ field, text }) => (
          <li key={`${field} ${text}`}>{text}</li>
        ))}
      </ul>
      <p>The change is written into the log before it takes effect.</p>
      <div className="set-buttons">
        <button type="button" className="set-button" onClick={() => onAnswer(false)}>
          Leave it as it is
        </button>
        <button type="button" className="set-button set-main" onClick={() => onAnswer(true)}>
          Allow it
        </button>
      </div>
    </dialog>
  )
}
