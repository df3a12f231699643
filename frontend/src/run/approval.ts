import type { CodeToolApproval } from '@faustine-ai/browser-sandbox/ai'
import type { Operations } from '../bridge/operations'
import { askGo } from './askGo'
import type { RunWatcher } from './runProgram'

/**
 * When the person is asked. `each`: the program stops at each marked call;
 * `batch`: what it can make without seeing results is decided together;
 * `never`: marked calls are refused, and nobody is asked.
 */
export type ApprovalMode = 'each' | 'batch' | 'never'

/** How the sandbox asks. Go shows the card and decides in every mode; `run` is known once it has begun. */
export const approvalOf = (
  mode: ApprovalMode,
  operations: Operations,
  run: () => Promise<string>,
  on: RunWatcher,
): CodeToolApproval => {
  switch (mode) {
    case 'never':
      return { mode: 'deny' }
    case 'each':
      return {
        mode: 'pause',
        onApproval: async ({ signal, ...call }) => {
          on.waiting([call])
          const runId = await run()
          // A paused program has nothing that another page could go on from.
          const decisions = await askGo(operations, { runId }, [call], signal, on.notice)
          const { approve, reasons } = decisions as { approve: string[]; reasons: Record<string, string> }
          if (approve.includes(call.callId)) return 'approve'
          const reason = reasons[call.callId]
          return { decision: 'reject', ...(reason === undefined ? {} : { reason }) }
        },
      }
    case 'batch':
      return {
        mode: 'collect',
        onApproval: async (pending, { result, signal }) => {
          on.waiting(pending)
          await run()
          return askGo(operations, result, pending, signal, on.notice)
        },
      }
  }
}
