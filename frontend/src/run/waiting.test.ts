import { describe, expect, it } from 'vitest'
import { BridgeError } from '../bridge/bridgeError'
import { approving, definitions, fakeGo } from '../testing/fakeGo'
import { fakeSandbox } from '../testing/fakeSandbox'
import { until } from '../testing/until'
import { createRuns } from './runs'
import { createWaitingRuns } from './waiting'

const program = `const open = await sdk.orders.list({ status: 'open', from: '0', to: '9' })
const gone = []
for (const { id } of open.slice(0, 2)) { await sdk.orders.cancel({ id }); gone.push(id) }
return gone`

/** A page that went while the card of a run waited, and the next page. */
const restarted = async (decide: Parameters<typeof fakeGo>[0] = approving(0, 1)) => {
  let goes: () => void = () => {}
  const went = new Promise<never>((_resolve, reject) => {
    goes = () => reject(new BridgeError('Cancelled', 'the page has gone'))
  })
  let pages = 0
  const go = await fakeGo((rows, signal) => (++pages === 1 ? went : decide(rows, signal)))
  const page = () => createRuns({ sandbox: fakeSandbox(), operations: go.operations, definitions: () => definitions })
  const old = page().start('t1', { code: program, request: 'Cancel two orders.', model: 'test' })
  await until(() => go.log.includes('asked about 2'))
  const { log, kept } = go
  const before = log.length
  const runs = page()
  const waiting = createWaitingRuns(go.operations, runs)
  await until(() => waiting.get().waiting.length === 1)
  void old
  return { ...go, goes, kept, runs, waiting, since: () => log.slice(before), id: waiting.get().waiting[0]?.runId ?? '' }
}

const opened = ({ runs, waiting }: Awaited<ReturnType<typeof restarted>>) =>
  runs.get(waiting.get().opened[0]?.key ?? '')

