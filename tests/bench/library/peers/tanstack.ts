import { createQuickJSIsolateDriver } from '@tanstack/ai-isolate-quickjs'
import type { Runner } from '../runner.js'

/** How long a program may run, in ms; the row on stopping sets it. */
export const timeout = { ms: 30_000 }

export const runner: Runner = {
  name: '@tanstack/ai-isolate-quickjs',
  kind: 'peer',
  open: async () => {
    const driver = createQuickJSIsolateDriver({ timeout: timeout.ms })
    return {
      ready: async () => {},
      run: async (code, host) => {
        const context = await driver.createContext({
          timeout: timeout.ms,
          bindings: {
            external_host: {
              name: 'external_host',
              description: 'Answers what it is given',
              inputSchema: {},
              execute: async (input) => host(input),
            },
          },
        })
        try {
          const answer = await context.execute(`const host = external_host; ${code}`)
          if (!answer.success) throw new Error(answer.error?.message ?? 'it failed and gave no reason')
          return answer.value
        } finally {
          await context.dispose()
        }
      },
      close: () => {},
    }
  },
}
