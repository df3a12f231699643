import type { Opened } from '../open'

/** The demos that come with the app. */
export const Gallery = (_: { opened: Opened }) => (
  <main className="place" aria-label="Demos">
    <h2>Demos</h2>
    <p>Until this place is done, play them from a terminal:</p>
    <pre>countersign demo --list</pre>
  </main>
)
