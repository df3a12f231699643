import { createSandbox, type Limits, type Result, type SandboxOptions } from '@faustine-ai/browser-sandbox'
import { delay, type Opened, type Runner, restMs } from '../runner.js'

/** Wide enough for every row; the cap on calls in flight stays what it is. */
export const limits: Partial<Limits> = { calls: 5_000, inputBytes: 8_000_000, outputBytes: 8_000_000 }

/** The value of a run that ended well. */
export const endedOk = (result: Result): unknown => {
  if (result.status === 'ok') return result.value
  throw new Error(
    `expected a run that ends ok; it ended as ${result.status}: ${JSON.stringify(result.status === 'pending' ? '' : result.error)}`,
  )
}

interface Ours {
  name?: string
  options?: SandboxOptions
  collect?: boolean
}

export const ours = ({ name = 'countersign', options, collect = false }: Ours = {}): Runner => ({
  name,
  kind: 'ours',
  open: async (): Promise<Opened> => {
    const sandbox = createSandbox({ frame: { url: '/sandbox.html' }, limits, ...options })
    const spares = typeof options?.warm === 'number' ? options.warm : options?.warm ? 1 : 0
    return {
      ready: () => delay(spares > 0 ? restMs + 40 * (spares - 1) : 0),
      run: async (code, host) =>
        endedOk(
          await sandbox.run({
            code: `const host = sdk.host; ${code}`,
            functions: { host },
            approval: { mode: collect ? 'collect' : 'deny' },
          }),
        ),
      close: () => sandbox.dispose(),
    }
  },
})

export const cold = ours()
export const coldSrcdoc = ours({ name: 'countersign, srcdoc', options: { frame: { srcdoc: true } } })
export const warm = ours({ options: { warm: true } })
export const collecting = ours({ name: 'countersign, collect mode', options: { warm: true }, collect: true })
