import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'

interface Props {
  text: string
  onSend: (text: string) => void
  onCancel: () => void
}

/** An earlier request, open to be asked in other words. What came after it is dropped then. */
export const EditRequest = ({ text, onSend, onCancel }: Props) => {
  const [now, setNow] = useState(text)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const element = field.current
    element?.focus()
    element?.form?.scrollIntoView({ block: 'nearest' })
    element?.setSelectionRange(element.value.length, element.value.length)
  }, [])
  const send = (event?: FormEvent): void => {
    event?.preventDefault()
    if (now.trim() !== '') onSend(now.trim())
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onCancel()
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) send(event)
  }
  return (
    <form className="edit-request" onSubmit={send} aria-label="Edit the request">
      <textarea
        ref={field}
        aria-label="The request"
        rows={Math.min(10, Math.max(2, now.split('\n').length))}
        value={now}
        onChange={(event) => setNow(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <p className="quiet">What came after it goes from the conversation. What has run stays done, and in the log.</p>
      <div className="edit-buttons">
        <button type="button" className="stop" onClick={onCancel}>
          Cancel
        </button>
        <button type="submit" className="send" disabled={now.trim() === ''}>
          Ask again
        </button>
      </div>
    </form>
  )
}
