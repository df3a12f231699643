// How an adapter asks: the host's card in front of a run that a package's own
// tool started. The packages know no approval, so it lives here, by name.

import type {
  ApprovalRequest,
  Decisions,
  PendingCall,
  PendingResult,
  Result,
  RunOptions,
  Sandbox,
} from '../../index.js'

/** What a card in `collect` mode may need besides the rows. */
export interface CardContext {
  /** The pending result: keep it to decide later with `result.resume(decisions)`. */
  result: PendingResult
  /** Fires when nobody waits for the answer any more. */
  signal: AbortSignal
}

/** What happens to marked calls. */
export type AdapterApproval =
  /** A marked call throws ApprovalRejected into the program. */
  | { mode?: 'deny' }
  /** The program stops at each marked call; only the answer 'approve' approves. */
  | { mode: 'pause'; onApproval: (request: ApprovalRequest) => unknown }
  /**
   * Marked calls wait together. The card answers with decisions, again for each
   * round; without a card, or when it answers nothing, the model reads that
   * they wait, and none has run. A card that throws rejects them all.
   */
  | {
      mode: 'collect'
      onApproval?: (
        pending: PendingCall[],
        context: CardContext,
      ) => Decisions | undefined | Promise<Decisions | undefined>
    }

/** Runs a program and asks the card until nothing waits, or nobody answers. */
export const runAsking = async (
  sandbox: Sandbox,
  options: RunOptions,
  approval: AdapterApproval = {},
  signal = new AbortController().signal,
): Promise<Result> => {
  const collect = approval.mode === 'collect'
  let result = await sandbox.run({ ...options, signal, approval: collect ? { mode: 'collect' } : approval })
  const gone = new Promise<undefined>((leave) => signal.addEventListener('abort', () => leave(undefined)))
  while (collect && approval.onApproval && result.status === 'pending' && !signal.aborted) {
    const { pending } = result
    let decisions: Decisions | undefined
    try {
      decisions = await Promise.race([approval.onApproval(pending, { result, signal }), gone])
    } catch (error) {
      decisions = {
        all: 'reject',
        reasons: Object.fromEntries(pending.map(({ callId }) => [callId, `the card failed (${error})`])),
      }
    }
    if (!decisions || signal.aborted) break
    result = await result.resume(decisions)
  }
  return result
}
