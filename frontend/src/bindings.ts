/**
 * The page's side of what Wails binds. The only file that knows window.go.
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
  }
}

/** The app behind this page, or undefined when there is none: in a plain browser. */
export const connect = (page: Window = window): Connection | undefined => {
  const call = page.go?.bridge?.Bridge?.Call
  const secret = page.document.querySelector<HTMLMetaElement>('meta[name="countersign-secret"]')?.content
  return call && secret ? { send: (envelope) => call(envelope), secret } : undefined
}
