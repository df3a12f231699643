import { type AssistantMessage, textOf } from '../assistant/messages'
import type { Runs } from '../run/runs'
import { Answer } from './Answer'
import { Notice } from './Notice'
import { RunCard } from './RunCard'
import { WritingProgram } from './WritingProgram'

interface Props {
  message: AssistantMessage
  runs: Runs
  streaming: boolean
}

/** One message: a request, or an answer with the programs it took. */
export const Exchange = ({ message, runs, streaming }: Props) => {
  if (message.role === 'user') {
    return (
      <article className="request" aria-label="You asked">
        <p>{textOf(message)}</p>
      </article>
    )
  }
  return (
    <article className="reply" aria-label="Countersign answered">
      {message.parts.map((part, at) => {
        // Parts are only ever added at the end, so that their place is their identity.
        const key = `${message.id} ${at}`
        if (part.type === 'text') return <Answer key={key} text={part.text} />
        // The model called a tool that there is not; the SDK has told it so.
        if (part.type === 'dynamic-tool' && part.state === 'output-error') {
          return <NoProgram key={key} why={part.errorText} />
        }
        if (part.type !== 'tool-runCode') return null
        if (part.state === 'input-streaming') {
          return streaming && <WritingProgram key={key} code={part.input?.code ?? ''} />
        }
        if (part.state === 'output-error' && !runs.get(part.toolCallId)) {
          return <NoProgram key={key} why={part.errorText} />
        }
        return <RunCard key={key} toolCallId={part.toolCallId} code={part.input?.code ?? ''} runs={runs} />
      })}
    </article>
  )
}

const NoProgram = ({ why }: { why: string }) => (
  <Notice kind="plain" title="No program was run">
    {why}
  </Notice>
)
