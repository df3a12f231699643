import { useState } from 'react'
import { AddServer } from './AddServer'
import { Section } from './Section'
import { ServerItem } from './ServerItem'
import { useServers } from './useServers'
import { useSettings } from './useSettings'

export const ServersSection = () => {
  const { state, locked } = useSettings()
  const [adding, setAdding] = useState(false)
  const status = useServers()
  const servers = state.settings.mcp
  return (
    <Section
      name="mcp"
      title="MCP servers"
      about="Programs that bring functions of their own. You are asked about every call of theirs, except of tools that say they only read and that you have confirmed."
    >
      {servers.length === 0 ? (
        <p className="set-none">No server.</p>
      ) : (
        <ul className="set-list">
          {servers.map((server) => (
            <ServerItem key={server.name} server={server} status={status?.find(({ name }) => name === server.name)} />
          ))}
        </ul>
      )}
      {adding ? (
        <AddServer onDone={() => setAdding(false)} />
      ) : (
        <button type="button" className="set-button" disabled={locked} onClick={() => setAdding(true)}>
          Add a server…
        </button>
      )}
    </Section>
  )
}
