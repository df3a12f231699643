import { type FormEvent, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'

interface Props {
  working: boolean
  autoFocus: boolean
  /** What was written here before. */
  draft?: string
  /** The model that will answer; none is said of the recorded one. */
  model?: string
  onDraft?: (text: string) => void
  onAsk: (request: string) => void
  onStop: () => void
  onEditLast?: () => void
}

/** Where the person asks, and stops what was asked. */
export const RequestBox = ({ working, autoFocus, draft = '', model, onDraft, onAsk, onStop, onEditLast }: Props) => {
  const [text, setText] = useState(draft)
  const field = useRef<HTMLTextAreaElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const element = field.current
    if (!element) return
    element.style.height = 'auto'
    element.style.height = `${element.scrollHeight}px`
  }, [text])

  const change = (to: string): void => {
    setText(to)
    onDraft?.(to)
  }
  const submit = (event?: FormEvent): void => {
    event?.preventDefault()
    const request = text.trim()
    if (request === '' || working) return
    change('')
    onAsk(request)
  }
  const stop = (): void => {
    // The button goes with what it stops; who pressed it must not be left nowhere.
    field.current?.focus()
    onStop()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    // Enter also ends a composition, in which it is not meant for us.
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) submit(event)
    if (event.key === 'ArrowUp' && text === '' && !working) {
      event.preventDefault()
      onEditLast?.()
    }
  }

  return (
    <section className="ask-lane" aria-label="Ask">
      <form className="ask" onSubmit={submit}>
        <div className="ask-box">
          <label className="unseen" htmlFor="request">
            Your request
          </label>
          <textarea
            id="request"
            ref={field}
            rows={1}
            value={text}
            // biome-ignore lint/a11y/noAutofocus: the page has one thing to do, and starts empty
            autoFocus={autoFocus}
            placeholder={working ? 'Working on your request…' : 'Ask for something to be done'}
            onChange={(event) => change(event.target.value)}
            onKeyDown={onKeyDown}
          />
          {working ? (
            <button type="button" className="stop" onClick={stop}>
              <span className="stop-mark" aria-hidden="true" />
              Stop
            </button>
          ) : (
            <button type="submit" className="send" disabled={text.trim() === ''}>
              Ask
            </button>
          )}
        </div>
        <p className="ask-hint">
          <span>Enter asks, Shift + Enter begins a new line</span>
          {model !== undefined && <span className="ask-model">{model}</span>}
        </p>
      </form>
    </section>
  )
}
