import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { frameDocuments } from './frames.mjs'

const HTML = 'text/html; charset=utf-8'
const JSON_TYPE = 'application/json'
const TYPES = { '.html': HTML, '.js': 'text/javascript; charset=utf-8', '.map': JSON_TYPE }

// The policy of the strictest ordinary page: no blob: workers, no eval.
const STRICT = "default-src 'self'"

/**
 * Serves the test pages, the built library and, to the tests, what only the
 * host machine knows: canary hits, requests seen, CPU use.
 *
 * @param {{
 *   root: string,
 *   bundles: Map<string, Uint8Array>,
 *   packed: Awaited<ReturnType<typeof import('./packed.mjs').servePacked>> | undefined,
 *   canary: Awaited<ReturnType<typeof import('./canary.mjs').startCanary>>,
 *   generated: { programs: number, seed: number },
 *   onReport(event: any): void,
 *   measure(windowMs: number): Promise<unknown>,
 * }} options
 */
export async function startServer({ root, bundles, packed, canary, generated, onReport, measure }) {
  const mocha = readFileSync(join(root, 'node_modules/mocha/mocha.js'))
  // Read once: a build that happens meanwhile must not mix two versions.
  const built = readBuilt(join(root, 'dist'))
  const double = Buffer.from(bundles.get('double.js') ?? '').toString('utf8')
  const frames = frameDocuments((built.get('/dist/sandbox.html') ?? '').toString(), double)
  const build = /name="build" content="(\w+)"/.exec(String(built.get('/dist/sandbox.html')))?.[1] ?? ''
  // An entry point beside files of another build.
  const mixed = new Map([
    ['/mixed/resume.js', String(built.get('/dist/resume.js')).replaceAll(build, '00000000')],
    ['/mixed/hints.js', 'export const hintFor = undefined'],
  ])
  /** @type {string[]} */
  const requests = []

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const path = url.pathname
    const token = url.searchParams.get('token') ?? ''
    requests.push(`${request.method} ${request.url}`)
    /** @param {string} type @param {string | Uint8Array} body @param {Record<string, string>} [headers] */
    const send = (type, body, headers = {}) => {
      response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store', ...headers })
      response.end(body)
    }
    /** @param {unknown} value */
    const json = (value) => send(JSON_TYPE, JSON.stringify(value))

    const frame = frames(path)
    const bundle = path.startsWith('/bundle/') && bundles.get(path.slice('/bundle/'.length))
    // The library's entry point alone: what it loads on demand is not there.
    const file =
      path.endsWith('/index.js') && /^\/(alone|mixed)\//.test(path)
        ? built.get('/dist/index.js')
        : (mixed.get(path) ?? built.get(path) ?? packed?.files.get(path))
    if (frame) send(HTML, frame.body, frame.headers)
    else if (bundle) send(TYPES['.js'], bundle)
    else if (file) send(TYPES[/** @type {keyof TYPES} */ (extname(path))] ?? 'application/octet-stream', file)
    else if (path === '/run') send(HTML, page(url, canary.port, generated))
    else if (path === '/strict.html') send(HTML, script('strict'), { 'content-security-policy': STRICT })
    else if (path === '/neighbour.html') send(HTML, script('neighbour'))
    else if (path === '/mocha.js') send(TYPES['.js'], mocha)
    else if (path === '/canary') json(canary.hits(token))
    else if (path === '/requests') json(requests.filter((line) => line.includes(token) && !line.includes('/requests?')))
    else if (path === '/measure') json(await measure(Number(url.searchParams.get('window') ?? 1000)))
    else if (path === '/report' && request.method === 'POST') {
      onReport(JSON.parse(await text(request)))
      json({})
    } else {
      response.writeHead(404, { 'content-type': 'text/plain' })
      response.end(`nothing at ${path}`)
    }
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

/** @param {string} folder @returns {Map<string, Buffer>} path on the server → content */
function readBuilt(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    files.map((entry) => {
      const file = join(entry.parentPath, entry.name)
      return [`/dist${file.slice(folder.length)}`, readFileSync(file)]
    }),
  )
}

/** @param {URL} url @param {number} canaryPort @param {{ programs: number, seed: number }} generated */
function page(url, canaryPort, generated) {
  const asked = Object.fromEntries(['file', 'grep', 'engine'].map((name) => [name, url.searchParams.get(name) ?? '']))
  const setup = { ...asked, canaryPort, ...generated }
  return `<!doctype html><meta charset="utf-8"><title>${asked.file}</title>
<script type="application/json" id="setup">${JSON.stringify(setup).replaceAll('<', '\\u003c')}</script>
<script src="/mocha.js"></script>
<script type="module" src="/bundle/runner.js"></script>`
}

/** @param {string} name of a bundle */
function script(name) {
  return `<!doctype html><meta charset="utf-8"><title>${name}</title><script type="module" src="/bundle/${name}.js"></script>`
}

/** @param {import('node:http').IncomingMessage} request */
async function text(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
