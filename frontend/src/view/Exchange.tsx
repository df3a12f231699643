import { Pencil } from 'lucide-react'
import { memo } from 'react'
import { type AssistantMessage, type Part, textOf } from '../assistant/messages'
import type { Runs } from '../run/runs'
import { Answer } from './Answer'
import { CopyButton } from './CopyButton'
import { EditRequest } from './EditRequest'
import { Notice } from './Notice'
import { RunCard } from './RunCard'
import { WritingProgram } from './WritingProgram'

/** What can be done with a message. The functions stay the same. */
export interface ExchangeActions {
  /** The message that is being edited. */
  editing: string | undefined
  startEdit(id: string): void
  endEdit(): void
  edit(id: string, request: string): void
  runAgain(toolCallId: string): void
  showLog(run: string): void
}

interface Props {
  message: AssistantMessage
  runs: Runs
  keyOf: (toolCallId: string) => string
  streaming: boolean
  actions: ExchangeActions
}

/** One message: a request, or an answer with the programs it took. */
export const Exchange = memo(
  ({ message, runs, keyOf, streaming, actions }: Props) =>
    message.role === 'user' ? (
      <Request message={message} actions={actions} />
    ) : (
      <Reply message={message} runs={runs} keyOf={keyOf} streaming={streaming} actions={actions} />
    ),
  (before, after) =>
    before.message === after.message &&
    before.runs === after.runs &&
    before.streaming === after.streaming &&
    (before.actions.editing === before.message.id) === (after.actions.editing === after.message.id),
)

const Request = ({ message, actions }: Pick<Props, 'message' | 'actions'>) => {
  const text = textOf(message)
  if (actions.editing === message.id) {
    return <EditRequest text={text} onSend={(next) => actions.edit(message.id, next)} onCancel={actions.endEdit} />
  }
  return (
    <article className="request" aria-label="You asked">
      <p>{text}</p>
      <div className="message-tools">
        <button
          type="button"
          className="tool"
          aria-label="Edit and ask again"
          title="Edit and ask again"
          onClick={() => actions.startEdit(message.id)}
        >
          <Pencil />
        </button>
        <CopyButton text={text} label="Copy the request" />
      </div>
    </article>
  )
}

const Reply = ({ message, runs, keyOf, streaming, actions }: Props) => {
  const text = textOf(message)
  return (
    <article className="reply" aria-label="Countersign answered">
      {message.parts.map((part, at) => {
        // Parts are only ever added at the end, so that their place is their identity.
        const key = `${message.id} ${at}`
        if (part.type === 'text') return <Answer key={key} text={part.text} />
        const wrong = wrongCall(part)
        if (wrong) return <NoProgram key={key} {...wrong} />
        if (part.type !== 'tool-runCode') return null
        if (part.state === 'input-streaming') {
          return streaming && <WritingProgram key={key} code={part.input?.code ?? ''} />
        }
        if (part.state === 'output-error' && !runs.get(keyOf(part.toolCallId))) {
          return <NoProgram key={key} {...unreadable(part.errorText)} />
        }
        return (
          <RunCard
            key={key}
            toolCallId={part.toolCallId}
            runKey={keyOf(part.toolCallId)}
            code={part.input?.code ?? ''}
            runs={runs}
            onRunAgain={actions.runAgain}
            onShowLog={actions.showLog}
          />
        )
      })}
      {!streaming && text !== '' && (
        <div className="message-tools">
          <CopyButton text={text} label="Copy the answer" />
        </div>
      )}
    </article>
  )
}

interface Wrong {
  /** What the model did wrong, for a person. */
  why: string
  /** The same, as it was told to the model. */
  detail?: string
}

/** A call of something else than the one tool, or one that cannot be read; the SDK has told the model so. */
const wrongCall = (part: Part): Wrong | undefined => {
  const { type } = part
  const name = type === 'dynamic-tool' ? part.toolName : type.startsWith('tool-') ? type.slice(5) : undefined
  if (name === undefined || type === 'tool-runCode') return undefined
  if (name === 'runCode') return unreadable('errorText' in part ? part.errorText : undefined)
  return { why: `The model called “${name}”, which does not exist. It has been told so.` }
}

const unreadable = (detail?: string): Wrong => ({
  why: 'The model called its tool in a form that cannot be read. It has been told so, and may try again.',
  ...(detail === undefined ? {} : { detail }),
})

const NoProgram = ({ why, detail }: Wrong) => (
  <Notice kind="plain" title="No program was run">
    {why}
    {detail !== undefined && (
      <details>
        <summary>What it was told</summary>
        <code>{detail}</code>
      </details>
    )}
  </Notice>
)
