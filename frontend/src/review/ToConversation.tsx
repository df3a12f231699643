import { z } from 'zod'
import type { Opened } from '../open'
import { useAnswer } from './useAnswer'

const found = z.object({ id: z.string(), title: z.string() }).nullable()

/** The way to the conversation that a run belongs to, where there is one. */
export const ToConversation = ({ opened, runId }: { opened: Opened; runId: string }) => {
  const { value } = useAnswer(runId, async (signal) =>
    found.parse(await opened.ask('conversation.ofRun', { runId }, signal)),
  )
  if (!value) return null
  return (
    <>
      {' · '}
      <button
        type="button"
        className="review-link"
        onClick={() => opened.places.go({ at: 'conversation', id: value.id })}
      >
        its conversation
      </button>
    </>
  )
}
