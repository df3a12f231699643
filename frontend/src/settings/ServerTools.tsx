import type { ServerTool } from './operations'
import type { Server } from './shapes'
import { useSettings } from './useSettings'

/** The tools of a server. Those that say they only read can be confirmed as such. */
export const ServerTools = ({ server, tools }: { server: Server; tools: ServerTool[] }) => {
  const { change, locked } = useSettings()
  const confirm = (tool: ServerTool, yes: boolean): void =>
    void change('mcp', (now) => ({
      ...now,
      mcp: now.mcp.map((other) => {
        if (other.name !== server.name) return other
        const { [tool.tool]: _, ...rest } = other.readOnlyConfirmed
        return { ...other, readOnlyConfirmed: yes ? { ...rest, [tool.tool]: tool.definition ?? '' } : rest }
      }),
    }))
  return (
    <details className="set-tools">
      <summary>
        {tools.length} {tools.length === 1 ? 'tool' : 'tools'}
      </summary>
      <ul>
        {tools.map((tool) => {
          const confirmed = tool.definition !== undefined && server.readOnlyConfirmed[tool.tool] === tool.definition
          const changed = !confirmed && tool.tool in server.readOnlyConfirmed
          return (
            <li key={tool.tool}>
              <div className="set-item-text">
                <code>{tool.tool}</code>
                {tool.description && <span className="set-hint">{tool.description}</span>}
                {tool.problem && <span className="set-warning">{tool.problem}</span>}
                {changed && (
                  <span className="set-warning">It has changed since you confirmed it, so you are asked again.</span>
                )}
              </div>
              {tool.readOnlyHint && tool.definition ? (
                <label className="set-check">
                  <input
                    type="checkbox"
                    checked={confirmed}
                    disabled={locked}
                    onChange={(event) => confirm(tool, event.target.checked)}
                  />
                  <span>
                    Only reads: do not ask<span className="unseen"> about {tool.tool}</span>
                  </span>
                </label>
              ) : (
                <span className="set-hint">you are asked</span>
              )}
            </li>
          )
        })}
      </ul>
    </details>
  )
}
