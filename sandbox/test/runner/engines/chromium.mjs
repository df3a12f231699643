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
  return {
    root: browser.process()?.pid ?? 0,
    webProcess: /--type=renderer/,
    async open(url, onConsole) {
      const page = await browser.newPage()
      page.on('console', (message) => onConsole(message.text()))
      page.on('error', (error) => onConsole(`the page crashed: ${error.message}`))
      await page.goto(url)
      return () => page.close()
    },
    close: () => browser.close(),
  }
}
