import { useEffect, useState } from 'react'
import type { ServerStatus } from './operations'
import { useSettings } from './useSettings'

/** How the servers are, and each time that it changes; nothing while it is not known. */
export const useServers = (): ServerStatus[] | undefined => {
  const { operations } = useSettings()
  const [servers, setServers] = useState<ServerStatus[]>()
  useEffect(() => {
    const leave = new AbortController()
    const follow = async (): Promise<void> => {
      try {
        let now = await operations.servers(leave.signal)
        for (;;) {
          setServers(now.servers ?? [])
          now = await operations.serversAfter(now.revision ?? 0, leave.signal)
        }
      } catch {
        // Left, or the app has no servers to tell of; what is set is shown all the same.
      }
    }
    void follow()
    return () => leave.abort()
  }, [operations])
  return servers
}
