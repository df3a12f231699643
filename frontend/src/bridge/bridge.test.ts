import { describe, expect, it, vi } from 'vitest'
import { connect } from '../bindings'
import { createBridge } from './bridge'

interface Submitted {
  id: number
  op: string
  args: Record<string, unknown>
}

/**
 * The other end, with the contract's semantics: a call starts what it carries
 * and returns when something is done that was not delivered yet.
 */
class FakeGo {
  readonly envelopes: { secret: string; submit: Submitted[] }[] = []
  readonly started: Submitted[] = []
  private outstanding = new Set<number>()
  private done: Record<string, unknown>[] = []
  private readonly waiters: ((text: string) => void)[] = []

  send = (text: string): Promise<string> => {
    const envelope = JSON.parse(text)
    this.envelopes.push(envelope)
    for (const request of envelope.submit as Submitted[]) {
      this.started.push(request)
      this.outstanding.add(request.id)
      if (request.op === 'cancel') {
        this.answer(request.id, { ok: {} })
        this.answer(request.args.id as number, { error: { code: 'Cancelled', message: 'cancelled' } })
      }
    }
    return new Promise((resolve) => {
      this.waiters.push(resolve)
      this.deliver()
    })
  }

  answer(id: number, outcome: Record<string, unknown>): void {
    if (!this.outstanding.delete(id)) return
    this.done.push({ id, ...outcome })
    this.deliver()
  }

  /** Loses a request, as a bug would. */
  forget(id: number): void {
    this.outstanding.delete(id)
    this.deliver()
  }

  get open(): number {
    return this.waiters.length
  }

  private deliver(): void {
    if (this.waiters.length === 0) return
    if (this.done.length > 0) {
      this.waiters.shift()?.(JSON.stringify({ done: this.done.splice(0) }))
      this.deliver()
    } else if (this.outstanding.size === 0) {
      this.waiters.splice(0).forEach((waiter) => {
        waiter('{"done":[]}')
      })
    }
  }
}

const start = () => {
  const go = new FakeGo()
  return { go, ask: createBridge({ send: go.send, secret: 's3cret' }) }
}

