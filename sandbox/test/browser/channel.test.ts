// Group B of the cases, from outside: other windows, a vanishing frame, late
// answers.
import { assert } from 'chai'
import { makeHost } from '../fixture/host.js'
import { explain, makeSandbox, run, type Sandbox } from '../fixture/sandbox.js'

describe('the channel', () => {
  let sandbox: Sandbox
  beforeEach(() => {
    sandbox = makeSandbox()
  })
  afterEach(() => sandbox.dispose())

  /** Resolves when the host function `fn` has been called. */
  function called(more: Record<string, (input: never, ctx: never) => unknown> = {}) {
    let announce = () => {}
    const reached = new Promise<void>((resolve) => {
      announce = resolve
    })
    const host = makeHost({
      'step.reached': () => announce(),
      ...more,
    })
    return { host, reached }
  }

  it('copies of real messages from another frame change nothing (B10)', async () => {
    const copies: unknown[] = []
    const listener = (event: MessageEvent) => {
      try {
        if (event.source !== window && event.data?.neighbour === undefined) copies.push(structuredClone(event.data))
      } catch {
        // A message with a port cannot be copied by an attacker either.
      }
    }
    addEventListener('message', listener)
    const neighbour = document.createElement('iframe')
    neighbour.src = '/neighbour.html'
    const said = (word: string) =>
      new Promise<void>((resolve) => {
        addEventListener('message', function once(event) {
          if (event.source !== neighbour.contentWindow || event.data?.neighbour !== word) return
          removeEventListener('message', once)
          resolve()
        })
      })
    const ready = said('ready')
    document.body.append(neighbour)
    await ready
    const { host, reached } = called()
    const running = run(`await sdk.step.reached(); await sdk.wait({ ms: 150 }); return await sdk.echo('true value')`, {
      sandbox,
      host,
    })
    await reached
    const done = said('done')
    const forged = ['init', 'start', 'ready', 'hello', 'call', 'result', 'done', 'end', 'stop', 'run'].flatMap(
      (type) => [
        {
          type,
          fn: 'notes.remove',
          input: { id: 1 },
          callId: 'c1',
          seq: 1,
          value: 'fake',
          code: 'return 1',
          nonce: 'x',
        },
      ],
    )
    neighbour.contentWindow?.postMessage({ copies: [...copies, ...forged, null, 1, 'text'] }, '*')
    await done
    const { result } = await running
    removeEventListener('message', listener)
    neighbour.remove()
    assert.equal(result.status, 'ok', explain(result))
    assert.equal(result.value, 'true value')
    assert.deepEqual(host.ran(), ['wait', 'echo'])
  })

  it('messages the page posts to itself change nothing (B10)', async () => {
    const { host, reached } = called()
    const running = run(`await sdk.step.reached(); await sdk.wait({ ms: 60 }); return 1`, { sandbox, host })
    await reached
    for (const type of ['ready', 'call', 'result', 'done'])
      window.postMessage({ type, fn: 'notes.remove', nonce: 'x', value: 2 }, '*')
    const { result } = await running
    assert.equal(result.value, 1, explain(result))
    assert.deepEqual(host.ran(), ['wait'])
  })

  for (const [how, act] of [
    ['is removed', (frame: HTMLIFrameElement) => frame.remove()],
    [
      'reloads',
      (frame: HTMLIFrameElement) => {
        frame.src = frame.src
      },
    ],
    [
      'goes elsewhere',
      (frame: HTMLIFrameElement) => {
        frame.src = '/sandbox-empty.html'
      },
    ],
  ] as const) {
    it(`a frame that ${how} in mid-run ends the run with an error, and the next run boots a new one (B19)`, async () => {
      const before = new Set(document.querySelectorAll('iframe'))
      const { host, reached } = called()
      const began = performance.now()
      const running = run('await sdk.step.reached(); await sdk.wait({ ms: 8000 }); return 1', { sandbox, host })
      await reached
      const frame = [...document.querySelectorAll('iframe')].find((each) => !before.has(each))
      assert.isDefined(frame)
      act(frame as HTMLIFrameElement)
      const { result } = await running
      assert.equal(result.status, 'error', explain(result))
      assert.isBelow(performance.now() - began, 5_000)
      const next = await run('return await sdk.echo(2)', { sandbox })
      assert.equal(next.result.value, 2, explain(next.result))
    })
  }

  it('an answer that arrives after its run is dropped, and the next run is not confused (B17)', async () => {
    const abort = new AbortController()
    let release = (_: unknown) => {}
    const late = new Promise((resolve) => {
      release = resolve
    })
    const { host, reached } = called()
    const slow = makeHost({ 'step.reached': () => host.functions, slow: () => late })
    const first = run(`const p = sdk.slow(); await sdk.echo(1); await p; return 1`, {
      sandbox,
      host: slow,
      signal: abort.signal,
    })
    await new Promise<void>((resolve) => {
      const watch = setInterval(() => {
        if (slow.ran().includes('echo')) {
          clearInterval(watch)
          resolve()
        }
      }, 2)
    })
    abort.abort()
    assert.equal((await first).result.status, 'aborted')
    const second = run(`await sdk.step.reached(); return await sdk.echo('two')`, { sandbox, host })
    await reached
    release('late answer of run 1')
    const { result } = await second
    assert.equal(result.value, 'two', explain(result))
    assert.deepEqual(host.ran(), ['echo'])
  })

  it('a call that is not awaited delays the end, and a second run at once is independent (B17)', async () => {
    const first = run('sdk.wait({ ms: 120, tag: "one" }); return 1', { sandbox })
    const second = run(`return await sdk.echo('two')`, { sandbox })
    const [one, two] = await Promise.all([first, second])
    assert.equal(one.result.value, 1, explain(one.result))
    assert.equal(two.result.value, 'two', explain(two.result))
    assert.deepEqual(one.host.ran(), ['wait'])
    assert.deepEqual(two.host.ran(), ['echo'])
  })

  it('outcomes that come together are taken one by one: between two of them every microtask runs', async () => {
    const names = Array.from({ length: 70 }, (_, i) => `n${i}`)
    const { result } = await run(
      `const trace = []
       await Promise.all(input.map(async (name) => {
         trace.push(await sdk.echo(name))
         for (let i = 0; i < 50; i++) await null
         trace.push(name + ' went on')
       }))
       return trace`,
      { sandbox, input: names, limits: { inFlight: 100 } },
    )
    assert.deepEqual(
      result.value,
      names.flatMap((name) => [name, `${name} went on`]),
      explain(result),
    )
  })

  it('more calls at once than may run: each has the input of its moment, and what cannot cross is refused where it stands', async () => {
    const { result, host } = await run(
      `const state = { n: 0, list: [] }
       const made = []
       for (; state.n < 100; state.n++) {
         state.list.push(state.n)
         made.push(sdk.echo(state))
         if (state.n === 60) made.push(sdk.echo({ state, bad: new Proxy({}, {}) }).catch((error) => error.name))
       }
       return (await Promise.all(made)).map((each) => each.n ?? each)`,
      { sandbox },
    )
    const inputs = Array.from({ length: 100 }, (_, n) => ({ n, list: Array.from({ length: n + 1 }, (_, i) => i) }))
    assert.deepEqual(host.inputs('echo'), inputs, explain(result))
    assert.deepEqual(
      result.value,
      inputs.flatMap(({ n }) => (n === 60 ? [n, 'DataCloneError'] : [n])),
    )
  })

  it('the calls that may run arrive before a loop without end, whatever is made beside them', async () => {
    const { result, host } = await run('for (let i = 0; i < 40; i++) sdk.echo(i)\nfor (;;);', {
      sandbox,
      limits: { busyMs: 500 },
    })
    assert.equal(result.status, 'limit', explain(result))
    assert.deepEqual(
      host.inputs('echo').slice(0, 32),
      Array.from({ length: 32 }, (_, i) => i),
    )
  })

  it('a log line, and the end, come behind the calls that were made before', async () => {
    const { result, host } = await run(
      `for (let i = 0; i < 50; i++) sdk.echo(i)
       console.log('made')
       for (let i = 50; i < 90; i++) sdk.echo(i)
       return 'end'`,
      { sandbox },
    )
    assert.equal(result.value, 'end', explain(result))
    assert.lengthOf(host.ran(), 90)
    assert.isTrue(result.calls.every((call) => call.state === 'ok' && call.awaited === false))
  })

  it('many runs at once do not mix their answers', async () => {
    const runs = Array.from({ length: 12 }, (_, i) =>
      run(`await sdk.wait({ ms: ${(i * 7) % 40} }); return await sdk.echo(${i})`, { sandbox }),
    )
    const values = (await Promise.all(runs)).map(({ result }) => result.value)
    assert.deepEqual(
      values,
      Array.from({ length: 12 }, (_, i) => i),
    )
  })
})
