import { spawn } from 'node:child_process'
import { NodeWebSocketTransport } from 'puppeteer-core/internal/node/NodeWebSocketTransport.js'
import { BROWSER, freePort, startDisplay } from './webkit.mjs'

/**
 * WebKitGTK under its inspector in place of its driver, which cannot make it
 * collect garbage; the two do not go together.
 *
 * @returns {Promise<import('../engine.mjs').Engine>}
 */
export async function startInspectedWebKit() {
  const display = await startDisplay()
  const address = `127.0.0.1:${await freePort()}`
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let browser
  /** @type {Awaited<ReturnType<typeof inspect>> | undefined} */
  let inspector
  const engine = {
    root: 0,
    webProcess: /WebKitWebProcess/,
    /** @param {string} url */
    async open(url) {
      if (browser) throw new Error('this browser shows one page')
      browser = spawn('dbus-run-session', ['--', BROWSER, url], {
        env: {
          ...process.env,
          DISPLAY: display.name,
          WAYLAND_DISPLAY: '',
          GDK_BACKEND: 'x11',
          NO_AT_BRIDGE: '1',
          WEBKIT_INSPECTOR_HTTP_SERVER: address,
        },
        stdio: 'ignore',
        detached: true,
      })
      engine.root = browser.pid ?? 0
      return () => engine.close()
    },
    async collect() {
      inspector ??= await inspect(address)
      await inspector.send('Heap.gc')
      // A snapshot is of what is left after another collection.
      await inspector.send('Heap.enable')
      const { snapshotData } = await inspector.send('Heap.snapshot')
      await inspector.send('Heap.disable')
      /** @type {{ nodes: number[] }} each node as its id, size, class and flags */
      const { nodes } = JSON.parse(snapshotData)
      let bytes = 0
      for (let at = 1; at < nodes.length; at += 4) bytes += nodes[at] ?? 0
      return bytes
    },
    async close() {
      inspector?.close()
      if (browser?.pid && browser.exitCode === null) process.kill(-browser.pid, 'SIGTERM')
      browser = undefined
      display.stop()
    },
  }
  return engine
}

/** @param {string} address of the inspector's server, which shows one page */
async function inspect(address) {
  const page = await (await fetch(`http://${address}/`)).text()
  const path = /socket\/\d+\/\d+\/WebPage/.exec(page)?.[0]
  if (!path) throw new Error(`expected a page at WebKit's inspector; it lists: ${page.slice(-400)}`)
  const socket = await NodeWebSocketTransport.create(`ws://${address}/${path}`)
  /** @type {Map<number, { done(result: any): void, failed(error: Error): void }>} */
  const asked = new Map()
  let last = 0
  /** @type {Promise<string>} */
  const target = new Promise((resolve, reject) => {
    /** @param {string} why */
    const fail = (why) => {
      const error = new Error(`WebKit's inspector: ${why}`)
      reject(error)
      for (const { failed } of asked.values()) failed(error)
      asked.clear()
    }
    socket.onclose = () => fail('it closed the connection')
    socket.onmessage = (text) => {
      const { method, params, error } = JSON.parse(text)
      if (error) fail(error.message)
      if (method === 'Target.targetCreated' && params.targetInfo.type === 'page') resolve(params.targetInfo.targetId)
      if (method !== 'Target.dispatchMessageFromTarget') return
      const answer = JSON.parse(params.message)
      if (answer.error) fail(answer.error.message)
      asked.get(answer.id)?.done(answer.result)
      asked.delete(answer.id)
    }
  })
  return {
    /** @param {string} method @returns {Promise<any>} */
    async send(method) {
      const targetId = await target
      const id = ++last
      const message = JSON.stringify({ id, method })
      socket.send(JSON.stringify({ id, method: 'Target.sendMessageToTarget', params: { targetId, message } }))
      return new Promise((done, failed) => asked.set(id, { done, failed }))
    },
    close: () => socket.close(),
  }
}
