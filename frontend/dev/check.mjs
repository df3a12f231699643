// Opens the built page in headless Chromium, light and dark, small and wide, in each of its states,
// and fails on what a person or the policy would mind: script errors, violations of the page's
// policy, accessibility faults (axe-core), sideways scrolling, a scene that does not end well.
//
//   npm run build && npm run check:page [-- --shots DIR --only STATE]
//
// Chromium is Debian's; CHROMIUM names another.

import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import puppeteer from 'puppeteer-core'
import { logStates } from './logStates.mjs'

const { values: options } = parseArgs({
  options: {
    shots: { type: 'string' },
    port: { type: 'string', default: '5273' },
    only: { type: 'string', default: '' },
  },
})
const address = `http://127.0.0.1:${options.port}/`
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const waits = `document.querySelectorAll('.call-waiting').length === 3`
const over = (status) => `window.sceneDone === '${status}' && document.querySelector('.send')`
const atEnd = `(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight < 2)(document.querySelector('.lane'))`
const states = [
  { name: 'empty', query: '', until: `document.querySelector('.suggestion')` },
  { name: 'writing', query: '?auto&decide=never', until: `document.querySelectorAll('.program li').length > 8` },
  { name: 'waiting', query: '?auto&decide=never', until: waits },
  { name: 'stopped', query: '?auto&decide=never', until: waits, press: '.stop', after: over('aborted') },
  { name: 'done', query: '?auto&decide=approve&wait=200', until: over('ok') },
  { name: 'some', query: '?auto&decide=first:2&wait=200', until: over('ok'), open: '.call details' },
  { name: 'none', query: '?auto&decide=reject&wait=200', until: over('ok') },
  {
    name: 'another',
    query: '',
    until: `document.querySelector('.suggestion')`,
    type: 'hello',
    after: `document.querySelector('.column > .suggestion') && ${atEnd}`,
  },
  {
    name: 'again',
    query: '?auto&decide=approve&wait=200',
    until: over('ok'),
    type: 'Cancel every open order over $100 from last week.',
    after: `document.querySelectorAll('.reply').length === 2 && document.querySelector('.send') && ${atEnd}`,
  },
  { name: 'since-before', query: '?plain&waiting', until: `document.querySelectorAll('.waiting-run').length === 2` },
  {
    name: 'since-before-opened',
    query: '?plain&waiting',
    until: `document.querySelectorAll('.waiting-run').length === 2`,
    press: '.waiting-buttons .send',
    after: `document.querySelectorAll('.reopened .call-waiting').length === 2 && ${atEnd}`,
  },
  {
    name: 'since-before-dismissed',
    query: '?plain&waiting',
    until: `document.querySelectorAll('.waiting-run').length === 2`,
    press: '.waiting-run:last-child .plain',
    after: `document.querySelectorAll('.waiting-run').length === 1 && document.activeElement?.matches('.waiting h2')`,
  },
  ...[
    ['settings', ''],
    ['settings-full', '&settings=full'],
    ['settings-broken', '&settings=broken'],
    ['settings-key', '&settings=model&chain=none'],
  ].map(([name, more]) => ({
    name,
    query: `?plain${more}`,
    until: `document.querySelector('.side')`,
    shortcut: ',',
    after: `document.querySelectorAll('.set-section').length > 7`,
  })),
  {
    name: 'settings-loosening',
    query: '?plain&settings=full',
    until: `document.querySelector('.side')`,
    shortcut: ',',
    press: 'input[value=anthropic]',
    after: `document.querySelector('.loosening[open]')`,
  },
  { name: 'many', query: '?plain&many', until: `document.querySelectorAll('.side-item').length === 50` },
  {
    name: 'long',
    query: '?plain&many',
    until: `document.querySelectorAll('.side-item').length === 50`,
    run: `document.querySelector('.side-item .way').click()`,
    after: `document.querySelectorAll('.reply').length === 20 && document.querySelector('.earlier') && ${atEnd}`,
  },
  {
    name: 'edit',
    query: '?plain&many',
    until: `document.querySelectorAll('.side-item').length === 50`,
    run: `(async () => {
      document.querySelectorAll('.side-item .way')[1].click()
      while (!document.querySelector('.request .tool')) await new Promise(requestAnimationFrame)
      document.querySelector('.request .tool').click()
    })()`,
    after: `document.querySelector('.edit-request textarea') === document.activeElement && document.activeElement.getBoundingClientRect().top > 0`,
  },
  {
    name: 'found',
    query: '?plain&many',
    until: `document.querySelectorAll('.side-item').length === 50`,
    keys: [['Control', 'k']],
    typed: 'Request 0',
    after: `document.querySelectorAll('.side-excerpt mark').length > 0`,
  },
  {
    name: 'shortcuts',
    query: '?plain',
    until: `document.querySelector('#request')`,
    keys: [['F1']],
    after: `(({ open, scrollTop }) => open && scrollTop === 0)(document.querySelector('dialog.help'))`,
  },
  {
    name: 'deleted',
    query: '?plain&many',
    until: `document.querySelectorAll('.side-item').length === 50`,
    run: `document.querySelector('.side-toggle').click(); document.querySelector('button[aria-label^=Delete]').click()`,
    after: `document.querySelector('.side-undo')`,
  },
  ...logStates,
  { name: 'refused', query: '?refuse', until: `document.querySelector('.failure')` },
  {
    name: 'no-model',
    query: '?auto',
    until: over('error'),
    instead: { of: '/model/', status: 400, body: '{"error":{"message":"the model “offline” does not exist"}}' },
  },
  { name: 'no-sandbox', query: '?auto', until: over('error'), instead: { of: '/sandbox.html', status: 404, body: '' } },
]
/** Those whose name begins so. */
const chosen = states.filter(({ name }) => name.startsWith(options.only))
const sizes = [
  [800, 600],
  [1280, 800],
]
const themes = ['light', 'dark']

