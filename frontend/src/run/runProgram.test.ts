import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { BridgeError } from '../bridge/bridgeError'
import { approving, definitions, fakeGo } from '../testing/fakeGo'
import { fakeSandbox } from '../testing/fakeSandbox'
import { until } from '../testing/until'
import { createRuns } from './runs'

const program = readFileSync('../app/model/transcripts/cancel-orders.js', 'utf8')
const request = 'Cancel every open order over $100 from last week.'

const start = async (decide: Parameters<typeof fakeGo>[0] = approving(0, 1, 2), now?: Date) => {
  const go = await fakeGo(decide, now)
  const listener = { program: vi.fn(), waiting: vi.fn(), ended: vi.fn() }
  const runs = createRuns(
    { sandbox: fakeSandbox(), operations: go.operations, definitions: () => definitions },
    listener,
  )
  const run = (code = program) => runs.start('t1', { code, request, model: 'test' })
  return { ...go, runs, run, listener, view: () => runs.get('t1') }
}

const cancelled = (orders: { id: number; status: string }[]) =>
  orders.filter(({ id, status }) => [1041, 1047, 1052].includes(id) && status === 'cancelled').map(({ id }) => id)

describe('a run', () => {
  it('begins in the log before any call, asks once, and ends in the log', async () => {
    const { run, log, orders, operations, view } = await start()
    await expect(run()).resolves.toMatchObject({ status: 'ok', value: { cancelled: [1041, 1047, 1052], rejected: [] } })
    expect(log).toEqual([
      'began',
      'orders.list',
      'asked about 3',
      'orders.cancel 1041',
      'orders.cancel 1047',
      'orders.cancel 1052',
      'ended ok',
    ])
    expect(cancelled(orders)).toEqual([1041, 1047, 1052])
    expect(operations.runBegin).toHaveBeenCalledWith({ runId: 'run-1', request, code: program, model: 'test' })
    expect(view()).toMatchObject({ standing: 'ok', notices: [] })
    expect(view()?.calls.map(({ fn, standing }) => `${fn} ${standing}`)).toEqual([
      'orders.list ok',
      'orders.cancel ok',
      'orders.cancel ok',
      'orders.cancel ok',
    ])
  })

  it('tells of hundreds of calls together, and of each change of its standing at once', async () => {
    const { run, runs, view } = await start()
    const standings: (string | undefined)[] = []
    runs.subscribe(() => standings.push(view()?.standing))
    await run("for (let i = 0; i < 200; i++) await sdk.orders.list({ status: 'open' })")
    expect(view()?.calls).toHaveLength(200)
    expect(standings.length).toBeLessThan(40)
    expect(standings).toEqual(expect.arrayContaining(['running', 'ok']))
  })

  it.each([
    ['never', [], ['denied', 'denied', 'denied']],
    ['each', [1, 1, 1], ['ok', 'ok', 'ok']],
    ['batch', [3], ['ok', 'ok', 'ok']],
  ] as const)('asks, in the mode “%s”, about so many calls at a time: %j', async (mode, asked, standings) => {
    const go = await fakeGo(approving(0, 1, 2))
    const runs = createRuns({
      sandbox: fakeSandbox(),
      operations: go.operations,
      definitions: () => definitions,
      approval: () => mode,
    })
    await runs.start('t', { code: program, request, model: 'test' })
    expect(go.operations.decide.mock.calls.map(([, rows]) => rows.length)).toEqual(asked)
    const cancels = runs.get('t')?.calls.filter(({ fn }) => fn === 'orders.cancel')
    expect(cancels?.map(({ standing }) => standing)).toEqual(standings)
    // Only a batch has something that another page could go on from.
    for (const [, , , continuation] of go.operations.decide.mock.calls) {
      expect(continuation !== undefined).toBe(mode === 'batch')
    }
  })

  it('executes only the rows that were approved', async () => {
    const { run, orders, view } = await start(approving(0, 2))
    await expect(run()).resolves.toMatchObject({ value: { cancelled: [1041, 1052], rejected: [1047] } })
    expect(cancelled(orders)).toEqual([1041, 1052])
    expect(view()?.calls.map(({ standing }) => standing)).toEqual(['ok', 'ok', 'rejected', 'ok'])
  })

  it('rejects what Go’s answer leaves out or does not know', async () => {
    const { run, orders } = await start(async ([row]) => ({
      approve: [row?.callId ?? '', 'forged'],
      reject: [],
      reasons: {},
    }))
    await expect(run()).resolves.toMatchObject({ value: { cancelled: [1041], rejected: [1047, 1052] } })
    expect(cancelled(orders)).toEqual([1041])
  })

  it('approves nothing when nobody could be asked, and says why', async () => {
    const { run, orders, view } = await start(async () => {
      throw new BridgeError('LogUnavailable', 'the disk is full')
    })
    await expect(run()).resolves.toMatchObject({ value: { cancelled: [], rejected: [1041, 1047, 1052] } })
    expect(cancelled(orders)).toEqual([])
    expect(view()?.notices).toEqual(['Nobody could be asked, so nothing was approved: the disk is full'])
  })

  it('approves nothing when what was decided could not be recorded, and does not say that nobody was asked', async () => {
    const { run, orders, view } = await start(async () => {
      throw new BridgeError(
        'NotRecorded',
        'the decision could not be recorded, so nothing was approved: the disk is full',
      )
    })
    await expect(run()).resolves.toMatchObject({ value: { cancelled: [], rejected: [1041, 1047, 1052] } })
    expect(cancelled(orders)).toEqual([])
    expect(view()?.notices).toEqual(['The decision could not be recorded, so nothing was approved: the disk is full'])
  })

  it('asks about its first call only when its beginning is logged', async () => {
    const { run, operations, log, view } = await start()
    let logged = () => {}
    const waiting = new Promise<void>((resolve) => (logged = resolve))
    operations.runBegin.mockImplementation(() => waiting.then(() => void log.push('began')))
    const output = run('return typeof (await sdk.orders.cancel({ id: 1041 })).id')
    await until(() => view()?.calls.length === 1)
    await new Promise((resolve) => setImmediate(resolve))
    expect(log).toEqual([])
    logged()
    await expect(output).resolves.toMatchObject({ status: 'ok' })
    expect(log).toEqual(['began', 'asked about 1', 'orders.cancel 1041', 'ended ok'])
  })

  it('runs nothing when its beginning could not be logged', async () => {
    const { run, operations, log, view } = await start()
    operations.runBegin.mockRejectedValue(new BridgeError('LogUnavailable', 'the disk is full'))
    await expect(run()).resolves.toMatchObject({
      status: 'error',
      error: { name: 'LogUnavailable', message: 'The run could not begin: the disk is full' },
    })
    expect(log).toEqual([])
    expect(view()?.standing).toBe('error')
  })

  it('says so when its end could not be logged, and keeps its result', async () => {
    const { run, operations, view } = await start()
    operations.runEnd.mockRejectedValue(new BridgeError('LogUnavailable', 'the disk is full'))
    await expect(run('return 7')).resolves.toMatchObject({ status: 'ok', value: 7 })
    expect(view()?.notices).toEqual([
      'The end of this run is not in the log yet; that is tried again: the disk is full',
    ])
  })

  it('ends as aborted when it is stopped while the card is open', async () => {
    const { runs, run, orders, log, view } = await start(
      (_rows, signal) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    )
    const output = run()
    await until(() => view()?.standing === 'waiting' && log.includes('asked about 3'))
    expect(runs.busy()).toBe(true)
    runs.stop()
    await expect(output).resolves.toMatchObject({ status: 'aborted' })
    expect(cancelled(orders)).toEqual([])
    expect(log.at(-1)).toBe('ended aborted')
    expect(view()?.calls.map(({ standing }) => standing)).toEqual(['ok', 'cancelled', 'cancelled', 'cancelled'])
    await until(() => !runs.busy())
  })

  it('gives an input that has no form to its call site, before anyone is asked', async () => {
    const { run, log } = await start()
    await expect(run('return await sdk.orders.cancel({ id: () => 1 })')).resolves.toMatchObject({
      status: 'error',
      error: { name: 'InvalidInput', message: expect.stringContaining('input.id: a function cannot be sent') },
    })
    expect(log).toEqual(['began', 'ended error'])
  })

  it('gives Go’s refusal of an input to its call site, before anyone is asked', async () => {
    const { run, log } = await start()
    await expect(
      run('try { await sdk.orders.cancel({ id: "x" }) } catch (e) { return e.name }'),
    ).resolves.toMatchObject({
      value: 'InvalidInput',
    })
    expect(log).not.toContain('asked about 1')
  })

  it('tells its listener of the program, what waits and how it ended', async () => {
    const { run, listener } = await start()
    await run()
    expect(listener.program).toHaveBeenCalledWith(program)
    expect(listener.waiting).toHaveBeenCalledTimes(1)
    expect(listener.ended).toHaveBeenCalledWith(expect.objectContaining({ standing: 'ok' }))
  })
})

describe('the demo’s program', () => {
  // Each weekday, the borders of months and years, and a leap day.
  it.each([
    '2026-11-30',
    '2026-12-01',
    '2026-12-02',
    '2026-12-03',
    '2026-12-04',
    '2026-12-05',
    '2026-12-06',
    '2027-01-01',
    '2027-01-03',
    '2028-02-29',
    '2028-03-06',
  ])('finds the three orders on %s', async (day) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(`${day}T23:59:00`) })
    try {
      const { run } = await start(approving(0, 1, 2), new Date())
      await expect(run()).resolves.toMatchObject({ value: { cancelled: [1041, 1047, 1052], rejected: [] } })
    } finally {
      vi.useRealTimers()
    }
  })
})
