import type { ServerStatus } from './operations'
import { ServerTools } from './ServerTools'
import type { Server } from './shapes'
import { useBusy } from './useBusy'
import { useSettings } from './useSettings'

const states: Record<string, string> = {
  starting: 'starting',
  ready: 'ready',
  waiting: 'not there, tried again soon',
  stopped: 'stopped',
}

export const ServerItem = ({ server, status }: { server: Server; status: ServerStatus | undefined }) => {
  const { change, operations, locked } = useSettings()
  const { busy, failed, run } = useBusy()
  const secrets = [...Object.keys(server.env), ...Object.keys(server.headers)]
  const tools = status?.tools ?? []
  const remove = (): void =>
    void change('mcp', (now) => ({ ...now, mcp: now.mcp.filter(({ name }) => name !== server.name) }))
  return (
    <li className="set-item set-server">
      <div className="set-item-text">
        <span className="set-item-title">
          {server.name}
          {status && (
            <span className={`set-state set-state-${status.state}`}>{states[status.state] ?? status.state}</span>
          )}
        </span>
        <span className="set-path">{server.url || [server.command, ...server.args].join(' ')}</span>
        {secrets.length > 0 && <span className="set-hint">with {secrets.join(', ')} (not shown)</span>}
        {[status?.problem, ...(status?.problems ?? [])].filter(Boolean).map((text) => (
          <span key={text} className="set-warning">
            {text}
          </span>
        ))}
      </div>
      <button
        type="button"
        className="set-button"
        disabled={busy}
        onClick={() => void run(() => operations.restartServer(server.name))}
      >
        Start again<span className="unseen"> {server.name}</span>
      </button>
      <button
        type="button"
        className="set-remove"
        disabled={locked}
        onClick={remove}
        aria-label={`Remove ${server.name}`}
      >
        ×
      </button>
      {tools.length > 0 && <ServerTools server={server} tools={tools} />}
      {failed !== undefined && (
        <p className="set-problem" role="alert">
          {failed}
        </p>
      )}
    </li>
  )
}
