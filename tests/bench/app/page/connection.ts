// The app's page with its view left out: the same bridge, the same functions, the
// same sandbox.

import { createSandbox, type Result, type Sandbox } from '@faustine-ai/browser-sandbox'
import { connect } from '../../../../frontend/src/bindings'
import { createBridge } from '../../../../frontend/src/bridge/bridge'
import { createCarrier } from '../../../../frontend/src/bridge/carrier'
import {
  createOperations,
  type Definition,
  type Operations,
  type Verdicts,
} from '../../../../frontend/src/bridge/operations'
import { functionsOf } from '../../../../frontend/src/run/functions'
import { encode } from '../../../../frontend/src/value/encode'

export interface Page {
  operations: Operations
  sandbox: Sandbox
  /** Runs a program as the app's page does, in collect mode; `mark` is a function of this page alone. */
  run(code: string, mark?: (what: unknown) => unknown): Promise<Ended>
}

export interface Ended {
  result: Result
  /** When Go had decided the calls that waited, as performance.now() counts; 0: nothing waited. */
  decidedAt: number
}

export const openPage = async (): Promise<Page> => {
  const connection = connect()
  if (!connection) throw new Error('expected the app behind this page; there is none')
  const operations = createOperations(createBridge(connection), createCarrier(connection.secret))
  await operations.hello()
  const definitions: Definition[] = await operations.functions()
  const sandbox = createSandbox({ frame: { url: '/sandbox.html' }, warm: 2, limits: { calls: 5_000 } })
  const run = async (code: string, mark: (what: unknown) => unknown = () => {}): Promise<Ended> => {
    let begun: Promise<void> | undefined
    const functions = { ...functionsOf(definitions, operations, () => begun ?? Promise.resolve()), mark }
    let result = await sandbox.run({
      code,
      functions,
      approval: { mode: 'collect' },
      onEvent: (event) => {
        begun ??= operations.runBegin({ runId: event.runId, request: 'bench', code, model: 'bench' })
      },
    })
    let decidedAt = 0
    while (result.status === 'pending') {
      await begun
      const rows = await Promise.all(
        result.pending.map(async ({ callId, seq, fn, input }) => ({ callId, seq, fn, input: await encode(input) })),
      )
      const verdicts: Verdicts = await operations.decide(result.runId, rows)
      decidedAt = performance.now()
      result = await result.resume(verdicts)
    }
    await begun
    const { runId, status } = result
    await operations.runEnd({ runId, status, ...(result.status === 'ok' ? {} : { error: result.error }) })
    return { result, decidedAt }
  }
  return { operations, sandbox, run }
}

/** The value of a run that ended well. */
export const endedOk = ({ result }: Ended): unknown => {
  if (result.status === 'ok') return result.value
  throw new Error(
    `expected a run that ends ok; it ended as ${result.status}: ${JSON.stringify('error' in result ? result.error : '')}`,
  )
}
