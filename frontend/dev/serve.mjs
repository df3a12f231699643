// Serves the built page to a plain browser, under the policy that the app's shell sends, with a
// fake bridge in place of Go and the real offline model behind it:
//
//   npm run build && node dev/serve.mjs [--port 5173] [--scene cancel-orders] [--still]
//
// then open http://127.0.0.1:5173/?auto&decide=approve (see fakeBridge.js for what it takes). What is
// built later is served as soon as it is there; with --still what was there first is served to the end.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ordersOf } from './orders.mjs'

const { values: options } = parseArgs({
  options: {
    port: { type: 'string', default: '5173' },
    scene: { type: 'string', default: 'cancel-orders' },
    still: { type: 'boolean', default: false },
  },
})
const port = Number(options.port)
const secret = 'only-for-development'
const at = (path) => fileURLToPath(new URL(path, import.meta.url))

const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.woff2': 'font/woff2' }

const transcripts = `../../app/model/transcripts/${options.scene}.json`
/** What was there first, by where it is from here; nothing unless it is served to the end. */
const first = new Map()
if (options.still) {
  const assets = await readdir(at('../dist/assets'))
  const paths = ['../dist/index.html', ...assets.map((name) => `../dist/assets/${name}`)]
  paths.push('../../sandbox/dist/sandbox.html', 'fakeSettings.js', 'fakeBridge.js', transcripts)
  for (const path of paths) first.set(path, await readFile(at(path)))
}
const read = async (path) => first.get(path) ?? readFile(at(path))

const page = async () =>
  String(await read('../dist/index.html'))
    .replace('name="countersign-secret" content=""', `name="countersign-secret" content="${secret}"`)
    .replace('<script', '<script src="/dev/fakeSettings.js"></script><script src="/dev/fakeBridge.js"></script><script')

/** [type, body, policy] of a path, or undefined. */
const answer = async (path) => {
  if (path === '/') return ['text/html', await page(), pagePolicy]
  if (path === '/dev/fakeSettings.js') return ['text/javascript', await read('fakeSettings.js')]
  if (path === '/dev/fakeBridge.js') return ['text/javascript', await read('fakeBridge.js')]
  if (path === '/dev/setup.json') {
    const transcript = JSON.parse(await read(transcripts))
    const scene = { name: options.scene, request: transcript.request }
    return ['application/json', JSON.stringify({ scene, orders: await ordersOf(new Date()) })]
  }
  if (path === '/sandbox.html') {
    const document = String(await read('../../sandbox/dist/sandbox.html'))
    return ['text/html', document, /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(document)?.[1]]
  }
  if (/^\/assets\/[\w.-]+$/.test(path)) return [types[extname(path)] ?? 'text/plain', await read(`../dist${path}`)]
  return undefined
}

const toPlayer = (incoming, outgoing) => {
  if (incoming.headers['x-countersign-secret'] !== secret) {
    outgoing.writeHead(403, { 'content-type': 'application/json' })
    outgoing.end('{"error":{"message":"the secret is missing or wrong","type":"invalid_request_error"}}')
    return
  }
  pass(incoming, outgoing, port + 1)
}

const pass = (incoming, outgoing, to) => {
  const { method, url, headers } = incoming
  const onward = request({ host: '127.0.0.1', port: to, method, path: url, headers }, (reply) => {
    outgoing.writeHead(reply.statusCode, reply.headers)
    reply.pipe(outgoing)
  })
  onward.on('error', (error) => {
    outgoing.writeHead(502)
    outgoing.end(String(error))
  })
  outgoing.on('close', () => onward.destroy())
  incoming.pipe(onward)
}

const server = createServer(async (incoming, outgoing) => {
  const { pathname } = new URL(incoming.url, 'http://localhost')
  if (pathname.startsWith('/model/')) return toPlayer(incoming, outgoing)
  if (pathname === '/dev/log') return pass(incoming, outgoing, port + 2)
  const found = await answer(pathname).catch((error) => error)
  if (!found || found.code === 'ENOENT') {
    outgoing.writeHead(404, { 'content-type': 'text/plain' })
    return outgoing.end(found ? `${found.path} is not there; is it being built?` : `there is nothing at ${pathname}`)
  }
  if (found instanceof Error) {
    process.stderr.write(`${pathname}: ${found.stack}\n`)
    outgoing.writeHead(500)
    return outgoing.end(found.message)
  }
  const [type, body, policy] = found
  outgoing.writeHead(200, { 'content-type': type, ...(policy ? { 'content-security-policy': policy } : {}) })
  outgoing.end(body)
})

// First of all: without it nothing else is begun that would have to be ended.
await once(server.listen(port, '127.0.0.1'), 'listening')
process.stdout.write(`http://127.0.0.1:${port}/\n`)

const player = spawn(
  'go',
  ['run', './frontend/dev/player', '-scene', options.scene, '-address', `127.0.0.1:${port + 1}`],
  {
    cwd: at('../..'),
    stdio: 'inherit',
    detached: true, // go run leaves its child behind unless the whole group ends
  },
)
const reviewer = spawn(
  'go',
  ['run', '-tags', 'sqlite_fts5', './frontend/dev/reviewer', '-address', `127.0.0.1:${port + 2}`],
  { cwd: at('../..'), stdio: 'inherit', detached: true },
)
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    for (const { pid } of [player, reviewer]) {
      try {
        process.kill(-pid)
      } catch (error) {
        if (error.code !== 'ESRCH') throw error // it has ended by itself
      }
    }
    process.exit()
  })
}