describe('what waits since before', () => {
  it('is listed with its request, its card and its age', async () => {
    const { waiting } = await restarted()
    const [run] = waiting.get().waiting
    expect(run).toMatchObject({ request: 'Cancel two orders.', title: 'Cancel 2 orders?', calls: 2, busy: false })
    expect(Date.now() - (run?.since ?? 0)).toBeGreaterThan(7_000_000)
  })

  it('can go on once the functions that it has called are there again', async () => {
    const bench = await restarted()
    const [run] = await bench.operations.waiting()
    if (!run) throw new Error('nothing waits')
    let changed: () => void = () => {}
    const lists = [[{ ...run, problem: 'the function notes.add does not exist any more' }], [run]]
    const operations = { ...bench.operations, waiting: async () => lists.shift() ?? [] }
    const waiting = createWaitingRuns(operations, bench.runs, undefined, (listener) => (changed = listener))
    await until(() => waiting.get().waiting[0]?.problem?.includes('notes.add'))
    changed()
    await until(() => waiting.get().waiting[0]?.problem === undefined)
    expect(waiting.get().waiting[0]).toMatchObject({ runId: run.runId, busy: false })
  })

  it('is opened, decided by Go alone, resumed and ended', async () => {
    const bench = await restarted()
    await bench.waiting.open(bench.id)
    expect(bench.since()).toEqual([
      'opened 2',
      expect.stringMatching(/^orders\.cancel \d+$/),
      expect.stringMatching(/^orders\.cancel \d+$/),
      'ended ok',
    ])
    expect(bench.operations.waitingDecide).toHaveBeenCalledWith(bench.id, expect.any(AbortSignal))
    expect(opened(bench)).toMatchObject({ standing: 'ok', code: program })
    expect(bench.waiting.get().waiting).toEqual([])
  })

  it('makes only the calls that were approved', async () => {
    const bench = await restarted(approving(1))
    await bench.waiting.open(bench.id)
    expect(bench.since().filter((line) => line.startsWith('orders.cancel'))).toHaveLength(0)
    expect(opened(bench)).toMatchObject({ standing: 'error' }) // the program lets the first refusal end it
  })

  it('shows its calls as waiting while the card is open, and stops with the person’s word', async () => {
    const bench = await restarted(
      (_rows, signal) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    )
    const over = bench.waiting.open(bench.id)
    await until(() => bench.since().includes('opened 2'))
    expect(opened(bench)).toMatchObject({ standing: 'waiting' })
    expect(opened(bench)?.calls.map(({ standing }) => standing)).toEqual(['waiting', 'waiting'])
    expect(bench.waiting.get().waiting).toEqual([])
    bench.runs.stop()
    await over
    expect(opened(bench)).toMatchObject({ standing: 'aborted' })
    expect(bench.since()).toEqual(['opened 2', 'ended aborted'])
  })

  it('waits on when Go does not open it, and says why', async () => {
    const bench = await restarted()
    bench.operations.waitingDecide.mockRejectedValueOnce(new BridgeError('CannotResume', 'this run cannot go on: …'))
    await bench.waiting.open(bench.id)
    expect(opened(bench)).toMatchObject({ standing: 'error', notices: ['this run cannot go on: …'] })
    expect(bench.waiting.get().waiting).toHaveLength(1)
  })

  it('waits on when what was kept cannot be read', async () => {
    const bench = await restarted()
    const run = bench.kept.get(bench.id)
    if (run) bench.kept.set(bench.id, { ...run, continuation: { $: 'no such tag' } })
    await bench.waiting.open(bench.id)
    expect(bench.waiting.get().opened).toEqual([])
    expect(bench.waiting.get().waiting[0]?.failure).toBe('continuation: there is no tag "no such tag"')
    expect(bench.operations.waitingDecide).not.toHaveBeenCalled()
  })

  it('says why it cannot go on', async () => {
    const bench = await restarted()
    const run = bench.kept.get(bench.id)
    if (run) bench.kept.set(bench.id, { ...run, problem: 'the function is gone' })
    const next = createWaitingRuns(bench.operations, bench.runs)
    await until(() => next.get().waiting.length === 1)
    expect(next.get().waiting[0]?.problem).toBe('the function is gone')
  })

  it('is dismissed', async () => {
    const bench = await restarted()
    bench.operations.waitingDismiss.mockRejectedValueOnce(new BridgeError('LogUnavailable', 'the disk is full'))
    await bench.waiting.dismiss(bench.id)
    expect(bench.waiting.get().waiting[0]).toMatchObject({ busy: false, failure: 'the disk is full' })
    await bench.waiting.dismiss(bench.id)
    expect(bench.waiting.get().waiting).toEqual([])
    expect(bench.since()).toEqual(['dismissed'])
  })

  it('says when it cannot be listed', async () => {
    const go = await fakeGo(approving())
    go.operations.waiting.mockRejectedValue(new BridgeError('Internal', 'no'))
    const waiting = createWaitingRuns(
      go.operations,
      createRuns({ sandbox: fakeSandbox(), operations: go.operations, definitions: () => definitions }),
    )
    await until(() => waiting.get().failure === 'no')
  })
})

describe('a run that cannot be kept', () => {
  const start = async (code = program) => {
    const go = await fakeGo(approving(0, 1))
    const runs = createRuns({ sandbox: fakeSandbox(), operations: go.operations, definitions: () => definitions })
    const run = () => runs.start('t1', { code, request: 'r', model: 'm' })
    return { ...go, run, view: () => runs.get('t1') }
  }

  it('is asked about all the same, and says that it would not wait', async () => {
    const { operations, run, view } = await start()
    operations.decide.mockRejectedValueOnce(new BridgeError('CannotWait', 'the disk is full'))
    await expect(run()).resolves.toMatchObject({ status: 'ok' })
    expect(operations.decide).toHaveBeenCalledTimes(2)
    expect(operations.decide.mock.calls[1]?.[3]).toBeUndefined()
    expect(view()?.notices).toEqual(['If the app closed now, this would not wait for you: the disk is full'])
  })

  it('sends a continuation above 1 MiB, and none above 16 MiB', async () => {
    const big = (calls: number) => `const to = 'x'.repeat(900_000)
      for (let i = 0; i < ${calls}; i++) await sdk.orders.list({ status: 'none', from: String(i), to })
      await sdk.orders.cancel({ id: 1041 })`
    const small = await start(big(3))
    await expect(small.run()).resolves.toMatchObject({ status: 'ok' })
    expect(JSON.stringify(small.operations.decide.mock.calls[0]?.[3]).length).toBeGreaterThan(2_000_000)
    expect(small.view()?.notices).toEqual([])
    const large = await start(big(20))
    await expect(large.run()).resolves.toMatchObject({ status: 'ok' })
    expect(large.operations.decide.mock.calls[0]?.[3]).toBeUndefined()
    expect(large.view()?.notices[0]).toContain('takes more than 16777216 bytes')
  })
})
