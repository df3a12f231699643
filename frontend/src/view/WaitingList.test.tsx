// @vitest-environment happy-dom
import { cleanup, configure, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { BridgeError } from '../bridge/bridgeError'
import type { WaitingRun } from '../bridge/operations'
import { createRuns } from '../run/runs'
import { createWaitingRuns } from '../run/waiting'
import { approving, definitions, fakeGo } from '../testing/fakeGo'
import { fakeSandbox } from '../testing/fakeSandbox'
import { WaitingList } from './WaitingList'

configure({ asyncUtilTimeout: 20_000 })
afterEach(cleanup)

describe('a run whose file is damaged while the app shows it as waiting', () => {
  it('says so when it is opened, with what to do, and can be dismissed', async () => {
    const { operations } = await fakeGo(approving())
    const run: WaitingRun = {
      runId: 'r1',
      request: 'Cancel two orders.',
      model: 'm',
      title: 'Cancel 2 orders?',
      calls: 2,
      since: new Date().toISOString(),
    }
    const why = 'what was kept of the waiting run cannot be read: its checksum is wrong'
    let list = [run]
    operations.waiting.mockImplementation(async () => list)
    operations.waitingRead.mockImplementation(async () => {
      list = [{ ...run, problem: why }]
      throw new BridgeError('CannotResume', `this run cannot go on: ${why}; dismiss it`)
    })
    operations.waitingDismiss.mockImplementation(async () => {
      list = []
    })
    const runs = createRuns({ sandbox: fakeSandbox(), operations, definitions: () => definitions })
    render(<WaitingList waiting={createWaitingRuns(operations, runs)} runs={runs} />)

    const open = await screen.findByRole('button', { name: 'Open the card' })
    open.focus()
    fireEvent.click(open)
    expect((await screen.findByRole('alert')).textContent).toBe(`This run cannot go on: ${why}; dismiss it.`)
    await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'Open the card' })).toBeNull())
    expect(screen.getByText('Cancel two orders.')).toBeTruthy()
    expect(screen.queryByText(/^It cannot go on/)).toBeNull() // it is said once
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
    await vi.waitFor(() => expect(screen.queryByText('Cancel two orders.')).toBeNull())
    expect(operations.waitingDismiss).toHaveBeenCalledWith('r1')
  })
})
