import { createServer } from 'node:http'

/**
 * A loopback HTTP server that answers everything and remembers what it was
 * asked. A sandbox that reaches the network leaves a hit here; CORS is wide
 * open, so that nothing but the sandbox itself can be what refused.
 *
 * @returns {Promise<{ port: number, hits(token: string): string[], close(): void }>}
 */
export async function startCanary() {
  /** @type {string[]} */
  const seen = []
  const open = {
    'access-control-allow-origin': '*',
    'access-control-allow-headers': '*',
    'cross-origin-resource-policy': 'cross-origin',
  }
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    response.writeHead(200, { ...open, 'content-type': 'text/javascript' })
    response.end('self.canary = true')
  })
  server.on('upgrade', (request, socket) => {
    seen.push(`UPGRADE ${request.url}`)
    socket.destroy()
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    port,
    hits: (token) => seen.filter((line) => line.includes(token)),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
