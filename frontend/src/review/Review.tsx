import type { Opened } from '../open'

/** The log in the window. */
export const Review = (_: { opened: Opened }) => (
  <main className="place" aria-label="Log">
    <h2>Log</h2>
    <p>Everything is written to the log. Until this place is done, read it in a terminal:</p>
    <pre>countersign log list</pre>
  </main>
)
