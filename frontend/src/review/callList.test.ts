import { describe, expect, it } from 'vitest'
import { createCallList, pageSize } from './callList'
import type { Log } from './operations'
import type { Row } from './shapes'

/** A log of so many calls with every second number, which answers when it is told to. */
const fakeLog = (calls: number) => {
  const ids = Array.from({ length: calls }, (_, at) => (calls - at) * 2)
  const asked: number[] = []
  let head = calls * 2
  const log = {
    calls: async (_filter: object, before: number, limit: number) => {
      asked.push(before)
      const rows = ids.filter((id) => before === 0 || id < before).slice(0, limit)
      return { rows: rows.map((id) => ({ id }) as Row), head }
    },
    count: async () => ({
      count: ids.length,
      marks: ids.filter((_, at) => at % pageSize === pageSize - 1),
      every: pageSize,
      head,
    }),
  } as unknown as Log
  return {
    log,
    asked,
    ids,
    add: () => {
      head += 2
      ids.unshift(head)
    },
  }
}

const settled = () => new Promise((resolve) => setTimeout(resolve))

describe('a list of calls', () => {
  it('shows its first page before it is counted, and any place afterwards', async () => {
    const { log, ids } = fakeLog(5_000)
    const list = createCallList(log, {})
    list.need(0, 20)
    await settled()
    expect(list.get()).toMatchObject({ count: 5_000, shown: 5_000, opening: false })
    expect(list.at(0)?.id).toBe(ids[0])
    list.need(4_210, 4_240)
    await settled()
    expect(list.at(4_215)?.id).toBe(ids[4_215])
    list.need(4_990, 5_000)
    await settled()
    expect(list.at(4_999)?.id).toBe(ids[4_999])
  })

  it('keeps so many pages and no more, the last ones used', async () => {
    const { log, asked } = fakeLog(20_000)
    const list = createCallList(log, {})
    await settled()
    for (let at = 0; at < 20_000; at += pageSize) {
      list.need(at, at + 20)
      await settled()
    }
    expect(list.at(19_950)).toBeDefined()
    expect(list.at(0)).toBeUndefined()
    const before = asked.length
    list.need(19_950, 19_960)
    list.need(18_000, 18_010)
    await settled()
    expect(asked.length).toBe(before) // both are here
    list.need(0, 10)
    await settled()
    expect(list.at(0)).toBeDefined()
  })

  it('does not mix pages of before and after calls were added', async () => {
    const fake = fakeLog(300)
    const counted = fake.log.count
    // A call is logged between the first page and the count.
    fake.log.count = async (...args) => {
      await settled()
      fake.add()
      return counted(...args)
    }
    const list = createCallList(fake.log, {})
    list.need(0, 20)
    await settled()
    await settled()
    await settled()
    expect(list.at(0)?.id).toBe(602) // what is in sight comes by itself
    list.need(0, 250)
    await settled()
    const shown = Array.from({ length: 301 }, (_, at) => list.at(at)?.id)
    expect(shown.filter((id) => id !== undefined)).toEqual(fake.ids.filter((_, at) => list.at(at) !== undefined))
    expect(list.get().count).toBe(301)
    expect(list.at(0)?.id).toBe(602)
  })

  it('says why it cannot be read, and nothing once it was stopped', async () => {
    const { log } = fakeLog(10)
    log.calls = async () => Promise.reject(new Error('the log is gone'))
    const list = createCallList(log, {})
    await settled()
    expect(list.get().failure).toBe('the log is gone')
    const other = createCallList(log, {})
    other.stop()
    await settled()
    expect(other.get().failure).toBeUndefined()
  })
})
