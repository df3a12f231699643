import { createHash } from 'node:crypto'

// Looks at the frame document after its own script ran, and tells the page.
const HOOK = `<script>
  parent.postMessage({ hook: {
    rtc: typeof RTCPeerConnection,
    rtcPrefixed: typeof webkitRTCPeerConnection,
    handlers: typeof (window.webkit && window.webkit.messageHandlers),
    origin: self.origin,
  } }, '*')
</script>`

// Workers as an engine without blob workers in opaque frames has them.
const BROKEN = {
  throws: "self.Worker = class { constructor() { throw new DOMException('no workers here', 'SecurityError') } }",
  error: `self.Worker = class extends EventTarget {
    constructor() { super(); setTimeout(() => { const e = new Event('error'); this.dispatchEvent(e); this.onerror?.(e) }, 5) }
    postMessage() {}
    terminate() {}
  }`,
  silent: 'self.Worker = class extends EventTarget { postMessage() {} terminate() {} }',
}

// Tells the page what escapes or is compiled, in the frame and, put before the
// worker's source, in the worker.
const WATCH = `
  const compiler = (async () => {}).constructor
  const watch = (tell) => {
    addEventListener('error', (event) => tell({ escaped: String(event.message) }))
    addEventListener('unhandledrejection', (event) => tell({ escaped: String(event.reason) }))
    Object.defineProperty(compiler.prototype, 'constructor', {
      configurable: true,
      value: function AsyncFunction(text) {
        tell({ compiled: String(text) })
        return new compiler(text)
      },
    })
  }`
const WATCHED = `{${WATCH}
  watch((watched) => parent.postMessage({ watched }, '*'))
  const NativeBlob = Blob
  const before = '"use strict";{' + ${JSON.stringify(WATCH)} + ';const post = postMessage.bind(self);'
    + 'watch((watched) => post({ records: [{ watched }], buffers: [] }))};'
  self.Blob = class { constructor(parts, options) { return new NativeBlob([before, ...parts], options) } }
}`

// A worker that sends the frame what no harness sends.
const FLOOD = `{${WATCH}
  watch((watched) => parent.postMessage({ watched }, '*'))
  const NativeBlob = Blob
  const worker = ${JSON.stringify(`
    const junk = [undefined, null, 0, 1n, 'x', [], {}, { records: [1] }, { records: [1], buffers: [] }, { buffers: [] },
      { records: [{ type: 'end' }], buffers: 'x' }, { records: [1], buffers: [1] }, { records: [1], buffers: null },
      { records: [1], buffers: { length: 3 } }, { records: [1], buffers: [{}] }, { records: [1], buffers: new Map([[1, 2]]) },
      { records: [1], buffers: [new ArrayBuffer(1), null] }, { records: 1, buffers: [] }, { records: 'x', buffers: [] },
      { records: { length: 1 }, buffers: [] }, { records: new Array(33), buffers: [] }, new Error('e'), new Map(), { type: 'init', nonce: '' }]
    // A frame that went through these would take a second for each.
    postMessage({ records: new Array(1e8), buffers: [] })
    postMessage({ records: [1], buffers: new Array(1e8) })
    let left = 100000
    const some = () => {
      for (let i = 0; i < 1000; i++) postMessage(junk[(left - i) % junk.length])
      left -= 1000
      if (left) setTimeout(some)
      else postMessage({ records: ['last'], buffers: [] })
    }
    some()`)}
  self.Blob = class { constructor(parts, options) { return new NativeBlob([worker], options) } }
}`

const META = /<meta[^>]*content-security-policy[^>]*>/i

/**
 * The frame document as it should be served, and the ways in which it is
 * served wrong or meets an engine that cannot run it.
 *
 * @param {string} frame the text of dist/sandbox.html
 * @param {string} double the script of the hostile worker's double
 * @returns {(path: string) => { body: string, headers?: Record<string, string> } | undefined}
 */
export function frameDocuments(frame, double) {
  let flakyLoads = 0
  const unpoliced = frame.replace(META, '')
  return (path) => {
    const broken = /^\/sandbox-worker-(\w+)\.html$/.exec(path)?.[1]
    if (broken) return { body: withScript(frame, BROKEN[/** @type {keyof BROKEN} */ (broken)]) }
    switch (path) {
      case '/sandbox.html':
        return { body: frame, headers: { 'content-security-policy': policyOf(frame) } }
      case '/sandbox-meta-only.html':
        return { body: frame }
      case '/sandbox-open.html':
        return { body: unpoliced }
      case '/sandbox-hooked.html':
        return { body: unpoliced + HOOK }
      case '/sandbox-empty.html':
        return { body: '<!doctype html><title>not the frame</title>' }
      case '/sandbox-double.html':
        // Inline, since a module would be fetched with CORS from an opaque origin.
        return {
          body: `<!doctype html><script>const build = ${JSON.stringify(/name="build" content="(\w+)"/.exec(frame)?.[1])};${double}</script>`,
        }
      case '/sandbox-watched.html':
        return { body: withScript(frame, WATCHED) }
      case '/sandbox-flood.html':
        return { body: withScript(frame, FLOOD) }
      case '/sandbox-other-build.html':
        return { body: renamed(frame) }
      case '/sandbox-flaky/reset':
        flakyLoads = 0
        return { body: 'the next load of sandbox-flaky.html fails' }
      case '/sandbox-flaky.html':
        return { body: flakyLoads++ === 0 ? '<!doctype html>' : frame }
    }
  }
}

/** @param {string} frame @returns {string} the same frame document under another build's name, its script allowed by its hash */
function renamed(frame) {
  const name = /name="build" content="(\w+)"/.exec(frame)?.[1] ?? ''
  const text = frame.replaceAll(name, '00000000')
  const script = /<script>([\s\S]*)<\/script>/.exec(text)?.[1] ?? ''
  return text.replace(/sha256-[\w+/=]+/, `sha256-${createHash('sha256').update(script).digest('base64')}`)
}

/** @param {string} frame @returns {string} the policy that the frame document carries itself */
function policyOf(frame) {
  const policy = /content="([^"]*)"/i.exec(META.exec(frame)?.[0] ?? '')?.[1]
  if (!policy) {
    throw new Error(
      'expected dist/sandbox.html to carry its policy in a <meta http-equiv="Content-Security-Policy">; found none',
    )
  }
  return policy.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}

/**
 * The frame document with a script of ours before its own, allowed by its hash,
 * so that the policy stays what it is.
 *
 * @param {string} frame @param {string} script
 */
function withScript(frame, script) {
  const hash = createHash('sha256').update(script).digest('base64')
  return frame
    .replace(/script-src /, `script-src 'sha256-${hash}' `)
    .replace(/<script/, `<script>${script}</script><script`)
}
