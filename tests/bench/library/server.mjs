import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

// Cross-origin isolation gives a clock of 5 to 20 µs in place of 0.1 to 1 ms.
// WebKitGTK refuses blob workers in a sandboxed frame under it, so there the
// clock stays coarse, and short samples are repeated (measure.ts).
const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'cross-origin',
}

/**
 * Serves the bench's pages to the browser at hand.
 *
 * @param {{
 *   dist: string,
 *   files: Awaited<ReturnType<typeof import('./bundle.mjs').bundleBench>>,
 *   isolated(): boolean,
 *   measure(collect: boolean): Promise<unknown>,
 * }} options isolated: whether the browser at work gets cross-origin isolation; dist: the folder of the built library; measure: the memory and threads of the browser at work, after a collection of garbage where it can be made to do one
 */
export async function startServer({ dist, files, isolated, measure }) {
  const built = new Map(
    readdirSync(dist)
      .filter((name) => name.endsWith('.js'))
      .map((name) => [`/dist/${name}`, readFileSync(join(dist, name))]),
  )
  /** @type {(report: any) => void} */
  let reported = () => {}
  let now = { name: 'loading the page', at: Date.now() }
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    /** @param {string} type @param {string | Uint8Array} body @param {string} [policy] */
    const send = (type, body, policy) => {
      response.writeHead(200, {
        'content-type': type,
        // Peers fetch their WebAssembly each time; a user's browser has it in its cache.
        'cache-control': type === 'application/wasm' ? 'max-age=3600' : 'no-store',
        ...(isolated() ? ISOLATED : {}),
        ...(policy ? { 'content-security-policy': policy } : {}),
      })
      response.end(body)
    }
    now = { name: searchParams.get('name') ?? now.name, at: Date.now() }
    const file = files.get(pathname)
    const library = built.get(pathname)
    if (file) send(file.type, file.body, file.policy)
    else if (library) send('text/javascript; charset=utf-8', library)
    else if (pathname === '/bench')
      send(
        'text/html; charset=utf-8',
        '<!doctype html><meta charset="utf-8"><title>bench</title><body><script type="module" src="/page.js"></script>',
      )
    else if (pathname === '/now') send('application/json', '{}')
    else if (pathname === '/measure')
      send('application/json', JSON.stringify(await measure(searchParams.has('collect'))))
    else if (pathname === '/report' && request.method === 'POST') {
      const chunks = []
      for await (const chunk of request) chunks.push(chunk)
      send('application/json', '{}')
      reported(JSON.parse(Buffer.concat(chunks).toString('utf8')))
    } else {
      response.writeHead(404, { 'content-type': 'text/plain' })
      response.end(`nothing at ${pathname}`)
    }
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    origin: `http://127.0.0.1:${port}`,
    /** @returns {Promise<any>} what the next page reports */
    report: () =>
      new Promise((resolve) => {
        now = { name: 'loading the page', at: Date.now() }
        reported = resolve
      }),
    /** What the page was at when it was last heard of, and when that was. */
    now: () => now,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
