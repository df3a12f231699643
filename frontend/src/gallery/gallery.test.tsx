// @vitest-environment happy-dom
import { act, cleanup, configure, render, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Opened } from '../open'
import { Gallery } from './Gallery'
import { Noticed } from './Noticed'

const demo = { name: 'runaway', title: 'A loop is stopped', request: 'Loop.', notice: 'Ten seconds.', playing: false }
const opened = (answers: Record<string, (args: unknown) => unknown>, more = {}): Opened =>
  ({ ask: vi.fn(async (op: string, args: unknown) => answers[op]?.(args)), ...more }) as unknown as Opened

// A machine that is busy with other tests takes longer than the second that is usual.
configure({ asyncUtilTimeout: 20_000 })
afterEach(cleanup)

describe('the gallery', () => {
  it('says what each demo shows and what to notice', async () => {
    render(<Gallery opened={opened({ demos: () => [demo] })} />)
    await screen.findByRole('heading', { name: 'A loop is stopped' })
    expect(screen.getByText('Ten seconds.', { exact: false })).toBeTruthy()
    expect(screen.getByText('countersign demo runaway')).toBeTruthy()
  })

  it('plays one, and says how it ended', async () => {
    let close = (_: unknown): void => {}
    const play = vi.fn(() => new Promise((resolve) => (close = resolve)))
    render(<Gallery opened={opened({ demos: () => [demo], 'demo.play': play })} />)
    ;(await screen.findByRole('button', { name: 'Play' })).click()
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Playing' })
    expect(button.disabled).toBe(true)
    expect(play).toHaveBeenCalledExactlyOnceWith({ name: 'runaway' })
    await act(async () => close({ good: false, message: 'it was closed' }))
    await waitFor(() => expect(screen.getByRole('status').textContent).toContain('it was closed'))
    expect(screen.getByRole('button', { name: 'Play again' })).toBeTruthy()
  })

  it('knows of one that plays since before', async () => {
    render(<Gallery opened={opened({ demos: () => [{ ...demo, playing: true }] })} />)
    expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Playing' })).disabled).toBe(true)
  })

  it('says so when the demos cannot be listed', async () => {
    const ask = vi.fn(async () => Promise.reject(new Error('the app is closing')))
    render(<Gallery opened={{ ask } as unknown as Opened} />)
    expect((await screen.findByRole('alert')).textContent).toContain('the app is closing')
  })
})

describe('what to notice', () => {
  it('is said when the scene is over, and not before', async () => {
    const listeners = new Set<() => void>()
    let over = false
    const player = {
      subscribe: (tell: () => void) => {
        listeners.add(tell)
        return () => listeners.delete(tell)
      },
      over: () => over,
    }
    const scene = { name: 'runaway', request: 'Loop.', notice: 'Ten seconds.', auto: true }
    render(<Noticed opened={opened({}, { hello: { scene }, player })} />)
    expect(screen.queryByText('Ten seconds.')).toBeNull()
    over = true
    act(() => {
      for (const tell of listeners) tell()
    })
    expect(screen.getByText('Ten seconds.')).toBeTruthy()
  })
})
