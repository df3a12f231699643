import { existsSync } from 'node:fs'
import puppeteer from 'puppeteer-core'

/** @returns {Promise<import('../engine.mjs').Engine>} */
export async function startFirefox() {
  const executablePath = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path))
  if (!executablePath)
    throw new Error('expected firefox-esr in /usr/bin; install the package firefox-esr (make setup does)')
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true })
  return {
    root: browser.process()?.pid ?? 0,
    webProcess: /-contentproc.*\btab\b/,
    async open(url, onConsole) {
      const page = await browser.newPage()
      page.on('console', (message) => onConsole(message.text()))
      await page.goto(url)
      return () => page.close()
    },
    close: () => browser.close(),
  }
}