const server = spawn(process.execPath, [join(import.meta.dirname, 'serve.mjs'), '--port', options.port], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const profile = await mkdtemp(join(tmpdir(), 'countersign-page-'))
const faults = []
let passed = 0

const ready = async () => {
  for (let attempt = 0; attempt < 900; attempt++) {
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

/** What a machine that has much else to do may take. */
const patience = { timeout: 60_000 }
/** Keys go to what React sets up behind the frame in which a part of the page is first seen. */
const settled = `new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))`

const look = async (browser, state, [width, height], theme) => {
  const label = `${state.name} ${width}×${height} ${theme}`
  const fault = (text) => faults.push(`${label}: ${text}`)
  const page = await browser.newPage()
  page.on('pageerror', (error) => fault(`script error: ${error.message}`))
  page.on('console', (message) => {
    // The sandbox's frame tries its own policy out; that is what it should see.
    const ofFrame = /Content Security Policy.*connect-src 'none'|data:,/.test(message.text())
    const wanted = state.instead && /Failed to load resource/.test(message.text())
    if (['error', 'warn'].includes(message.type()) && !ofFrame && !wanted) fault(`console: ${message.text()}`)
  })
  if (state.instead) {
    const { of, status, body } = state.instead
    await page.setRequestInterception(true)
    page.on('request', (request) =>
      request.url().includes(of)
        ? request.respond({ status, contentType: 'application/json', body })
        : request.continue(),
    )
  }
  await page.setViewport({ width, height })
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }])
  await page.goto(address + state.query)
  try {
    await page.waitForFunction(state.until, patience)
    await page.evaluate(settled)
    if (state.shortcut) {
      await page.keyboard.down('Control')
      await page.keyboard.press(state.shortcut)
      await page.keyboard.up('Control')
    }
    if (state.press) await (await page.waitForSelector(state.press)).click()
    if (state.run) await page.evaluate(state.run)
    for (const [first, second] of state.keys ?? []) {
      await page.keyboard.down(first)
      if (second) await page.keyboard.press(second)
      await page.keyboard.up(first)
    }
    if (state.typed) {
      await page.waitForFunction(`document.activeElement?.matches('.side-search input')`, patience)
      await page.keyboard.type(state.typed)
    }
    if (state.type) await page.type('#request', `${state.type}\n`)
    if (state.after) await page.waitForFunction(state.after, patience)
  } catch (error) {
    fault(error.message)
  }
  if (state.open) await page.evaluate((at) => document.querySelector(at)?.setAttribute('open', ''), state.open)
  if (options.shots)
    await page.screenshot({ path: join(options.shots, `${label.replaceAll(' ', '-').replace('×', 'x')}.png`) })
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  if (wide > 0) fault(`scrolls sideways by ${wide} px`)
  await page.evaluate(axe)
  const { violations } = await page.evaluate(() => globalThis.axe.run(document.body, { resultTypes: ['violations'] }))
  for (const { id, help, nodes } of violations)
    fault(`${id}: ${help} (${nodes.map(({ target }) => target).join(', ')})`)
  await page.close()
}

try {
  await ready()
  if (options.shots) await mkdir(options.shots, { recursive: true })
  const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    userDataDir: profile,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  for (const state of chosen) {
    for (const size of sizes) {
      for (const theme of themes) {
        const before = faults.length
        await look(browser, state, size, theme)
        if (faults.length === before) passed++
      }
    }
  }
  await browser.close()
} finally {
  server.kill('SIGTERM')
  // The browser's last processes may still write into it.
  await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}
for (const fault of faults) process.stdout.write(`FAILED ${fault}\n`)
const all = chosen.length * sizes.length * themes.length
process.stdout.write(`${passed} passed, ${all - passed} failed\n`)
process.exitCode = passed === all ? 0 : 1