/** Until everything that is ready to run has run. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 0))

describe('the bridge', () => {
  it('sends what was asked so far when it is told to, within the tick, and the rest at its end', async () => {
    const { go, ask } = start()
    const asked = [ask('hello', {}), ask('functions', {})]
    ask.now()
    ask.now()
    asked.push(ask('settings.read', {}))
    expect(go.envelopes.map(({ submit }) => submit.map(({ op }) => op))).toEqual([['hello', 'functions']])
    await settled()
    expect(go.started.map(({ op }) => op)).toEqual(['hello', 'functions', 'settings.read'])
    for (const { id, op } of go.started) go.answer(id, { ok: op })
    expect(await Promise.all(asked)).toEqual(['hello', 'functions', 'settings.read'])
  })

  it('sends what one tick asks in one envelope, with the secret', async () => {
    const { go, ask } = start()
    const answers = Promise.all([ask('a', { n: 1 }), ask('b', {})])
    await settled()
    expect(go.envelopes).toEqual([
      {
        secret: 's3cret',
        submit: [
          { id: 1, op: 'a', args: { n: 1 } },
          { id: 2, op: 'b', args: {} },
        ],
      },
    ])
    go.answer(2, { ok: 'B' })
    go.answer(1, { ok: 'A' })
    await expect(answers).resolves.toEqual(['A', 'B'])
  })

  it('keeps exactly one poll under way while something is outstanding', async () => {
    const { go, ask } = start()
    const slow = ask('slow', {})
    const quick = ask('quick', {})
    await settled()
    go.answer(2, { ok: 1 })
    await quick
    await settled()
    expect(go.envelopes.map(({ submit }) => submit.length)).toEqual([2, 0])
    expect(go.open).toBe(1)
    go.answer(1, { ok: 2 })
    await expect(slow).resolves.toBe(2)
    await settled()
    expect(go.envelopes.length).toBe(2)
    expect(go.open).toBe(0)
  })

  it('takes an answer from whichever call brings it', async () => {
    const { go, ask } = start()
    const first = ask('first', {})
    await settled()
    const second = ask('second', {})
    await settled()
    expect(go.open).toBe(2)
    go.answer(2, { ok: 'two' }) // delivered in the call that carried the first
    await expect(second).resolves.toBe('two')
    go.answer(1, { ok: 'one' })
    await expect(first).resolves.toBe('one')
    await settled()
    expect(go.open).toBe(0)
  })

  it('carries a thousand requests in order, each answered once', async () => {
    const { go, ask } = start()
    const answers = Promise.all(Array.from({ length: 1000 }, (_, n) => ask('echo', { n })))
    await settled()
    for (const { id, args } of [...go.started].reverse()) go.answer(id, { ok: args.n })
    await expect(answers).resolves.toEqual(Array.from({ length: 1000 }, (_, n) => n))
    expect(go.started.map(({ args }) => args.n)).toEqual(Array.from({ length: 1000 }, (_, n) => n))
  })

  it('gives an error with Go’s code as its name', async () => {
    const { go, ask } = start()
    const answer = ask('call', {})
    await settled()
    go.answer(1, { error: { code: 'InvalidInput', message: 'input.id: expected an integer' } })
    await expect(answer).rejects.toMatchObject({
      name: 'InvalidInput',
      code: 'InvalidInput',
      message: 'input.id: expected an integer',
    })
  })

  it('gives undefined and null as they come', async () => {
    const { go, ask } = start()
    const answers = Promise.all([ask('a', {}), ask('b', {})])
    await settled()
    go.answer(1, { ok: null })
    go.answer(2, {})
    await expect(answers).resolves.toEqual([null, undefined])
  })
})

describe('cancelling', () => {
  it('rejects at once and tells Go', async () => {
    const { go, ask } = start()
    const stop = new AbortController()
    const answer = ask('decide', {}, stop.signal)
    await settled()
    stop.abort(new Error('stopped'))
    await expect(answer).rejects.toThrow('stopped')
    await settled()
    expect(go.started.at(-1)).toMatchObject({ op: 'cancel', args: { id: 1 } })
    expect(go.open).toBe(0)
  })

  it('sends nothing for a request that has not left', async () => {
    const { go, ask } = start()
    const stop = new AbortController()
    const answer = ask('call', {}, stop.signal)
    stop.abort(new Error('stopped'))
    await expect(answer).rejects.toThrow('stopped')
    await settled()
    await expect(ask('call', {}, stop.signal)).rejects.toThrow('stopped')
    expect(go.envelopes).toEqual([])
  })

  it('after the answer does nothing', async () => {
    const { go, ask } = start()
    const stop = new AbortController()
    const answer = ask('call', {}, stop.signal)
    await settled()
    go.answer(1, { ok: 7 })
    await expect(answer).resolves.toBe(7)
    stop.abort()
    await settled()
    expect(go.envelopes.length).toBe(1)
  })
})

describe('a bridge that fails', () => {
  it('refuses what was asked when Go refuses the envelope', async () => {
    const ask = createBridge({
      send: async () => '{"refused":{"code":"Unauthorized","message":"the secret is wrong"}}',
      secret: 'x',
    })
    await expect(ask('hello', {})).rejects.toMatchObject({ code: 'Unauthorized', message: 'the secret is wrong' })
  })

  it.each([
    ['no JSON', async () => 'oops'],
    ['no envelope', async () => '{"ok":1}'],
    ['an entry without an id', async () => '{"done":[{"ok":1}]}'],
    ['a rejection', async () => Promise.reject(new Error('the pipe broke'))],
  ])('rejects instead of waiting for ever: %s', async (_name, send) => {
    await expect(createBridge({ send, secret: 'x' })('hello', {})).rejects.toMatchObject({ code: 'Internal' })
  })

  it('does not poll for ever for a request that Go has lost', async () => {
    const { go, ask } = start()
    const answer = ask('call', {})
    await settled()
    go.forget(1)
    await expect(answer).rejects.toThrow('lost this request')
    await settled()
    expect(go.envelopes.length).toBe(1)
  })

  it('serves later requests after a failure', async () => {
    const send = vi.fn<(text: string) => Promise<string>>()
    send.mockRejectedValueOnce(new Error('once'))
    send.mockImplementation(async (text) =>
      JSON.stringify({ done: [{ id: JSON.parse(text).submit[0].id, ok: 'fine' }] }),
    )
    const ask = createBridge({ send, secret: 'x' })
    await expect(ask('a', {})).rejects.toThrow('once')
    await expect(ask('b', {})).resolves.toBe('fine')
  })

  it('has not lost what it has not sent yet, when a poll comes back with nothing', async () => {
    const later: (() => void)[] = []
    const envelopes: number[][] = []
    const answers: ((text: string) => void)[] = []
    const send = (text: string): Promise<string> => {
      envelopes.push(JSON.parse(text).submit.map(({ id }: { id: number }) => id))
      return new Promise((resolve) => answers.push(resolve))
    }
    const ask = createBridge({ send, secret: 'x', soon: (act) => later.push(act) })
    const done = (...ids: number[]) => JSON.stringify({ done: ids.map((id) => ({ id, ok: id })) })
    const task = () => new Promise((next) => setImmediate(next))
    const [first, second] = [ask('a', {}), ask('b', {})]
    await task()
    const third = ask('c', {}) // goes with the next task
    answers[0]?.(done(1)) // and the rest is polled for
    await expect(first).resolves.toBe(1)
    await task()
    answers[1]?.(done(2))
    await expect(second).resolves.toBe(2)
    await task()
    for (const answer of answers.slice(2)) answer(done())
    await task()
    for (const act of later) act()
    await task()
    expect(envelopes.at(-1)).toEqual([3])
    answers.at(-1)?.(done(3))
    await expect(third).resolves.toBe(3)
  })

  it('sends what the next tasks ask in one envelope too, while one is under way', async () => {
    const go = new FakeGo()
    const later: (() => void)[] = []
    const ask = createBridge({ send: go.send, secret: 'x', soon: (act) => later.push(act) })
    const task = () => new Promise((next) => setImmediate(next))
    const answers = [ask('a', {})]
    for (const op of ['b', 'c', 'd']) {
      await task()
      answers.push(ask(op, {}))
    }
    expect(go.envelopes.map(({ submit }) => submit.map(({ op }) => op))).toEqual([['a']])
    for (const act of later) act()
    expect(go.envelopes.map(({ submit }) => submit.map(({ op }) => op))).toEqual([['a'], ['b', 'c', 'd']])
    for (const { id } of go.started) go.answer(id, { ok: id })
    await expect(Promise.all(answers)).resolves.toEqual([1, 2, 3, 4])
  })
})

const bound = async () => ''

describe('bindings', () => {
  const page = (go: unknown, secret?: string) =>
    ({
      go,
      addEventListener: () => {},
      document: { querySelector: () => (secret === undefined ? null : { content: secret }) },
    }) as unknown as Window

  it('finds the app behind the page', async () => {
    const call = vi.fn(bound)
    const connection = connect(page({ bridge: { Bridge: { Call: call } } }, 'abc'))
    expect(connection?.secret).toBe('abc')
    await connection?.send('x')
    expect(call).toHaveBeenCalledWith('x')
  })

  it('puts something off until a message of its own comes, in the order it was given', () => {
    const messages: unknown[] = []
    let hear = (_: { source: unknown; data: unknown }): void => {}
    const window = Object.assign(page({ bridge: { Bridge: { Call: bound } } }, 'abc'), {
      location: { origin: 'wails://wails' },
      addEventListener: (_: string, listener: typeof hear) => {
        hear = listener
      },
      postMessage: (data: unknown) => messages.push(data),
    }) as unknown as Window
    const soon = connect(window)?.soon
    const order: string[] = []
    soon?.(() => order.push('one'))
    soon?.(() => order.push('two'))
    expect([order, messages.length]).toEqual([[], 2])
    hear({ source: 'a frame', data: messages[0] })
    hear({ source: window, data: 'something else' })
    expect(order).toEqual([])
    for (const data of messages) hear({ source: window, data })
    expect(order).toEqual(['one', 'two'])
  })

  it.each([
    ['a plain browser', page(undefined, 'abc')],
    ['no bound method', page({ bridge: {} }, 'abc')],
    ['no secret', page({ bridge: { Bridge: { Call: bound } } })],
    ['an empty secret', page({ bridge: { Bridge: { Call: bound } } }, '')],
  ])('finds none: %s', (_name, window) => {
    expect(connect(window)).toBeUndefined()
  })
})
