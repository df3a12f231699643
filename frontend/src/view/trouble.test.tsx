// @vitest-environment happy-dom
import { cleanup, configure, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { show } from '../testing/showPage'

configure({ asyncUtilTimeout: 20_000 })
afterEach(cleanup)

const trouble = { title: 'The log is not intact', text: 'Entry 3 was changed.', do: 'Nothing new runs on it.' }
const log = () => screen.getByRole('button', { name: /^Log/ })

describe('what the start found wrong with the log', () => {
  it('is said at once, stays until it is looked at, and marks the way to the log for good', async () => {
    const { opened } = await show({ trouble })
    const said = await screen.findByRole('alert')
    expect(said.textContent).toContain('The log is not intact')
    expect(said.textContent).toContain('Entry 3 was changed. Nothing new runs on it.')
    expect(log().getAttribute('aria-label')).toBe('Log: The log is not intact')
    fireEvent.click(screen.getByRole('button', { name: 'Look at it' }))
    expect(opened.places.get()).toEqual({ at: 'log', tab: 'trust' })
    expect((await screen.findByRole('tab', { name: 'Trust' })).getAttribute('aria-selected')).toBe('true')
    expect(screen.queryByText('Entry 3 was changed. Nothing new runs on it.')).toBeNull()
    expect(log().getAttribute('aria-label')).toBe('Log: The log is not intact')
    fireEvent.click(log())
    expect(opened.places.get()).toEqual({ at: 'log' })
  })

  it('is where the marked way leads until it was looked at', async () => {
    const { opened } = await show({ trouble })
    await screen.findByRole('alert')
    fireEvent.click(log())
    expect(opened.places.get()).toEqual({ at: 'log', tab: 'trust' })
  })

  it('is not said of a log that is intact', async () => {
    await show()
    expect(screen.queryByRole('alert')).toBeNull()
    expect(log().getAttribute('aria-label')).toBe('Log')
  })
})
