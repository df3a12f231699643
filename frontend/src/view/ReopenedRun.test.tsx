// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import type { Runs } from '../run/runs'
import { type CallStanding, type RunView, reopenedRunView } from '../run/runView'
import { ReopenedRun } from './ReopenedRun'

afterEach(cleanup)

const none: string[] = []

/** A run that waits, and the way to its end. */
const reopened = (...ends: CallStanding[]) => {
  const calls = ends.map((_end, at) => ({ callId: `c${at}`, seq: at + 1, fn: 'orders.cancel', input: { id: at } }))
  let view: RunView = reopenedRunView({ runId: 'r', code: 'return 1', calls })
  let tell = (): void => {}
  const runs = {
    get: () => view,
    againOf: () => none,
    subscribe: (listener: () => void) => {
      tell = listener
      return () => {}
    },
  } as unknown as Runs
  render(
    <>
      <ReopenedRun opened={{ key: 'k', request: 'Cancel them.', code: 'return 1' }} runs={runs} />
      <label>
        Ask <input id="request" />
      </label>
    </>,
  )
  return (standing: RunView['standing']): void =>
    act(() => {
      const ended = view.calls.map((call, at) => ({ ...call, standing: ends[at] as CallStanding }))
      view = { ...view, standing, calls: ended }
      tell()
    })
}

it.each<[RunView['standing'], CallStanding[], string]>([
  ['ok', ['ok', 'ok'], 'That request is dealt with: of 2 calls that waited, 2 have run.'],
  ['ok', ['ok', 'rejected'], 'That request is dealt with: of 2 calls that waited, 1 has run and 1 was rejected.'],
  ['ok', ['rejected'], 'That request is dealt with: of 1 call that waited, 1 was rejected.'],
  [
    'error',
    ['ok', 'error', 'rejected'],
    'That request has ended: of 3 calls that waited, 1 has run, 1 was rejected and 1 has not succeeded.',
  ],
])('says what came of a request that waited: %s %j', (standing, ends, said) => {
  const end = reopened(...ends)
  expect(screen.getByRole('status').textContent).toBe('')
  end(standing)
  expect(screen.getByRole('status').textContent).toBe(`${said} Ask for something else below.`)
})

it('leads to the box to ask when it is over, unless the person is elsewhere', () => {
  const end = reopened('ok')
  expect(document.activeElement).toBe(document.body)
  end('ok')
  expect(document.activeElement?.id).toBe('request')
})
