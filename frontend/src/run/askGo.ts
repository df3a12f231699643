import type { Decisions, PendingCall } from '@faustine-ai/browser-sandbox'
import { BridgeError } from '../bridge/bridgeError'
import type { Operations, Row, Verdicts } from '../bridge/operations'
import { encode } from '../value/encode'
import { maxContinuationBytes, type Tagged } from '../value/tagged'

/**
 * Has the person decide calls that wait, through Go. What Go did not approve by
 * name is rejected. With a continuation Go keeps what another page would need to
 * go on; where it cannot, the person is told, and is asked all the same.
 *
 * Rejects only when the signal fires: then nothing is decided.
 */
export const askGo = async (
  operations: Operations,
  { runId, continuation }: { runId: string; continuation?: unknown },
  pending: PendingCall[],
  signal: AbortSignal,
  notice: (text: string) => void,
): Promise<Decisions> => {
  const ids = pending.map(({ callId }) => callId)
  const lost = (error: unknown): undefined =>
    void notice(`If the app closed now, this would not wait for you: ${textOf(error)}`)
  try {
    const rows: Row[] = await Promise.all(
      pending.map(async ({ callId, seq, fn, input, line }) => ({
        callId,
        seq,
        fn,
        input: await encode(input),
        ...(line === undefined ? {} : { line }),
      })),
    )
    const kept: Tagged | undefined =
      continuation === undefined
        ? undefined
        : await encode(continuation, 'continuation', maxContinuationBytes).catch(lost)
    const verdicts = await operations.decide(runId, rows, signal, kept).catch((error: unknown) => {
      if (!(error instanceof BridgeError) || error.code !== 'CannotWait') throw error
      lost(error)
      return operations.decide(runId, rows, signal)
    })
    return decisionsOf(verdicts, ids)
  } catch (error) {
    signal.throwIfAborted()
    const why = textOf(error)
    // A card was shown and decided on in vain; what Go says of it begins with that.
    const decided = error instanceof BridgeError && error.code === 'NotRecorded'
    notice(decided ? sentence(why) : `Nobody could be asked, so nothing was approved: ${why}`)
    return { approve: [], reject: ids, reasons: Object.fromEntries(ids.map((id) => [id, why])) }
  }
}

/** Go's verdicts on these calls: what it did not approve by name is rejected. */
export const decisionsOf = (
  { approve, reasons }: Verdicts,
  ids: string[],
): { approve: string[]; reject: string[]; reasons: Record<string, string> } => {
  const reject = ids.filter((id) => !approve.includes(id))
  return {
    approve: ids.filter((id) => approve.includes(id)),
    reject,
    reasons: Object.fromEntries(Object.entries(reasons).filter(([id]) => reject.includes(id))),
  }
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
