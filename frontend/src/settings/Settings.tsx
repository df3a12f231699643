import type { Opened } from '../open'

/** The settings. */
export const Settings = (_: { opened: Opened }) => (
  <main className="place" aria-label="Settings">
    <h2>Settings</h2>
    <p>Nothing can be set here yet.</p>
  </main>
)
