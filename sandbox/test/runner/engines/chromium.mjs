import { existsSync } from 'node:fs'
import puppeteer from 'puppeteer-core'

/** @returns {Promise<import('../engine.mjs').Engine>} */
export async function startChromium() {
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
    existsSync(path),
  )
  if (!executablePath) throw new Error('expected chromium in /usr/bin; install the package chromium (make setup does)')
  const browser = await puppeteer.launch({
    executablePath,
    headless: true,
    // Chromium asks a closed network for ever unless it is told not to.
    args: [
      '--disable-background-networking',
      '--no-first-run',
      '--disable-component-update',
      '--disable-sync',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  })
  /** @type {import('puppeteer-core').CDPSession | undefined} of the page that was opened last */
  let devtools
  return {
    root: browser.process()?.pid ?? 0,
    webProcess: /--type=renderer/,
    async open(url, onConsole) {
      const page = await browser.newPage()
      devtools = await page.createCDPSession()
      page.on('console', (message) => onConsole(message.text()))
      page.on('error', (error) => onConsole(`the page crashed: ${error.message}`))
      await page.goto(url)
      return () => page.close()
    },
    async collect() {
      if (!devtools) throw new Error('no page is open')
      await devtools.send('HeapProfiler.collectGarbage')
      // What the first collection let go may hold more.
      await devtools.send('HeapProfiler.collectGarbage')
      const { usedSize, embedderHeapUsedSize, backingStorageSize } = await devtools.send('Runtime.getHeapUsage')
      return usedSize + embedderHeapUsedSize + backingStorageSize
    },
    close: () => browser.close(),
  }
}
