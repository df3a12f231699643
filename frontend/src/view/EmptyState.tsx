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
        <p>This is a demo: the shop and its orders are made up, and one recorded model answers this request:</p>
        <button type="button" className="suggestion" onClick={() => onAsk(suggestion)}>
          {suggestion}
        </button>
      </>
    )}
  </section>
)
