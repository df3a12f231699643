// An Executor of @cloudflare/codemode that runs in the sandbox.
//
// The core shows functions as sdk.provider.fn, with one input each. A setup
// text before the program makes the namespaces that codemode promises: it
// takes `sdk` away, defines each provider as a global whose functions pass the
// list of their arguments as the one input, and runs the providers' preludes.
// It stands on the program's first line, so that line numbers stay, and is
// evaluated apart, so that no stack shows its frames as the program's.

import type { Executor, ResolvedProvider } from '@cloudflare/codemode/browser'
import { type FunctionMap, type Sandbox, toToolOutput } from '../index.js'
import { type AdapterApproval, runAsking } from './ask/approval.js'
import { type Marks, makeMarker } from './ask/marks.js'
import { isReserved, safeName } from './codemode/names.js'

export type { AdapterApproval, CardContext } from './ask/approval.js'
export type { Marks } from './ask/marks.js'

export interface ExecutorOptions {
  /** What happens to marked calls; `{ mode: 'deny' }` when absent. */
  approval?: AdapterApproval | undefined
  /** The marked functions: `'codemode.deleteThing'`, or `'deleteThing'` in every provider. */
  marks?: Marks | undefined
}

type Fn = (...args: unknown[]) => unknown
type Provider = Pick<ResolvedProvider, 'name' | 'prelude'> & { fns: Record<string, Fn> }

const identifier = /^[a-z_$][\w$]*$/i

const functionsOf = (providers: readonly Provider[], marks: Marks | undefined): FunctionMap => {
  const functions: FunctionMap = {}
  const marker = makeMarker(marks)
  const seen = new Set<string>()
  const refuse = (why: string): never => {
    throw new TypeError(why)
  }
  for (const { name, fns } of providers) {
    if (isReserved(name)) refuse(`Provider name "${name}" is reserved`)
    if (!identifier.test(name)) refuse(`Provider name "${name}" is not a valid JavaScript identifier`)
    if (seen.has(name)) refuse(`Duplicate provider name "${name}"`)
    seen.add(name)
    const raw = new Map<string, string>()
    for (const [given, fn] of Object.entries(fns)) {
      const safe = safeName(given)
      if (raw.has(safe))
        refuse(`Tool names "${raw.get(safe)}" and "${given}" both sanitize to "${safe}" in provider "${name}"`)
      raw.set(safe, given)
      if (typeof fn !== 'function') refuse(`Tool "${given}" in provider "${name}" is not a function`)
      const full = `${name}.${safe}`
      functions[full] = marker.entry([full, safe, `${name}.${given}`, given], fn, (args: unknown[]) => fn(...args))
    }
  }
  marker.check()
  return functions
}

// Not named, since the core looks for it in a program's text to tell whose code an engine means.
const evaluate = '(0,globalThis["ev"+"al"])'

const setupOf = (providers: readonly Provider[]): string => {
  const namespaces = `const s=sdk;delete globalThis.sdk;for(const n of ${JSON.stringify(providers.map(({ name }) => name))}){const o=globalThis[n]={__proto__:null};for(const k in s[n])o[k]=(...a)=>s[n][k](a)}`
  const preludes = providers
    .filter(({ prelude }) => prelude)
    .map(
      ({ name, prelude }) =>
        `try{await ${evaluate}(${JSON.stringify(`(async()=>{${prelude}\n})()`)})}catch(e){throw Error(${JSON.stringify(`The prelude of provider "${name}" failed: `)}+e)}`,
    )
  return `await ${evaluate}(${JSON.stringify(`(async()=>{${[namespaces, ...preludes].join(';')}})()`)});`
}

const gap = /\s*(?:\/\/.*|\/\*[\s\S]*?\*\/)?/y
const head = /(?:async\b\s*)?function\b|async\b|\(|[\w$]+\s*=>/y

/**
 * The program with its setup. The package hands over one function expression,
 * which is called; any other text runs as the body of a function.
 */
const programOf = (code: string, setup: string): string => {
  // Step by step: on a hostile text one pattern for all the comments could take for ever.
  for (let at = -1; at < gap.lastIndex; ) {
    at = gap.lastIndex
    gap.test(code)
  }
  head.lastIndex = gap.lastIndex
  gap.lastIndex = 0
  const start = head.exec(code)?.[0]
  head.lastIndex = 0
  const expression = start?.endsWith('function') ? code.trimEnd().endsWith('}') : start
  return (
    setup + (expression ? `const __program=${code}\n;return typeof __program=="function"?__program():__program` : code)
  )
}

/**
 * Makes an Executor for `createBrowserCodeTool`, or `createCodeTool` of
 * `@cloudflare/codemode/tanstack-ai`. It never throws: every failure is the
 * `error` of its result. While marked calls wait for a person, `result` is
 * `{ status: 'pending', pending: [{ fn, input, waits }] }`.
 * `input` of a call is the list of its arguments, on the card too.
 */
export const asExecutor = (sandbox: Sandbox, { approval, marks }: ExecutorOptions = {}): Executor => ({
  async execute(code, providersOrFns) {
    try {
      const providers: Provider[] = Array.isArray(providersOrFns)
        ? providersOrFns
        : [{ name: 'codemode', fns: providersOrFns }]
      const functions = functionsOf(providers, marks)
      const result = await runAsking(sandbox, { code: programOf(code, setupOf(providers)), functions }, approval)
      const logs = result.logs.map(({ level, text }) =>
        level === 'warn' || level === 'error' ? `[${level}] ${text}` : text,
      )
      if (result.status === 'ok') return { result: result.value, logs }
      if (result.status === 'pending') return { result: toToolOutput({ ...result, logs: [] }), logs }
      return { result: undefined, error: result.error.message.replace(/\bsdk\./g, ''), logs }
    } catch (error) {
      return { result: undefined, error: `${(error as Error)?.message ?? error}`, logs: [] }
    }
  },
})
