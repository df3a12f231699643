import type { Opened } from '../open'
import { useModel } from './useModel'

interface Props {
  opened: Opened
  /** What the recorded model answers; none where a real one is set up. */
  suggestion?: string
  onAsk: (request: string) => void
}

/** What a person sees before anything was asked. */
export const EmptyState = ({ opened, suggestion, onAsk }: Props) => {
  const { places, player } = opened
  const offline = useModel(opened).provider === 'offline'
  return (
    <section className="empty">
      <h2>What should be done?</h2>
      <p>
        Countersign writes a small program for each request and runs it here, in a sandbox. You see the program and
        every call it makes. Whatever changes something waits for your approval.
      </p>
      {offline && !player && (
        <>
          <p>
            <strong>No model is set up yet.</strong> Choose one of Anthropic, OpenAI, or a server of your own; a key is
            kept by the app and never shown.
          </p>
          <button type="button" className="send" onClick={() => places.go({ at: 'settings' })}>
            Set up a model
          </button>
          {suggestion !== undefined && (
            <div className="empty-demo">
              <p>
                Or try the <strong>offline demo</strong>: a recorded model answers this one request, about the orders of
                a shop that is made up. Nothing leaves this computer.
              </p>
              <Suggestion request={suggestion} onAsk={onAsk} />
              <button type="button" className="linklike" onClick={() => places.go({ at: 'demos' })}>
                More demos
              </button>
            </div>
          )}
        </>
      )}
    </section>
  )
}

/** The request that the recorded model answers, to be asked with one press. */
export const Suggestion = ({ request, onAsk }: { request: string; onAsk: (request: string) => void }) => (
  <button type="button" className="suggestion" onClick={() => onAsk(request)}>
    {request}
  </button>
)
