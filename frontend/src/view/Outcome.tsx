import type { RunView } from '../run/runView'
import { plainLines } from '../value/plain'
import { Notice } from './Notice'
import { ValueView } from './ValueView'

/** What came of a run: its value, or why there is none. */
export const Outcome = ({ run: { result, calls, shortened } }: { run: RunView }) => {
  if (!result) return null
  switch (result.status) {
    case 'ok':
      if (shortened) return null
      return result.value === undefined ? (
        <section className="run-part">
          <h3>Result</h3>
          <p className="quiet">The program returned nothing.</p>
        </section>
      ) : (
        <ValueView value={result.value} />
      )
    case 'aborted':
      return (
        <Notice kind="plain">
          It was stopped before it ended. Calls that are marked as done have run.
          {calls.some(({ standing }) => standing === 'unknown') &&
            ' Where the outcome is not known, the call had begun: look whether it took effect.'}
        </Notice>
      )
    case 'limit':
      return (
        <Notice kind="error" title="The program was stopped">
          {plainLines(result.error.message)}
        </Notice>
      )
    case 'error':
      return result.error.name === 'SandboxUnavailable' ? (
        <Notice kind="error" title="The sandbox could not start">
          {calls.length === 0 ? 'Nothing has run.' : 'Calls that are marked as done have run, nothing else.'} Close
          other programs if memory is short, or restart Countersign, then ask again.
          {`\n\n${plainLines(result.error.message)}`}
        </Notice>
      ) : (
        <Notice kind="error" title={result.error.line === undefined ? 'Error' : `Error in line ${result.error.line}`}>
          {plainLines(result.error.message)}
        </Notice>
      )
  }
}
