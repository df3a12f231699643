import type { LogLine } from '../run/runView'
import { plainLines } from '../value/plain'
import { counted } from './words'

/** What the program logged. */
export const Logs = ({ logs, open }: { logs: LogLine[]; open: boolean }) => (
  <details className="run-part logs" open={open}>
    <summary>
      <h3>Log</h3>
      <span className="quiet">{counted(logs.length, 'line', 'lines')}</span>
    </summary>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
    <ol tabIndex={0} aria-label="Log lines">
      {logs.map(({ level, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are only ever added at the end
        <li key={at} className={`log-${level}`}>
          {level !== 'log' && <span className="log-level">{level}</span>}
          {plainLines(text)}
        </li>
      ))}
    </ol>
  </details>
)
