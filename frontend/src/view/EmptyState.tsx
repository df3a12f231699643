/** What a person sees before anything was asked. */
export const EmptyState = ({ suggestion, onAsk }: { suggestion?: string; onAsk: (request: string) => void }) => (
  <section className="empty">
    <h2>What should be done?</h2>
    <p>
      Countersign writes a small program for each request and runs it here, in a sandbox. You see the program and every
      call it makes. Whatever changes something waits for your approval.
    </p>
    {suggestion !== undefined && (
      <>
        <p>
          This version has no real model yet. A recorded one answers a single request, about the orders of a shop that
          is made up:
        </p>
        <Suggestion request={suggestion} onAsk={onAsk} />
      </>
    )}
  </section>
)

/** The request that the recorded model answers, to be asked with one press. */
export const Suggestion = ({ request, onAsk }: { request: string; onAsk: (request: string) => void }) => (
  <button type="button" className="suggestion" onClick={() => onAsk(request)}>
    {request}
  </button>
)
