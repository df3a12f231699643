/** Go's operations over orders in memory, which remember what was asked of them. */

import { vi } from 'vitest'
import { ordersOf } from '../../dev/orders.mjs'
import { BridgeError } from '../bridge/bridgeError'
import type { Definition, Operations, Row, Verdicts } from '../bridge/operations'

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
  const orders: Order[] = await ordersOf(now)
  const log: string[] = []
  const operations = {
    hello: vi.fn<Operations['hello']>(async () => ({ version: 'test', scene: null })),
    functions: vi.fn<Operations['functions']>(async () => definitions),
    runBegin: vi.fn<Operations['runBegin']>(async () => void log.push('began')),
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
    decide: vi.fn<Operations['decide']>(async (_runId, rows, signal) => {
      log.push(`asked about ${rows.length}`)
      return decide(rows, signal)
    }),
    runEnd: vi.fn<Operations['runEnd']>(async ({ status }) => void log.push(`ended ${status}`)),
    transcript: vi.fn<Operations['transcript']>(async (kind, text) => void log.push(`${kind}: ${text}`)),
    sceneDone: vi.fn<Operations['sceneDone']>(async (status) => void log.push(`scene ${status}`)),
  }
  return { operations, orders, log }
}

/** Verdicts for rows: those at these places are approved. */
export const approving =
  (...places: number[]) =>
  async (rows: Row[]): Promise<Verdicts> => ({
    approve: rows.filter((_row, at) => places.includes(at)).map(({ callId }) => callId),
    reject: rows.filter((_row, at) => !places.includes(at)).map(({ callId }) => callId),
    reasons: {},
  })
