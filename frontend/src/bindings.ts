/**
 * The page's side of what Go offers it: what Wails binds, and on Linux the engine's
 * own message, which takes three quarters of the time. The only file that knows
 * window.go and window.webkit.
 */

/** Sends one envelope and gives what came back. */
export type Send = (envelope: string) => Promise<string>

export interface Connection {
  send: Send
  /** Proves to Go that a request comes from this page: every start has its own. */
  secret: string
  /** Does something in a task of its own, behind those that are queued already; at once where it is missing. */
  soon?(act: () => void): void
}

declare global {
  interface Window {
    go?: { bridge?: { Bridge?: { Call?: Send } } }
    webkit?: { messageHandlers?: { countersign?: { postMessage: Send } } }
  }
}

/** The app behind this page, or undefined when there is none: in a plain browser. */
export const connect = (page: Window = window): Connection | undefined => {
  const call = page.go?.bridge?.Bridge?.Call
  const secret = page.document.querySelector<HTMLMetaElement>('meta[name="countersign-secret"]')?.content
  if (!call || !secret) return undefined
  // The shell offers it a moment after the page may have begun.
  const message = () => page.webkit?.messageHandlers?.countersign
  return { send: (envelope) => message()?.postMessage(envelope) ?? call(envelope), secret, soon: taskQueue(page) }
}

/**
 * A message to oneself takes WebKitGTK 10 µs, where a MessagePort takes 100 and a
 * timer four milliseconds.
 */
const taskQueue = (page: Window): ((act: () => void) => void) => {
  const mark = 'countersign: soon'
  const acts: (() => void)[] = []
  page.addEventListener('message', ({ source, data }) => {
    if (source === page && data === mark) acts.shift()?.()
  })
  return (act) => {
    acts.push(act)
    page.postMessage(mark, page.location.origin)
  }
}
