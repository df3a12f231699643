import type { Runner } from '../runner.js'

/** It has no way to stop a program. */
export const timeout = { ms: 30_000 }

interface Realm extends Window {
  run(code: string, host: (input: unknown) => unknown): Promise<unknown>
}

/** lockdown() changes a realm for good, so it gets a frame of its own origin and not the bench's page. */
export const runner: Runner = {
  name: 'ses',
  kind: 'peer',
  open: async () => {
    const frame = document.createElement('iframe')
    frame.hidden = true
    frame.src = '/peers/ses.html'
    const loaded = new Promise((resolve) => {
      frame.onload = resolve
    })
    document.body.append(frame)
    await loaded
    const realm = frame.contentWindow as Realm
    return {
      ready: async () => {},
      run: (code, host) => realm.run(code, host),
      close: () => frame.remove(),
    }
  },
}
