import { type ReactNode, type RefObject, useCallback, useLayoutEffect, useRef } from 'react'
import { tinykeys } from 'tinykeys'
import type { Opened } from '../open'
import type { Place } from '../place/places'

/** [keys as tinykeys reads them, as a person reads them, what they do] */
type Shortcut = [keys: string, read: string, does: string]

const global: Shortcut[] = [
  ['Control+n', 'Ctrl N', 'Begin a new conversation'],
  ['Control+k', 'Ctrl K', 'Search in conversations'],
  ['Control+l', 'Ctrl L', 'Show the log'],
  ['Control+,', 'Ctrl ,', 'Show the settings'],
  ['Control+j', 'Ctrl J', 'Go to the box to ask'],
  ['Control+.', 'Ctrl .', 'Stop what is going on'],
  ['F1', 'F1', 'Show this list'],
]
const inBox: Shortcut[] = [
  ['', 'Enter', 'Ask'],
  ['', 'Shift Enter', 'Begin a new line'],
  ['', '↑ in the empty box', 'Edit the last request and ask again'],
  ['', 'Escape', 'Leave the editing, close what is open'],
]

const inLog: Shortcut[] = [
  ['', 'Alt 1 to Alt 4', 'In the log: calls, pictures, open ends, trust'],
  ['', '↑ ↓ Page Home End', 'In the log: move through the calls'],
  ['', 'Enter, Escape', 'In the log: show a call in full, and leave it'],
  ['', '/', 'In the log: search'],
  ['', 'Alt O', 'In the log: open another, read-only'],
]

/** Makes the shortcuts work; gives their list as a dialog, and the way to open it. */
export const useShortcuts = (
  { places, conversations }: Opened,
  /** The conversation that the person is in, or came from. */
  lastConversation: RefObject<Place>,
): { dialog: ReactNode; open: () => void } => {
  const list = useRef<HTMLDialogElement>(null)
  const open = useCallback(() => {
    list.current?.showModal()
    if (list.current) list.current.scrollTop = 0 // the button at its end has the focus, and would be scrolled to
  }, [])
  // They hold as soon as the window can be seen.
  useLayoutEffect(() => {
    const acts: Record<string, () => void> = {
      'Control+n': () => places.go({ at: 'conversation' }),
      'Control+k': () => document.dispatchEvent(new CustomEvent('countersign:search')),
      'Control+l': () => places.go({ at: 'log' }),
      'Control+,': () => places.go({ at: 'settings' }),
      'Control+j': () => {
        places.go(lastConversation.current)
        requestAnimationFrame(() => document.getElementById('request')?.focus())
      },
      'Control+.': () => {
        const place = places.get()
        const now = place.at === 'conversation' ? conversations.open(place.id) : undefined
        if (typeof now === 'object' && 'talk' in now) void now.talk.assistant?.stop()
      },
      F1: open,
    }
    return tinykeys(
      window,
      Object.fromEntries(
        global.map(([keys]) => [
          keys,
          (event: KeyboardEvent) => {
            event.preventDefault()
            acts[keys]?.()
          },
        ]),
      ),
      // They hold in the box to ask, too; not where something lies over everything.
      { ignore: ({ isComposing }) => isComposing || document.querySelector('dialog[open]') !== null },
    )
  }, [places, conversations, lastConversation, open])

  const dialog = (
    <dialog className="help" ref={list} aria-labelledby="help-title">
      <h2 id="help-title">Keyboard shortcuts</h2>
      <dl>
        {[...global, ...inBox, ...inLog].map(([, read, does]) => (
          <div key={does}>
            <dt>
              <kbd>{read}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit" className="stop">
          Close
        </button>
      </form>
    </dialog>
  )
  return { dialog, open }
}
