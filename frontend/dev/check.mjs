// Opens the built page in headless Chromium, light and dark, small and wide, in each of its states,
// and fails on what a person or the policy would mind: script errors, violations of the page's
// policy, accessibility faults (axe-core), sideways scrolling, a scene that does not end well.
//
//   npm run build && npm run check:page [-- --shots DIR --only STATE]
//
// --times N opens each state so many times, --slow N as on a machine so many times as slow: that shows
// what depends on time. --port moves the server, so that several checks run beside each other.
//
// Chromium is Debian's; CHROMIUM names another.

import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import puppeteer from 'puppeteer-core'
import { seen } from './inPage.mjs'
import { states } from './states.mjs'

const { values: options } = parseArgs({
  options: {
    shots: { type: 'string' },
    port: { type: 'string', default: '5273' },
    only: { type: 'string', default: '' },
    times: { type: 'string', default: '1' },
    slow: { type: 'string', default: '1' },
  },
})
const times = Number(options.times)
const slow = Number(options.slow)
const address = `http://127.0.0.1:${options.port}/`
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Those whose name begins so. */
const chosen = states.filter(({ name }) => name.startsWith(options.only))
const sizes = [
  [800, 600],
  [1280, 800],
]
const themes = ['light', 'dark']

// What is built in the meantime is not looked at.
const server = spawn(process.execPath, [join(import.meta.dirname, 'serve.mjs'), '--port', options.port, '--still'], {
  stdio: ['ignore', 'ignore', 'inherit'],
})
const ended = new AbortController()
server.once('exit', (code) => ended.abort(new Error(`what serves the page ended with exit code ${code}`)))
const profile = await mkdtemp(join(tmpdir(), 'countersign-page-'))
const faults = []
let passed = 0

const ready = async () => {
  for (let attempt = 0; attempt < 900; attempt++) {
    ended.signal.throwIfAborted()
    const answer = await fetch(`${address}model/v1/models`, {
      headers: { 'x-countersign-secret': 'only-for-development' },
    }).catch(() => undefined)
    const log = await fetch(`${address}dev/log`, {
      method: 'POST',
      body: '{"op":"log.head","args":{"source":""}}',
    }).catch(() => undefined)
    if (answer?.status === 404 && log?.status === 200) return // the player is up: it knows no such address
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('the page was not served within three minutes')
}

/** ms: what a machine that has much else to do may take for anything that is waited for. */
const patience = 60_000

/** Says what was waited for when it does not come. */
const waited = (what, coming) =>
  coming.catch((error) => {
    throw new Error(`${error.message}, for: ${what}`, { cause: error })
  })
/** Waits until an expression is true in the page. */
const come = (page, expression) => waited(expression, page.waitForFunction(expression))

/** Brings the page into a state, as a person would. */
const bring = async (page, state) => {
  await page.goto(address + state.query)
  await come(page, state.until)
  if (state.shortcut) {
    await page.keyboard.down('Control')
    await page.keyboard.press(state.shortcut)
    await page.keyboard.up('Control')
  }
  // A locator waits until what it clicks on stands still, and can be used.
  if (state.press) await waited(`${state.press} to click on`, page.locator(state.press).click())
  if (state.run) await page.evaluate(state.run)
  for (const [first, second] of state.keys ?? []) {
    await page.keyboard.down(first)
    if (second) await page.keyboard.press(second)
    await page.keyboard.up(first)
  }
  if (state.typed) {
    await come(page, `document.activeElement?.matches('.side-search input')`)
    await page.keyboard.type(state.typed)
  }
  if (state.type) await page.type('#request', `${state.type}\n`)
  if (state.after) await come(page, state.after)
  if (state.open) await page.evaluate((at) => document.querySelector(at)?.setAttribute('open', ''), state.open)
}

/** What is half faded in cannot be read yet. What turns for ever is as good as it gets. */
const stillness = `Promise.allSettled(
  document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity).map(({ finished }) => finished),
)`

/** Finds what a person would mind in what the page shows. */
const judge = async (page, fault) => {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  if (wide > 0) fault(`scrolls sideways by ${wide} px`)
  await page.evaluate(stillness)
  await page.evaluate(axe)
  const { violations } = await page.evaluate(() => globalThis.axe.run(document.body, { resultTypes: ['violations'] }))
  for (const { id, help, nodes } of violations)
    fault(`${id}: ${help} (${nodes.map(({ target, failureSummary }) => `${target}: ${failureSummary}`).join(', ')})`)
}

/** What the page shows, or why that cannot be said. */
const shown = async (page) => {
  const late = new Promise((resolve) => setTimeout(resolve, 10_000, 'nothing within ten seconds: it hangs').unref())
  return Promise.race([page.evaluate(seen).catch((error) => `nothing: ${error.message}`), late])
}

const look = async (browser, state, [width, height], theme) => {
  const label = `${state.name} ${width}×${height} ${theme}`
  const fault = (text) => faults.push(`${label}: ${text}`)
  const page = await browser.newPage()
  page.setDefaultTimeout(patience)
  page.on('pageerror', (error) => fault(`script error: ${error.message}`))
  page.on('console', (message) => {
    // The sandbox's frame tries its own policy out; that is what it should see.
    const ofFrame = /Content Security Policy.*connect-src 'none'|data:,/.test(message.text())
    const wanted = state.instead && /Failed to load resource/.test(message.text())
    if (!['error', 'warn'].includes(message.type()) || ofFrame || wanted) return
    fault(`console: ${message.text()} (${message.location().url ?? 'no address'})`)
  })
  try {
    if (state.instead) {
      const { of, status, body } = state.instead
      await page.setRequestInterception(true)
      page.on('request', (request) =>
        request.url().includes(of)
          ? request.respond({ status, contentType: 'application/json', body })
          : request.continue(),
      )
    }
    if (slow > 1) await page.emulateCPUThrottling(slow)
    await page.setViewport({ width, height })
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }])
    await bring(page, state)
    if (options.shots)
      await page.screenshot({ path: join(options.shots, `${label.replaceAll(' ', '-').replace('×', 'x')}.png`) })
    await judge(page, fault)
  } catch (error) {
    fault(`${error.message}; the page showed: ${await shown(page)}`)
  } finally {
    await page.close().catch(() => {}) // it has crashed, which has been said
  }
}

const launch = () =>
  puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    userDataDir: profile,
    timeout: patience,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })

try {
  await ready()
  if (options.shots) await mkdir(options.shots, { recursive: true })
  const browser = await launch()
  for (let time = 0; time < times; time++) {
    for (const state of chosen) {
      for (const size of sizes) {
        for (const theme of themes) {
          const before = faults.length
          await look(browser, state, size, theme)
          if (faults.length === before) passed++
          else for (const fault of faults.slice(before)) process.stdout.write(`FAILED ${fault}\n`)
        }
      }
    }
  }
  await browser.close()
} finally {
  server.kill('SIGTERM')
  // The browser's last processes may still write into it.
  await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}
const all = chosen.length * sizes.length * themes.length * times
process.stdout.write(`${passed} passed, ${all - passed} failed\n`)
process.exitCode = passed === all ? 0 : 1
