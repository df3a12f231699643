/**
 * The page's side of what Wails binds. The only file that knows window.go.
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
  }
}

/** The app behind this page, or undefined when there is none: in a plain browser. */
export const connect = (page: Window = window): Connection | undefined => {
  const call = page.go?.bridge?.Bridge?.Call
  const secret = page.document.querySelector<HTMLMetaElement>('meta[name="countersign-secret"]')?.content
  return call && secret ? { send: (envelope) => call(envelope), secret, soon: taskQueue(page) } : undefined
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
