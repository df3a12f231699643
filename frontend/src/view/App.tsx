import { useEffect, useState } from 'react'
import type { Opened } from '../open'
import { Failure } from './Failure'
import { Window } from './Window'

/** How long the page may take to open before it says so, in ms: a word that comes and goes would only flicker. */
const patience = 300

type State =
  | { at: 'opening'; late: boolean }
  | { at: 'open'; opened: Opened }
  | { at: 'refused'; why: string }
  | { at: 'alone' }

/** The whole page. `opening` is undefined where there is no app behind it. */
export const App = ({ opening }: { opening: Promise<Opened> | undefined }) => {
  const [state, setState] = useState<State>(opening ? { at: 'opening', late: false } : { at: 'alone' })
  useEffect(() => {
    let current = true
    const late = setTimeout(
      () => setState((now) => (now.at === 'opening' ? { at: 'opening', late: true } : now)),
      patience,
    )
    opening?.then(
      (opened) => current && setState({ at: 'open', opened }),
      (error: Error) => current && setState({ at: 'refused', why: error.message }),
    )
    return () => {
      clearTimeout(late)
      current = false
    }
  }, [opening])

  switch (state.at) {
    case 'opening':
      return (
        state.late && (
          <p className="opening" role="status">
            Opening…
          </p>
        )
      )
    case 'alone':
      return (
        <Failure title="This page belongs to the Countersign app">
          <p>It works inside the app’s own window only. Start Countersign, or run the demo from a terminal:</p>
          <pre>countersign demo</pre>
        </Failure>
      )
    case 'refused':
      return (
        <Failure title="The app did not let this page in" detail={state.why}>
          <p>Nothing was asked and nothing has run. Close the window and start Countersign again.</p>
        </Failure>
      )
    case 'open':
      return <Window opened={state.opened} />
  }
}
