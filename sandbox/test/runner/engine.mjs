import { startChromium } from './engines/chromium.mjs'
import { startFirefox } from './engines/firefox.mjs'
import { startWebKit } from './engines/webkit.mjs'

/**
 * A browser that can show one test page at a time.
 *
 * @typedef {{
 *   root: number,
 *   webProcess: RegExp,
 *   open(url: string, onConsole: (line: string) => void): Promise<() => Promise<unknown>>,
 *   collect?(): Promise<number>,
 *   close(): Promise<unknown>,
 * }} Engine
 *   root: process id of the browser; webProcess: what the command line of the
 *   processes that run web content looks like; collect: makes the engine collect
 *   garbage and gives what the heap of the page and its frames then holds, in
 *   bytes, where an engine can be told to
 */

/** @type {Record<string, () => Promise<Engine>>} */
export const ENGINES = { webkit: startWebKit, chromium: startChromium, firefox: startFirefox }
