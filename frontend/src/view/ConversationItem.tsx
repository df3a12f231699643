import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Summary } from '../assistant/conversationOperations'

interface Props {
  summary: Summary
  here: boolean
  onGo: (id: string) => void
  onRename: (title: string) => void
  onDelete: () => void
}

/** One conversation of the list, with the ways to rename and to delete it. */
export const ConversationItem = ({ summary: { id, title, excerpt }, here, onGo, onRename, onDelete }: Props) => {
  const [naming, setNaming] = useState(false)
  if (naming) {
    const done = (to: string): void => {
      setNaming(false)
      if (to.trim() !== '' && to.trim() !== title) onRename(to.trim())
    }
    return (
      <li>
        <input
          className="side-rename"
          aria-label="Title of the conversation"
          defaultValue={title}
          // biome-ignore lint/a11y/noAutofocus: the person has just asked to write here
          autoFocus
          onFocus={(event) => event.target.select()}
          onBlur={(event) => done(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') done(event.currentTarget.value)
            if (event.key === 'Escape') {
              event.stopPropagation()
              setNaming(false)
            }
          }}
        />
      </li>
    )
  }
  return (
    <li className="side-item">
      <button
        type="button"
        className="way"
        aria-current={here ? 'page' : undefined}
        title={title}
        onClick={() => onGo(id)}
      >
        <span className="side-title">{title}</span>
        {excerpt !== undefined && excerpt !== '' && <Excerpt text={excerpt} />}
      </button>
      <span className="side-item-tools">
        <button
          type="button"
          className="tool"
          aria-label={`Rename “${title}”`}
          title="Rename"
          onClick={() => setNaming(true)}
        >
          <Pencil />
        </button>
        <button type="button" className="tool" aria-label={`Delete “${title}”`} title="Delete" onClick={onDelete}>
          <Trash2 />
        </button>
      </span>
    </li>
  )
}

/** Where a search found it, with what was found marked. */
const Excerpt = ({ text }: { text: string }) => (
  <span className="side-excerpt">
    {text.split('\u0002').map((piece, at) => {
      const [hit, rest] = at === 0 ? ['', piece] : (piece.split('\u0003') as [string, string?])
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other identity
        <span key={at}>
          {hit !== '' && <mark>{hit}</mark>}
          {rest}
        </span>
      )
    })}
  </span>
)
