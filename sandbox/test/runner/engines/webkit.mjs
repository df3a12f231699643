import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { Browser, Builder, Capabilities } from 'selenium-webdriver'

export const BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'

/**
 * WebKitGTK, the engine that the app ships. It needs a display and a session
 * bus; both are started here and belong to this run alone.
 *
 * @returns {Promise<import('../engine.mjs').Engine>}
 */
export async function startWebKit() {
  for (const path of [BROWSER, '/usr/bin/WebKitWebDriver', '/usr/bin/Xvfb', '/usr/bin/dbus-run-session']) {
    if (!existsSync(path))
      throw new Error(`expected ${path}; install webkit2gtk-driver, xvfb and dbus (make setup does)`)
  }
  const port = await freePort()
  const display = await startDisplay()
  const driver = spawn('dbus-run-session', ['--', 'WebKitWebDriver', `--port=${port}`, '--host=127.0.0.1'], {
    env: { ...process.env, DISPLAY: display.name, WAYLAND_DISPLAY: '', GDK_BACKEND: 'x11', NO_AT_BRIDGE: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  await answering(`http://127.0.0.1:${port}/status`)
  const capabilities = new Capabilities({ browserName: 'MiniBrowser' })
  capabilities.set('webkitgtk:browserOptions', { binary: BROWSER, args: ['--automation'] })
  const session = await new Builder()
    .usingServer(`http://127.0.0.1:${port}`)
    .forBrowser(Browser.SAFARI)
    .withCapabilities(capabilities)
    .build()
  return {
    root: driver.pid ?? 0,
    webProcess: /WebKitWebProcess/,
    async open(url) {
      await session.get(url)
      return () => session.get('about:blank')
    },
    async close() {
      await session.quit().catch(() => {})
      if (driver.pid) process.kill(-driver.pid, 'SIGTERM')
      display.stop()
    },
  }
}

/** @returns {Promise<{ name: string, stop(): void }>} a virtual display of our own */
export async function startDisplay() {
  // -displayfd makes the server choose a free number and tell it on this pipe.
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const pipe = /** @type {import('node:stream').Readable} */ (server.stdio[3])
  const number = await new Promise((resolve, reject) => {
    let text = ''
    pipe.on('data', (chunk) => {
      text += chunk
      if (text.includes('\n')) resolve(text.trim())
    })
    server.once('exit', (code) => reject(new Error(`Xvfb ended with ${code} before it had a display`)))
  })
  return { name: `:${number}`, stop: () => server.kill('SIGTERM') }
}

/** @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
      server.close(() => resolve(port))
    })
  })
}

/** @param {string} url */
async function answering(url) {
  const until = Date.now() + 20_000
  for (;;) {
    try {
      await fetch(url)
      return
    } catch (error) {
      if (Date.now() > until) throw new Error(`expected WebKitWebDriver to answer at ${url} within 20 s: ${error}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
