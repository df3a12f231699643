// The doors of the frame and the worker in their place: the real frame document
// and the real worker get 100,000 mutated messages each, from a page that is
// ours. The page's own door is in test/unit/guards and test/unit/pass.
import { assert } from 'chai'
import { dice, doors, isWhole, mutant } from '../fixture/records.js'

interface FromFrame {
  type?: string
  worker?: number
  reason?: string
  record?: { type?: string; watched?: unknown } & Record<string, unknown>
  watched?: unknown
}

const batch = 1_000

/** A frame of ours, and everything that came from it. */
async function openFrame(document = '/sandbox-watched.html') {
  const nonce = `n${Math.random()}`
  const came: FromFrame[] = []
  const waiting = new Set<() => void>()
  let broken = 0
  const element = Object.assign(window.document.createElement('iframe'), { name: nonce, src: document })
  element.setAttribute('sandbox', 'allow-scripts')
  const listener = ({ source, data }: MessageEvent) => {
    if (source !== element.contentWindow) return
    // What a worker sent together is looked at one by one.
    for (const message of data?.records?.map((record: unknown) => ({ ...data, record })) ?? [data]) {
      came.push(message)
      if (message?.record?.type === 'broken') broken++
    }
    for (const look of waiting) look()
  }
  addEventListener('message', listener)
  window.document.body.append(element)
  /** Resolves when a message has come for which this is so; what came before counts. */
  const until = (is: (message: FromFrame) => boolean) =>
    new Promise<FromFrame>((resolve) => {
      let from = 0
      const look = () => {
        for (; from < came.length; from++) {
          const message = came[from] as FromFrame
          if (!is(message)) continue
          waiting.delete(look)
          return resolve(message)
        }
      }
      waiting.add(look)
      look()
    })
  const post = (message: unknown) => element.contentWindow?.postMessage(message, '*')
  let stops = 1_000_000
  /** Resolves when the frame has taken everything that was sent to it. */
  const taken = () => {
    const worker = ++stops
    post({ type: 'stop', nonce, worker })
    return until((message) => message.type === 'stopped' && message.worker === worker)
  }
  await until((message) => message.type === 'ready' || message.type === 'refused' || message.watched !== undefined)
  return {
    nonce,
    came,
    until,
    post,
    taken,
    /** How often a worker said that what it got is broken. */
    broken: () => broken,
    watched: () => came.filter((message) => message.watched !== undefined || message.record?.watched !== undefined),
    close() {
      removeEventListener('message', listener)
      element.remove()
    },
  }
}
type Opened = Awaited<ReturnType<typeof openFrame>>

const limits = { calls: 256, inFlight: 32, inputBytes: 1e6, outputBytes: 1e6, logLines: 100, logBytes: 1e5 }
const start = (code: string) =>
  ({
    type: 'start',
    code,
    names: ['one', 'two'],
    marked: [],
    given: false,
    input: undefined,
    limits,
    seeds: null,
    repeats: false,
  }) as const

/** Runs a program in worker `worker`, from its start to its end; gives what its body came to. */
async function runIn(frame: Opened, worker: number, code: string) {
  const { nonce, post, until } = frame
  post({ type: 'post', nonce, worker, records: [start(code)], buffers: [] })
  await until((message) => message.worker === worker && message.record?.type === 'end')
  return frame.came.find((message) => message.worker === worker && message.record?.type === 'body')?.record?.value
}

