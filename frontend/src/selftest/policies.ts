import type { Bench, Check } from './check'
import { alone } from './check'

const directives = (policy: string | null | undefined): Record<string, string> =>
  Object.fromEntries(
    (policy ?? '')
      .split(';')
      .map((part) => part.trim())
      .filter(Boolean)
      .map((part) => [part.split(' ')[0] ?? '', part.slice(part.indexOf(' ') + 1)]),
  )

/** What the frame's policy has to say; the hash differs from build to build. */
const wanted = {
  'default-src': "'none'",
  'connect-src': "'none'",
  'form-action': "'none'",
  'base-uri': "'none'",
  'worker-src': 'blob:',
  'script-src': 'a hash and eval',
}

const strictness = (policy: string | null | undefined): unknown => {
  const { 'script-src': script, ...rest } = directives(policy)
  const hashed = /^'sha256-[\w+/]{43}=' 'unsafe-eval'$/.test(script ?? '')
  return { ...rest, 'script-src': hashed ? 'a hash and eval' : (script ?? 'missing') }
}

const frameDocument = async (): Promise<Response> => {
  const response = await fetch('/sandbox.html')
  if (!response.ok) throw new Error(`/sandbox.html answered ${response.status}`)
  return response
}

/** The live frames that programs run in. */
const frames = async (bench: Bench): Promise<HTMLIFrameElement[]> => {
  await alone(bench, 'return 1') // so that there is one
  const all = [...document.querySelectorAll('iframe')]
  if (all.length === 0) throw new Error('expected a frame in the page, found none')
  return all
}

/** What is so of each frame, or all that is where they differ. */
const ofEach = async (bench: Bench, look: (frame: HTMLIFrameElement) => unknown): Promise<unknown> => {
  const seen = [...new Set((await frames(bench)).map(look))]
  return seen.length === 1 ? seen[0] : seen
}

const check = (claim: string, tried: string, expected: unknown, run: Check['run']): Check => ({
  group: 'policy',
  claim,
  tried,
  expected,
  run,
})

export const policies: Check[] = [
  check('the frame’s policy is in force as a response header', 'the header of /sandbox.html', wanted, async () =>
    strictness((await frameDocument()).headers.get('content-security-policy')),
  ),
  check('the same policy stands in the document', 'the first <meta> of /sandbox.html', wanted, async () => {
    const text = await (await frameDocument()).text()
    const meta = new DOMParser().parseFromString(text, 'text/html').querySelector('meta[http-equiv]')
    return strictness(meta?.getAttribute('content'))
  }),
  check('the policy stands before any script', 'the order of /sandbox.html', true, async () => {
    const text = await (await frameDocument()).text()
    const [meta, script] = [text.indexOf('Content-Security-Policy'), text.indexOf('<script')]
    return meta > 0 && meta < script
  }),
  check(
    'every live frame is sandboxed with allow-scripts and nothing else',
    'their attributes',
    'allow-scripts',
    (bench) => ofEach(bench, (live) => live.getAttribute('sandbox')),
  ),
  check('every live frame has an origin of its own', 'their documents, from the page', 'out of reach', (bench) =>
    ofEach(bench, (live) => {
      if (live.contentDocument !== null) return 'within reach'
      try {
        return `within reach: ${live.contentWindow?.document.title}`
      } catch {
        return 'out of reach'
      }
    }),
  ),
  check('every live frame loads the one document', 'their addresses', '/sandbox.html', (bench) =>
    ofEach(bench, (live) => live.getAttribute('src')),
  ),
  check(
    'the page’s own policy is in force',
    'the header of /',
    { scripts: "'self'", default: "'none'", connect: "'self'" },
    async () => {
      const policy = directives((await fetch('/')).headers.get('content-security-policy'))
      return { scripts: policy['script-src'], default: policy['default-src'], connect: policy['connect-src'] }
    },
  ),
  check('the page compiles no text', 'a function made from text, in the page', 'refused', async () => {
    try {
      return `ran: ${(() => {}).constructor('return 1')()}`
    } catch {
      return 'refused'
    }
  }),
  check('a script written into the page does not run', 'a sandboxed srcdoc frame with a script', 'silent', async () => {
    const trap = document.createElement('iframe')
    trap.setAttribute('sandbox', 'allow-scripts')
    trap.hidden = true
    trap.srcdoc = '<script>parent.postMessage("ran", "*")</script>'
    let said = 'silent'
    const listen = (event: MessageEvent): void => {
      if (event.source === trap.contentWindow) said = String(event.data)
    }
    addEventListener('message', listen)
    try {
      await new Promise((resolve) => {
        trap.addEventListener('load', resolve, { once: true })
        document.body.append(trap)
      })
      // What the script posted before the load event is delivered by now.
      await new Promise((resolve) => setTimeout(resolve, 0))
      return said
    } finally {
      removeEventListener('message', listen)
      trap.remove()
    }
  }),
]
