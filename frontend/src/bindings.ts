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
  return { send: (envelope) => message()?.postMessage(envelope) ?? call(envelope), secret }
}