describe('the doors', function () {
  this.timeout(90_000)

  it('the frame takes exactly the whole ones of 100,000 mutated messages; nothing is compiled, nothing escapes, and it still serves', async () => {
    const frame = await openFrame()
    const { nonce, post, until, taken, came } = frame
    const roll = dice(7)
    let malformed = 0
    const send = (value: unknown) => {
      const message = typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value, nonce } : value
      const { type } = (message ?? {}) as { type?: string }
      const whole = isWhole(doors.toFrame, message)
      // Those do what they say: the real ones come below.
      if (whole && (type === 'spawn' || type === 'init')) return false
      post(message)
      const heard = (message as { nonce?: string } | null | undefined)?.nonce === nonce
      if (heard && !whole) malformed++
      return true
    }
    // Before init nothing else is heard, whole or not.
    for (let sent = 0; sent < batch; ) {
      const value = mutant(doors.toFrame, roll)
      if (isWhole(doors.toFrame, value)) continue
      if (send(value)) sent++
    }
    post({ type: 'stop', nonce, worker: 1 })
    malformed++
    post({ type: 'init', nonce })
    // The worker that the frame started by itself would answer some of them.
    await until(({ record }) => record?.type === 'up')
    post({ type: 'stop', nonce, worker: 1 })
    await taken()
    post({ type: 'init', nonce })
    malformed++
    for (let sent = 0; sent < 100_000; ) {
      if (send(mutant(doors.toFrame, roll))) sent++
      if (sent % batch === 0) await taken()
    }
    await taken()
    assert.deepEqual(frame.watched(), [], 'escaped or compiled')
    const faults = came.filter((message) => message.type === 'fault')
    assert.equal(faults.length, malformed, 'each malformed message is a fault, and no other is')
    assert.isTrue(faults.every((message) => message.worker === 0))
    const others = came.filter(({ type, worker }) => type !== 'fault' && !(worker && worker > 1_000_000))
    assert.deepEqual(
      others
        .filter(({ type }) => type !== 'stopped')
        .map(({ type, record }) => record?.type ?? type)
        .sort(),
      ['ready', 'up'],
      'nothing was relayed or begun',
    )
    // Then the honest way, in the same frame.
    post({ type: 'spawn', nonce, worker: 5 })
    await until((message) => message.worker === 5 && message.record?.type === 'up')
    assert.equal(await runIn(frame, 5, 'return 6 * 7'), 42)
    // A number that was used is not used again.
    const before = came.length
    post({ type: 'spawn', nonce, worker: 5 })
    await taken()
    assert.deepEqual(
      came.slice(before).map(({ type }) => type),
      ['fault', 'stopped'],
    )
    frame.close()
  })

  it('the frame relays or refuses each of 100,000 messages of a worker that sends anything, and nothing escapes', async () => {
    const frame = await openFrame('/sandbox-flood.html')
    const { nonce, post, until, came } = frame
    post({ type: 'init', nonce })
    await until((message) => (message.record as unknown) === 'last')
    assert.deepEqual(frame.watched(), [])
    const relayed = came.filter((message) => message.type === 'relay')
    const faults = came.filter((message) => message.type === 'fault')
    assert.equal(relayed.length + faults.length, 100_003)
    assert.isTrue(relayed.length > 3_000 && faults.length > 10_000, `${relayed.length} ${faults.length}`)
    assert.isTrue(came.every((message) => message.type === 'ready' || message.worker === 1))
    frame.close()
  })

  it('the worker says of each of 100,000 mutated records that it is broken; it compiles nothing, calls nothing and settles nothing by them', async () => {
    const frame = await openFrame()
    const { nonce, post, until, taken, came } = frame
    const worker = 1
    const roll = dice(11)
    const hand = (record: unknown) => post({ type: 'post', nonce, worker, records: [record], buffers: [] })
    const of = (type: string) => came.filter((message) => message.worker === worker && message.record?.type === type)
    let sent = 0
    /** Sends mutants that the worker must refuse as it stands now. */
    const flood = async (many: number, refused: (record: Record<string, unknown>) => boolean) => {
      for (let i = 0; i < many; ) {
        const record = mutant(doors.toWorker, roll)
        // What is no object does not get past the frame.
        if (typeof record !== 'object' || record === null || !refused(record as Record<string, unknown>)) continue
        hand(record)
        sent++
        if (++i % batch === 0) await taken()
      }
      await until(() => frame.broken() >= sent)
    }
    post({ type: 'init', nonce })
    await until((message) => message.record?.type === 'up')

    // Before the start anything but a whole start is refused.
    await flood(50_000, (record) => record.type !== 'start' || !isWhole(doors.toWorker, record))
    assert.deepEqual(frame.watched(), [])
    assert.deepEqual([...new Set(came.map(({ record }) => record?.type))].filter(Boolean), ['up', 'broken'])

    // A message holds at least one record, and no more than there are turns to take them in.
    post({ type: 'post', nonce, worker, records: [], buffers: [] })
    sent++
    await until(() => frame.broken() >= sent)
    post({ type: 'post', nonce, worker, records: Array.from({ length: 33 }, () => start('return 1')), buffers: [] })
    await until(({ type }) => type === 'fault')
    assert.deepEqual(frame.watched(), [])

    // With two calls open anything but the settling of one of them is.
    hand(start('const one = sdk.one(); const two = await sdk.two(); return [await one, two]'))
    await until(({ record }) => record?.type === 'call' && record.fn === 'two')
    // (What is ahead of a call that can still be made is kept, and what fires has no effect where nothing is repeated:
    // both are left out here.)
    const settles = ({ type, id, after }: Record<string, unknown>) =>
      type === 'fire' ||
      (type === 'settle' &&
        (id === 1 || id === 2 || (typeof after === 'number' && typeof id === 'number' && after >= id)))
    await flood(50_000, (record) => !(settles(record) && isWhole(doors.toWorker, record)))
    assert.deepEqual(
      of('call').map(({ record }) => record?.fn),
      ['one', 'two'],
    )
    // Each record that was whole but for what it throws left its call open.
    for (const value of [null, 1, {}, { error: true }, { error: true, name: 1, message: '', cause: null }]) {
      hand({ type: 'settle', id: 1, state: 'rejected', value, errors: false, at: 1, after: 0 })
      hand({ type: 'settle', id: 3, state: 'error', value, errors: false, at: 1, after: 3 })
      sent += 2
    }
    hand({ type: 'settle', id: 2, state: 'ok', value: 'second', errors: false, at: 1, after: 0 })
    // Nothing is taken twice, ahead or not.
    for (const after of [0, 2]) hand({ type: 'settle', id: 2, state: 'ok', value: 1, errors: false, at: 1, after })
    sent += 2
    hand({ type: 'settle', id: 1, state: 'ok', value: 'first', errors: false, at: 1, after: 0 })
    await until((message) => message.record?.type === 'end')
    assert.deepEqual(of('body')[0]?.record?.value, ['first', 'second'])
    assert.equal(frame.broken(), sent)
    assert.deepEqual(of('log'), [])
    assert.equal(
      frame.watched().filter((message) => (message.record?.watched as { escaped?: string }).escaped).length,
      0,
      'nothing escaped',
    )
    for (const { record } of frame.watched())
      assert.include((record?.watched as { compiled: string }).compiled, 'sdk.two()', 'only the program was compiled')
    frame.close()
  })

  it('the frame starts worker 1 by itself, and stops it when it refuses', async () => {
    const frame = await openFrame()
    await frame.until(({ worker, record }) => worker === 1 && record?.type === 'up')
    frame.post({ type: 'init', nonce: frame.nonce })
    frame.post({ type: 'spawn', nonce: frame.nonce, worker: 1 })
    const fault = await frame.until(({ type }) => type === 'fault')
    assert.include(fault.reason, 'the number of a worker again')
    const open = await openFrame('/sandbox-open.html')
    await open.until(({ type }) => type === 'refused')
    const said = open.came.length
    // By the time another frame's worker is up, this one's would be.
    const third = await openFrame()
    await third.until(({ record }) => record?.type === 'up')
    assert.lengthOf(open.came, said)
    for (const each of [frame, open, third]) each.close()
  })
})
