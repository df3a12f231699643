import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
}

// The policy of the strictest ordinary page: no blob: workers, no eval.
const STRICT = "default-src 'self'"

// Looks at the frame document after its own script ran, and tells the page.
const HOOK = `<script>
  parent.postMessage({ hook: {
    rtc: typeof RTCPeerConnection,
    rtcPrefixed: typeof webkitRTCPeerConnection,
    handlers: typeof (window.webkit && window.webkit.messageHandlers),
    origin: self.origin,
  } }, '*')
</script>`

/**
 * Serves the test pages, the built library and, to the tests, what only the
 * host machine knows: canary hits, requests seen, CPU use.
 *
 * @param {{
 *   root: string,
 *   bundles: Map<string, Uint8Array>,
 *   canary: Awaited<ReturnType<typeof import('./canary.mjs').startCanary>>,
 *   onReport(event: any): void,
 *   measure(windowMs: number): Promise<unknown>,
 * }} options
 */
export async function startServer({ root, bundles, canary, onReport, measure }) {
  const mocha = join(root, 'node_modules/mocha/mocha.js')
  /** @type {string[]} */
  const requests = []
  let flakyLoads = 0

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const path = url.pathname
    requests.push(`${request.method} ${request.url}`)
    /** @param {string} type @param {string | Uint8Array} body @param {Record<string, string>} [headers] */
    const send = (type, body, headers = {}) => {
      response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store', ...headers })
      response.end(body)
    }
    if (path === '/run') return send(TYPES['.html'], page(url, canary.port))
    if (path === '/strict.html') {
      return send(TYPES['.html'], script('/bundle/strict.js'), { 'content-security-policy': STRICT })
    }
    if (path === '/sandbox-double.html') {
      // Inline, since a module would be fetched with CORS from an opaque origin.
      const double = Buffer.from(bundles.get('double.js') ?? '').toString('utf8')
      return send(TYPES['.html'], `<!doctype html><script>${double}</script>`)
    }
    if (path === '/neighbour.html') return send(TYPES['.html'], script('/bundle/neighbour.js'))
    if (path === '/mocha.js') return send(TYPES['.js'], readFileSync(mocha))
    if (path === '/report' && request.method === 'POST') {
      onReport(JSON.parse(await text(request)))
      return send(TYPES['.json'], '{}')
    }
    if (path === '/canary')
      return send(TYPES['.json'], JSON.stringify(canary.hits(url.searchParams.get('token') ?? '')))
    if (path === '/requests') {
      const token = url.searchParams.get('token') ?? ''
      const own = `/requests?token=${token}`
      return send(
        TYPES['.json'],
        JSON.stringify(requests.filter((line) => line.includes(token) && !line.includes(own))),
      )
    }
    if (path === '/measure') {
      return send(TYPES['.json'], JSON.stringify(await measure(Number(url.searchParams.get('window') ?? 1000))))
    }
    const bundle = path.startsWith('/bundle/') && bundles.get(path.slice('/bundle/'.length))
    if (bundle) return send(TYPES['.js'], bundle)
    if (path === '/sandbox.html' || path === '/sandbox-meta-only.html') {
      const frame = readFileSync(join(root, 'dist/sandbox.html'), 'utf8')
      return send(TYPES['.html'], frame, path === '/sandbox.html' ? { 'content-security-policy': policyOf(frame) } : {})
    }
    const worker = /^\/sandbox-worker-(throws|error|silent)\.html$/.exec(path)
    if (worker)
      return send(TYPES['.html'], brokenWorker(readFileSync(join(root, 'dist/sandbox.html'), 'utf8'), worker[1]))
    if (path === '/sandbox-flaky/reset') {
      flakyLoads = 0
      return send(TYPES['.json'], '{}')
    }
    if (path === '/sandbox-flaky.html') {
      return send(
        TYPES['.html'],
        flakyLoads++ === 0 ? '<!doctype html>' : readFileSync(join(root, 'dist/sandbox.html'), 'utf8'),
      )
    }
    if (path === '/sandbox-hooked.html')
      return send(
        TYPES['.html'],
        readFileSync(join(root, 'dist/sandbox.html'), 'utf8').replace(/<meta[^>]*content-security-policy[^>]*>/i, '') +
          HOOK,
      )
    if (path === '/sandbox-empty.html') return send(TYPES['.html'], '<!doctype html><title>not the frame</title>')
    if (path === '/sandbox-open.html') {
      // The frame document without its policy: somebody served it stripped.
      const frame = readFileSync(join(root, 'dist/sandbox.html'), 'utf8')
      return send(TYPES['.html'], frame.replace(/<meta[^>]*content-security-policy[^>]*>/i, ''))
    }
    if (path.startsWith('/dist/')) {
      const file = join(root, normalize(path))
      if (file.startsWith(join(root, 'dist')) && existsSync(file)) {
        response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
        return createReadStream(file).pipe(response)
      }
    }
    response.writeHead(404, { 'content-type': 'text/plain' })
    response.end(`nothing at ${path}`)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** @param {string} frame @returns {string} the policy that the frame document carries itself */
export function policyOf(frame) {
  const meta = /<meta[^>]*http-equiv="?content-security-policy"?[^>]*>/i.exec(frame)?.[0] ?? ''
  const policy = /content="([^"]*)"/i.exec(meta)?.[1]
  if (!policy)
    throw new Error(
      'expected dist/sandbox.html to carry its policy in a <meta http-equiv="Content-Security-Policy">; found none',
    )
  return policy.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}

/** @param {URL} url @param {number} canaryPort */
function page(url, canaryPort) {
  const file = url.searchParams.get('file') ?? ''
  const data = {
    file,
    grep: url.searchParams.get('grep') ?? '',
    engine: url.searchParams.get('engine') ?? '',
    canaryPort,
    programs: Number(process.env.PROGRAMS ?? 700),
  }
  return `<!doctype html><meta charset="utf-8"><title>${file}</title>
<script type="application/json" id="setup">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>
<script src="/mocha.js"></script>
<script type="module" src="/bundle/runner.js"></script>`
}

/** @param {string} address */
function script(address) {
  return `<!doctype html><meta charset="utf-8"><title>test page</title><script type="module" src="${address}"></script>`
}

/** @param {import('node:http').IncomingMessage} request */
async function text(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * The frame document in an engine that cannot start its worker. The script
 * that breaks `Worker` is allowed by its own hash, so that the policy stays.
 *
 * @param {string} frame @param {string} how
 */
function brokenWorker(frame, how) {
  const body = {
    throws: "self.Worker = class { constructor() { throw new DOMException('no workers here', 'SecurityError') } }",
    error:
      "{ const Real = Worker; self.Worker = class extends EventTarget { constructor() { super(); const w = this; setTimeout(() => { const e = new Event('error'); w.dispatchEvent(e); w.onerror && w.onerror(e) }, 5) } postMessage() {} terminate() {} } }",
    silent: 'self.Worker = class extends EventTarget { postMessage() {} terminate() {} }',
  }[how]
  const hash = createHash('sha256')
    .update(body ?? '')
    .digest('base64')
  return frame
    .replace(/script-src /, `script-src 'sha256-${hash}' `)
    .replace(/<script/, `<script>${body}</script><script`)
}
