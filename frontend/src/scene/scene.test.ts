import { describe, expect, it, vi } from 'vitest'
import type { Operations } from '../bridge/operations'
import { newRunView } from '../run/runView'
import type { WaitingRuns, WaitingState } from '../run/waiting'
import { until } from '../testing/until'
import { reopenFirst } from './reopenFirst'
import { createScenePlayer } from './scene'

const operations = () =>
  ({ transcript: vi.fn(async () => {}), sceneDone: vi.fn(async () => {}) }) as unknown as Operations

const scene = { name: 'restart', request: 'Do it.', auto: true }
const ended = { ...newRunView('return 1'), standing: 'ok' as const }

describe('a scene', () => {
  it('asks once, and is over when nothing more comes', async () => {
    const go = operations()
    const player = createScenePlayer(go, scene)
    const ask = vi.fn()
    const told = vi.fn()
    player.subscribe(told)
    player.rest()
    expect(player.over()).toBe(false) // it has not begun
    player.play(ask)
    player.play(ask)
    expect(ask).toHaveBeenCalledTimes(1)
    player.runs.ended(ended)
    expect(player.over()).toBe(false) // the model is asked again
    player.rest()
    player.rest()
    expect(player.over()).toBe(true)
    expect(told).toHaveBeenCalledTimes(1)
    await until(() => vi.mocked(go.sceneDone).mock.calls.length > 0)
    expect(go.sceneDone).toHaveBeenCalledExactlyOnceWith('ok')
  })

  it('that goes on with what waited asks for nothing and is not over before its run is', async () => {
    const go = operations()
    const player = createScenePlayer(go, { ...scene, auto: false, reopen: 'page' })
    const ask = vi.fn()
    player.play(ask)
    player.rest()
    expect(player.over()).toBe(false)
    player.runs.ended(ended)
    expect(player.over()).toBe(false) // the model is told, and answers
    player.rest()
    expect(ask).not.toHaveBeenCalled()
    expect(player.over()).toBe(true)
    await until(() => vi.mocked(go.sceneDone).mock.calls.length > 0)
  })

  it('opens what waits, once, as soon as it is known', () => {
    let state: WaitingState = { waiting: [], opened: [] }
    const listeners = new Set<() => void>()
    const open = vi.fn(async () => {})
    const waiting = {
      get: () => state,
      subscribe: (tell: () => void) => {
        listeners.add(tell)
        return () => listeners.delete(tell)
      },
      open,
    } as unknown as WaitingRuns
    reopenFirst(waiting)
    expect(open).not.toHaveBeenCalled()
    const run = { runId: 'r1', request: 'Do it.', title: 'Cancel 2 orders?', calls: 2, since: 0, busy: false }
    state = { waiting: [run], opened: [] }
    for (let i = 0; i < 2; i++) for (const tell of [...listeners]) tell()
    expect(open).toHaveBeenCalledExactlyOnceWith('r1')
  })
})
