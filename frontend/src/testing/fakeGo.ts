/** Go's operations over orders in memory, which remember what was asked of them. */

import { vi } from 'vitest'
import { ordersOf } from '../../dev/orders.mjs'
import { BridgeError } from '../bridge/bridgeError'
import type { Definition, Operations, Row, Verdicts } from '../bridge/operations'
import type { Tagged } from '../value/tagged'

export interface Order {
  id: number
  status: string
  total: number
  placed: string
}

export const definitions: Definition[] = (
  [
    ['orders.list', 'List orders', 'never'],
    ['orders.cancel', 'Cancel an order', 'always'],
  ] as const
).map(([name, title, approval]) => ({ name, title, description: '', approval, input: {}, output: {} }))

export const fakeGo = async (decide: (rows: Row[], signal?: AbortSignal) => Promise<Verdicts>, now = new Date()) => {
  /** What is kept of the runs that wait. */
  const kept = new Map<string, { request: string; rows: Row[]; code: string; continuation: Tagged; problem?: string }>()
  const begun = new Map<string, { request: string; code: string }>()
  const orders: Order[] = await ordersOf(now)
  const log: string[] = []
  const operations = {
    hello: vi.fn<Operations['hello']>(async () => ({ version: 'test', scene: null })),
    functions: vi.fn<Operations['functions']>(async () => definitions),
    runBegin: vi.fn<Operations['runBegin']>(async ({ runId, request, code }) => {
      begun.set(runId, { request, code })
      log.push('began')
    }),
    judge: vi.fn<Operations['judge']>(async (_fn, input) => typeof (input as { id?: unknown }).id === 'number'),
    call: vi.fn<Operations['call']>(async ({ fn, input }) => {
      const asked = input as { id?: number; status?: string; from?: string; to?: string }
      log.push(`${fn} ${asked.id ?? ''}`.trim())
      if (fn === 'orders.list') {
        return orders.filter(
          ({ status, placed }) =>
            status === asked.status && placed >= (asked.from ?? '') && placed <= (asked.to ?? '9'),
        )
      }
      const order = orders.find(({ id }) => id === asked.id)
      if (!order)
        throw new BridgeError('InvalidInput', `input.id: expected an integer, got ${JSON.stringify(asked.id)}`)
      order.status = 'cancelled'
      return { id: order.id, status: order.status }
    }),
    decide: vi.fn<Operations['decide']>(async (runId, rows, signal, continuation) => {
      const run = begun.get(runId)
      if (run && continuation !== undefined) kept.set(runId, { ...run, rows, continuation })
      log.push(`asked about ${rows.length}`)
      const verdicts = await decide(rows, signal)
      kept.delete(runId)
      return verdicts
    }),
    waiting: vi.fn<Operations['waiting']>(async () =>
      [...kept].map(([runId, { request, rows, problem }]) => ({
        runId,
        request,
        model: 'test',
        title: `Cancel ${rows.length} orders?`,
        calls: rows.length,
        since: new Date(Date.now() - 7_200_000).toISOString(),
        ...(problem === undefined ? {} : { problem }),
      })),
    ),
    waitingRead: vi.fn<Operations['waitingRead']>(async (runId) => {
      const run = kept.get(runId)
      if (!run) throw new BridgeError('NotWaiting', 'the run does not wait (any more)')
      return { runId, ...run }
    }),
    waitingDecide: vi.fn<Operations['waitingDecide']>(async (runId, signal) => {
      const run = kept.get(runId)
      if (!run) throw new BridgeError('NotWaiting', 'the run does not wait (any more)')
      log.push(`opened ${run.rows.length}`)
      const verdicts = await decide(run.rows, signal)
      kept.delete(runId)
      return verdicts
    }),
    waitingDismiss: vi.fn<Operations['waitingDismiss']>(async (runId) => {
      kept.delete(runId)
      log.push('dismissed')
    }),
    runEnd: vi.fn<Operations['runEnd']>(async ({ status }) => void log.push(`ended ${status}`)),
    transcript: vi.fn<Operations['transcript']>(async (kind, text) => void log.push(`${kind}: ${text}`)),
    sceneDone: vi.fn<Operations['sceneDone']>(async (status) => void log.push(`scene ${status}`)),
  }
  return { operations, orders, log, kept }
}

/** Verdicts for rows: those at these places are approved. */
export const approving =
  (...places: number[]) =>
  async (rows: Row[]): Promise<Verdicts> => ({
    approve: rows.filter((_row, at) => places.includes(at)).map(({ callId }) => callId),
    reject: rows.filter((_row, at) => !places.includes(at)).map(({ callId }) => callId),
    reasons: {},
  })
