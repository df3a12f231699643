import { IframeSandboxExecutor } from '@cloudflare/codemode/browser'
import type { Runner } from '../runner.js'

/** How long a program may run, in ms; the row on stopping sets it. */
export const timeout = { ms: 30_000 }

export const runner: Runner = {
  name: '@cloudflare/codemode',
  kind: 'peer',
  open: async () => {
    const executor = new IframeSandboxExecutor({ timeout: timeout.ms })
    return {
      ready: async () => {},
      run: async (code, host) => {
        const answer = await executor.execute(`async () => { const host = codemode.host; ${code}\n}`, {
          host: async (input) => host(input),
        })
        if (answer.error) throw new Error(answer.error)
        return answer.result
      },
      close: () => {},
    }
  },
}
