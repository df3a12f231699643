import { useEffect, useState } from 'react'
import type { Opened } from '../open'
import { Failure } from './Failure'
import { Window } from './Window'

type State = { at: 'opening' } | { at: 'open'; opened: Opened } | { at: 'refused'; why: string } | { at: 'alone' }

/** The whole page. `opening` is undefined where there is no app behind it. */
export const App = ({ opening }: { opening: Promise<Opened> | undefined }) => {
  const [state, setState] = useState<State>(opening ? { at: 'opening' } : { at: 'alone' })
  useEffect(() => {
    let current = true
    opening?.then(
      (opened) => current && setState({ at: 'open', opened }),
      (error: Error) => current && setState({ at: 'refused', why: error.message }),
    )
    return () => {
      current = false
    }
  }, [opening])

  switch (state.at) {
    case 'opening':
      return (
        <p className="opening" role="status">
          Opening…
        </p>
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
