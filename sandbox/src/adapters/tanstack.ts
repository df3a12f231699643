// An IsolateDriver of @tanstack/ai-code-mode that runs in the sandbox.
//
// Code mode calls flat globals, named by the keys of its bindings. The core
// shows functions under `sdk`, so the first line of the program, before its
// own text, copies them to the global object.

import type { ExecutionResult, IsolateContext, IsolateDriver, NormalizedError } from '@tanstack/ai-code-mode'
import { defineFunctions, type FunctionMap, type Result, type Sandbox, toToolOutput } from '../index.js'
import { type AdapterApproval, runAsking } from './ask/approval.js'
import { type Marks, makeMarker } from './ask/marks.js'

export type { AdapterApproval, CardContext } from './ask/approval.js'
export type { Marks } from './ask/marks.js'

export interface DriverOptions {
  /** What happens to marked calls; `{ mode: 'deny' }` when absent. */
  approval?: AdapterApproval | undefined
  /**
   * The marked functions: `'deleteThing'` or `'external_deleteThing'`, or the
   * tools themselves, which marks those that declare `needsApproval`.
   */
  marks?: Marks | undefined
}

const disposed: NormalizedError = { name: 'DisposedError', message: 'This context has been disposed.' }

const errorOf = (result: Exclude<Result, { status: 'ok' | 'pending' }>, setup: string): NormalizedError => {
  const { name, message, stack } = result.error as { name: string; message: string; stack?: string }
  // Where the setup stands before it, the first line's columns are too large.
  const own = stack?.replace(
    /(at line 1:)(\d+)/g,
    (_, place: string, column: string) => place + (Number(column) - setup.length),
  )
  const error: NormalizedError = {
    name,
    message: message.replace(`${name}: `, '').replace(/\bsdk\./g, ''),
    ...(own ? { stack: own } : {}),
  }
  if (result.status !== 'limit') return error
  const { limit } = result.error
  return { ...error, name: limit === 'wallClockMs' || limit === 'busyMs' ? 'TimeoutError' : name, code: limit }
}

/**
 * Makes an IsolateDriver for `createCodeMode`. `timeout` becomes the limit
 * `wallClockMs`, which does not count the time people take; `memoryLimit` has
 * no effect, because no browser limits a Worker's memory. While marked calls
 * wait for a person, the value is `{ status: 'pending', pending: [{ fn, input, waits }] }`.
 */
export const asIsolateDriver = (sandbox: Sandbox, { approval, marks }: DriverOptions = {}): IsolateDriver => ({
  async createContext({ bindings, timeout }): Promise<IsolateContext> {
    const map: FunctionMap = Object.create(null)
    const marker = makeMarker(marks)
    let setup = 'Object.assign(globalThis,sdk);'
    for (const [key, binding] of Object.entries(bindings)) {
      let safe = key.replace(/[^\w$]/g, '_').replace(/^\d/, '_$&')
      while (safe in map) safe += '_'
      // A tool's name need not be an identifier; its global is still there by its own name.
      if (safe !== key) setup += `globalThis[${JSON.stringify(key)}]=sdk.${safe};`
      map[safe] = marker.entry([key, binding.name, key.replace(/^external_/, '')], binding, (input) =>
        binding.execute(input),
      )
    }
    marker.check()
    const functions = defineFunctions(map)
    const end = new AbortController()
    const limits = timeout === undefined ? {} : { wallClockMs: timeout }

    const run = async (code: string): Promise<ExecutionResult> => {
      if (end.signal.aborted) return { success: false, error: disposed, logs: [] }
      try {
        const result = await runAsking(sandbox, { code: setup + code, functions, limits }, approval, end.signal)
        const logs = result.logs.map(({ level, text }) =>
          level === 'log' || level === 'debug' ? text : `${level.toUpperCase()}: ${text}`,
        )
        if (end.signal.aborted) return { success: false, error: disposed, logs }
        if (result.status === 'ok') return { success: true, value: result.value, logs }
        if (result.status === 'pending') return { success: true, value: toToolOutput({ ...result, logs: [] }), logs }
        return { success: false, error: errorOf(result, setup), logs }
      } catch (error) {
        const { name, message } = error as Error
        return { success: false, error: { name, message }, logs: [] }
      }
    }
    let last: Promise<unknown> = Promise.resolve()
    return {
      execute<T>(code: string) {
        const turn = last.then(() => run(code))
        last = turn
        return turn as Promise<ExecutionResult<T>>
      },
      async dispose() {
        end.abort(new DOMException(disposed.message, 'AbortError'))
      },
    }
  },
})
