import { describe, expect, it, vi } from 'vitest'
import { part } from './part'

describe('a part of the page', () => {
  it('is read once, when it is first wanted, and given at once from then on', async () => {
    const read = vi.fn(async () => ({ it: 'is here' }))
    const log = part('the log', read)
    expect(log.get()).toBeUndefined()
    expect(read).not.toHaveBeenCalled()
    log.expect()
    const [one, two] = await Promise.all([log.load(), log.load()])
    expect(one).toBe(two)
    expect(log.get()).toBe(one)
    expect(read).toHaveBeenCalledTimes(1)
  })

  it('that cannot be read says which it is, why, and what to do, and is tried again', async () => {
    const read = vi.fn<() => Promise<number>>().mockRejectedValueOnce(new TypeError('Importing failed.'))
    read.mockResolvedValueOnce(7)
    const log = part('the log', read)
    await expect(log.load()).rejects.toThrow(
      'The part of the page for the log could not be loaded (Importing failed.). Try again; if that does not help, start Countersign again.',
    )
    expect(log.get()).toBeUndefined()
    await expect(log.load()).resolves.toBe(7)
  })

  it('that was only expected fails for whoever loads it, and not before', async () => {
    const log = part('the log', () => Promise.reject(new Error('no')))
    log.expect()
    await new Promise((resolve) => setImmediate(resolve))
    await expect(log.load()).rejects.toThrow('no')
  })
})
