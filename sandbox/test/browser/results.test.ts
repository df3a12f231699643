// SPEC §2: what a result holds, what a listener hears, what a model is given.
import { toToolOutput } from '@faustine-ai/browser-sandbox'
import { assert } from 'chai'
import { makeHost } from '../fixture/host.js'
import { collect, explain, held, makeSandbox, resume, run, shared } from '../fixture/sandbox.js'

interface Event {
  type: 'status' | 'call' | 'log'
  status?: string
  phase?: string
  runId: string
  callId?: string
  seq?: number
  fn?: string
  input?: unknown
  state?: string
  ms?: number
  level?: string
  text?: string
  at?: number
}

const tool = toToolOutput as unknown as (result: unknown, options?: { maxChars?: number }) => Record<string, unknown>

describe('results', () => {
  for (const [status, code, options] of [
    ['ok', 'console.log(1); return await sdk.echo(1)', {}],
    ['error', 'console.log(1); await sdk.echo(1); throw new Error("x")', {}],
    ['limit', 'console.log(1); await sdk.echo(1); while (true) {}', { limits: { busyMs: 300 } }],
    [
      'pending',
      'console.log(1); await sdk.echo(1); await sdk.notes.remove({}); return 1',
      { approval: { mode: 'collect' } },
    ],
  ] as const) {
    it(`a result of status ${status} has runId, logs, calls and timings`, async () => {
      const { result } = await run(code, options)
      assert.equal(result.status, status, explain(result))
      assert.isString(result.runId)
      assert.isNotEmpty(result.runId)
      assert.equal(result.logs[0]?.text, '1')
      assert.equal(result.logs[0]?.level, 'log')
      assert.isNumber(result.logs[0]?.at)
      const [call] = result.calls
      assert.isString(call?.callId)
      assert.deepInclude(call, { seq: 1, fn: 'echo', input: 1, state: 'ok', value: 1 })
      assert.isAtLeast(call?.ms ?? -1, 0)
      assert.sameMembers(Object.keys(result.timings), ['boot', 'run', 'waiting', 'host', 'total'])
      for (const part of Object.values(result.timings)) assert.isTrue(Number.isFinite(part) && part >= 0)
      assert.isAtLeast(result.timings.total + 1, result.timings.run)
      if (status !== 'ok') assert.isFalse('value' in result && result.value !== undefined)
      if (status === 'ok' || status === 'pending') assert.isUndefined(result.error)
    })
  }

  it('run ids are unique, and call ids are unique over runs', async () => {
    const runs = await Promise.all(
      Array.from({ length: 5 }, () => run('await sdk.echo(1); await sdk.echo(2); return 1')),
    )
    assert.equal(new Set(runs.map(({ result }) => result.runId)).size, 5)
    for (const { result } of runs) assert.notEqual(result.calls[0]?.callId, result.calls[1]?.callId)
  })

  it('calls are listed in the order they were made, with their states (SPEC §2)', async () => {
    const { result } = await run(
      'const a = sdk.wait({ ms: 40 }); const b = sdk.echo(1); try { await sdk.fail({}) } catch {} try { await sdk.mail.send({}) } catch {} await a; await b; return 1',
    )
    assert.deepEqual(
      result.calls.map((call) => [call.seq, call.fn, call.state]),
      [
        [1, 'wait', 'ok'],
        [2, 'echo', 'ok'],
        [3, 'fail', 'error'],
        [4, 'mail.send', 'denied'],
      ],
      explain(result),
    )
    assert.isAtLeast(result.calls[0]?.ms ?? 0, 30)
    assert.equal(result.calls[2]?.error?.message.includes('the host says no'), true)
  })

  it('a call that nobody awaited is awaited and marked; its failure is a log line (SPEC §2, §3)', async () => {
    const { result, host } = await run('sdk.wait({ ms: 50 }); sdk.fail({}); return 7')
    assert.equal(result.status, 'ok', explain(result))
    assert.equal(result.value, 7)
    assert.deepEqual(host.ran(), ['wait', 'fail'])
    assert.equal(result.calls[0]?.state, 'ok')
    assert.isFalse(result.calls[0]?.awaited)
    assert.equal(result.calls[1]?.state, 'error')
    assert.isTrue(result.logs.some((line) => line.text.includes('the host says no')))
  })

  it('an unhandled rejection is one log line of level error and no change of the status (SPEC §3)', async () => {
    const { result } = await run('Promise.reject(new Error("nobody looks")); return 1')
    assert.equal(result.status, 'ok', explain(result))
    const errors = result.logs.filter((line) => line.level === 'error')
    assert.lengthOf(errors, 1)
    assert.include(errors[0]?.text, 'nobody looks')
  })

  for (const [when, code, expected] of [
    ['in the reaction to the last settlement', "sdk.echo(1).then(() => { Promise.reject('late') }); return 1", 1],
    ['by the body as it ends', "queueMicrotask(() => Promise.reject('late')); return 1", 1],
    [
      'at the end of many microtasks',
      "let n = 0; const step = () => (++n < 50_000 ? Promise.resolve().then(step) : Promise.reject('late')); step(); return 1",
      1,
    ],
    [
      'in the reaction to a call that is refused',
      "sdk.fail({ how: 'error' }).catch(() => { throw 'late' }); return 1",
      1,
    ],
    [
      'again after the first was reported',
      "sdk.echo(1).then(() => { Promise.reject('late'); return sdk.echo(2) }).then(() => { Promise.reject('late') }); return 1",
      2,
    ],
    ['many at once', "for (let i = 0; i < 200; i++) Promise.reject('late'); return 1", 200],
    ['and the body throws', "Promise.reject('late'); throw new Error('the body')", 1],
  ] as const) {
    it(`a rejection that nobody handles is a log line however late: ${when} (SPEC §3)`, async () => {
      const { result } = await run(code)
      const lines = result.logs.filter(({ level, text }) => level === 'error' && text.includes('late'))
      assert.lengthOf(lines, expected, explain(result))
    })
  }

  it('an exception in a timer is a log line of level error and no change of the status (SPEC §3)', async () => {
    const { result } = await run(
      'setTimeout(() => { throw new Error("in a timer") }, 1); await sdk.wait({ ms: 60 }); return 1',
    )
    assert.equal(result.status, 'ok', explain(result))
    assert.isTrue(result.logs.some((line) => line.level === 'error' && line.text.includes('in a timer')))
  })

  for (const [how, listen] of [
    ['a function', "signal.addEventListener('abort', fail)"],
    ['an object', "signal.addEventListener('abort', { handleEvent: fail })"],
    ['onabort', 'signal.onabort = fail'],
    [
      'a function that is given twice',
      "signal.addEventListener('abort', fail); signal.addEventListener('abort', fail)",
    ],
  ]) {
    it(`an exception in a listener of a signal is one log line with its text: ${how} (SPEC §3)`, async () => {
      const { result } = await run(`
        const controller = new AbortController(), { signal } = controller
        const fail = () => { throw new RangeError('in a listener') }
        ${listen}
        controller.abort()
        return 1`)
      assert.equal(result.status, 'ok', explain(result))
      assert.deepEqual(
        result.logs.map(({ level, text }) => [level, text.replace(/ \(line \d+\)$/, '')]),
        [['error', 'Uncaught: RangeError: in a listener']],
      )
    })
  }

  it('listeners of a signal come and go as in any page', async () => {
    const { result } = await run(`
      const out = [], controller = new AbortController(), { signal } = controller
      const gone = () => out.push('gone'), once = (event) => out.push(event.type, event.target === signal)
      signal.addEventListener('abort', gone)
      signal.removeEventListener('abort', gone)
      signal.addEventListener('abort', once, { once: true })
      out.push(signal.onabort)
      const handler = function () { out.push(this === signal) }
      signal.onabort = handler
      out.push(signal.onabort === handler)
      controller.abort()
      signal.onabort = null
      out.push(signal.onabort)
      return out`)
    assert.deepEqual(result.value, [null, true, 'abort', true, true, null], explain(result))
  })

  it('a rejection that is handled in time is no log line', async () => {
    const { result } = await run(
      'const p = Promise.reject(new Error("caught")); p.catch(() => {}); await null; return 1',
    )
    assert.deepEqual(result.logs, [])
  })

  it('timers left over are dropped (SPEC §3)', async () => {
    const began = performance.now()
    const { result } = await run('setTimeout(() => console.log("late"), 3000); setInterval(() => {}, 10); return 1')
    assert.equal(result.status, 'ok')
    assert.isBelow(performance.now() - began, 2_500)
    assert.deepEqual(result.logs, [])
  })

  it('timers work: arguments, clearing, intervals, nothing evaluated from text', async () => {
    const { result } = await run(`
      const out = []
      await new Promise((resolve) => setTimeout((a, b) => { out.push(a + b); resolve() }, 1, 2, 3))
      const cleared = setTimeout(() => out.push('cleared'), 1); clearTimeout(cleared)
      clearInterval(\`\${setTimeout(() => out.push('cleared by text'), 1)}\`)
      let n = 0
      await new Promise((resolve) => { const i = setInterval(() => { if (++n === 3) { clearInterval(i); resolve() } }, 1) })
      out.push(n)
      return out`)
    assert.deepEqual(result.value, [5, 3], explain(result))
  })

  it('run excludes the time spent waiting for people; host counts host functions (SPEC §2)', async () => {
    const { result } = await run('await sdk.wait({ ms: 100 }); await sdk.notes.remove({}); return 1', {
      approval: { mode: 'pause', onApproval: () => new Promise((resolve) => setTimeout(resolve, 200, 'approve')) },
    })
    assert.isAtLeast(result.timings.waiting, 180)
    assert.isAtLeast(result.timings.host, 90)
    assert.isBelow(result.timings.host, 250)
    assert.isAtLeast(result.timings.run, 90)
    assert.isBelow(result.timings.run, 300)
    assert.isAtLeast(result.timings.total, 280)
  })
})

describe('console', () => {
  it('arguments that bite give lines, never an exception (E17)', async () => {
    const { result } = await run(`const c = {}; c.c = c
      console.log(c, 1n, Symbol('s'), new Map([[1, 2]]), { toString() { throw 1 } }, { get a() { throw 2 } }, new Proxy({}, { ownKeys() { throw 3 } }), () => 1, new Error('e'))
      console.error()
      return 1`)
    assert.equal(result.value, 1, explain(result))
    assert.deepEqual(
      result.logs.map((line) => line.level),
      ['log', 'error'],
    )
    assert.include(result.logs[0]?.text, '1n')
    assert.include(result.logs[0]?.text, 'Symbol(s)')
  })

  it('levels are kept', async () => {
    const { result } = await run(
      'console.log("a"); console.info("b"); console.warn("c"); console.error("d"); console.debug("e"); return 1',
    )
    assert.deepEqual(
      result.logs.map((line) => [line.level, line.text]),
      [
        ['log', 'a'],
        ['info', 'b'],
        ['warn', 'c'],
        ['error', 'd'],
        ['debug', 'e'],
      ],
    )
  })

  it('every method that models use exists and does not throw', async () => {
    const { result } = await run(
      `for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace', 'table', 'dir', 'group', 'groupCollapsed', 'groupEnd', 'time', 'timeEnd', 'timeLog', 'count', 'countReset', 'assert', 'clear']) console[name]?.({ a: 1 }); return 1`,
    )
    assert.equal(result.value, 1, explain(result))
  })

  it('what is printed is readable: objects, arrays, dates, errors, bytes', async () => {
    const { result } = await run(
      `console.log({ a: [1, 'x'], d: new Date(0) }, new Error('broken'), new Uint8Array([1, 2]), undefined, null, -0, 'plain'); return 1`,
    )
    const text = result.logs[0]?.text ?? ''
    for (const part of ['a', '1', 'x', '1970-01-01T00:00:00.000Z', 'broken', 'undefined', 'null', 'plain'])
      assert.include(text, part)
  })

  it('lines are in order and have times that do not run backwards', async () => {
    const { result } = await run('for (let i = 0; i < 50; i++) console.log(i); return 1')
    assert.deepEqual(
      result.logs.map((line) => line.text),
      Array.from({ length: 50 }, (_, i) => String(i)),
    )
    for (let i = 1; i < 50; i++) assert.isAtLeast(result.logs[i]?.at ?? 0, result.logs[i - 1]?.at ?? 0)
  })
})

describe('events', () => {
  const listen = () => {
    const events: Event[] = []
    return { events, onEvent: (event: Event) => events.push(event) }
  }

  it('statuses come as starting, running, then the final one last of all (SPEC §2)', async () => {
    for (const [final, code, options] of [
      ['ok', 'console.log(1); await sdk.echo(1); return 1', {}],
      ['error', 'console.log(1); throw 1', {}],
      ['limit', 'while (true) {}', { limits: { busyMs: 200 } }],
      ['pending', 'await sdk.notes.remove({}); return 1', { approval: { mode: 'collect' } }],
    ] as const) {
      const { events, onEvent } = listen()
      const { result } = await run(code, { ...options, onEvent })
      assert.deepEqual(
        events.filter((event) => event.type === 'status').map((event) => event.status),
        ['starting', 'running', final],
      )
      assert.equal(events.at(-1)?.type, 'status')
      for (const event of events) assert.equal(event.runId, result.runId)
    }
  })

  it('a call gives start and end, with what it is (SPEC §2)', async () => {
    const { events, onEvent } = listen()
    const { result } = await run('await sdk.echo({ a: 1 }); return 1', { onEvent })
    const calls = events.filter((event) => event.type === 'call')
    assert.deepEqual(
      calls.map((event) => event.phase),
      ['start', 'end'],
    )
    for (const event of calls) {
      assert.deepInclude(event, { fn: 'echo', seq: 1, callId: result.calls[0]?.callId })
      assert.deepEqual(event.input, { a: 1 })
    }
    assert.equal(calls[1]?.state, 'ok')
    assert.isNumber(calls[1]?.ms)
  })

  it('a held call gives pending (SPEC §2)', async () => {
    const { events, onEvent } = listen()
    await collect('await sdk.notes.remove({ id: 1 }); return 1', { onEvent })
    const calls = events.filter((event) => event.type === 'call')
    assert.deepEqual(
      calls.map((event) => event.phase),
      ['pending'],
    )
    assert.deepEqual(calls[0]?.input, { id: 1 })
  })

  it('log lines come as they are written, with level, text and time (SPEC §2)', async () => {
    const { events, onEvent } = listen()
    let seenWhileRunning = 0
    const host = makeHost({
      look: () => {
        seenWhileRunning = events.filter((event) => event.type === 'log').length
      },
    })
    const { result } = await run('console.warn("one"); await sdk.look(); console.log("two"); return 1', {
      host,
      onEvent,
    })
    const logs = events.filter((event) => event.type === 'log')
    assert.deepEqual(
      logs.map(({ level, text, at }) => ({ level, text, at })),
      result.logs as never,
    )
    assert.equal(seenWhileRunning, 1)
  })

  it('a listener that throws is ignored (SPEC §2)', async () => {
    const { result } = await run('console.log(1); return await sdk.echo(2)', {
      onEvent: () => {
        throw new Error('listener')
      },
    })
    assert.equal(result.value, 2, explain(result))
  })

  it('replayed calls and the check pass give no events (SPEC §2)', async () => {
    const { result, host } = await held(
      'console.log("a"); await sdk.echo(1); const r = await sdk.notes.remove({ id: 1 }); console.log("b", r.ok); await sdk.echo(2); return 1',
    )
    const { events, onEvent } = listen()
    const end = await shared.resume(result.continuation, {
      functions: host.functions,
      decisions: { all: 'approve' },
      onEvent,
    })
    assert.equal(end.status, 'ok', explain(end))
    assert.deepEqual(
      events.filter((event) => event.type === 'call').map((event) => [event.fn, event.phase]),
      [
        ['notes.remove', 'start'],
        ['notes.remove', 'end'],
        ['echo', 'start'],
        ['echo', 'end'],
      ],
    )
    assert.deepEqual(
      events.filter((event) => event.type === 'log').map((event) => event.text),
      ['b true'],
    )
    assert.equal(events.at(-1)?.status, 'ok')
  })

  it('what a listener does to an event changes neither call nor result', async () => {
    const { result, host } = await run('return (await sdk.echo({ a: 1 })).a', {
      onEvent: (event: Event) => {
        if (event.type === 'call' && event.input) (event.input as { a: number }).a = 99
      },
    })
    assert.equal(result.value, 1, explain(result))
    assert.deepEqual(host.inputs('echo'), [{ a: 1 }])
  })
})

describe('toToolOutput', () => {
  const sizes = [200, 500, 2_000, 20_000]

  it('is JSON-safe, bounded and keeps the status, whatever the result (SPEC §2)', async function () {
    this.timeout(60_000)
    const results = [
      (await run('return 1')).result,
      (await run('return "x".repeat(1e6)')).result,
      (await run('return Array.from({ length: 5e4 }, (_, i) => ({ i }))')).result,
      (await run('const a = {}; a.me = a; return a')).result,
      (await run('let a = ["x"]; for (let i = 0; i < 30; i++) a = [a, a]; return a')).result,
      (await run('return "\\u0000\\u0001\\"\\\\".repeat(20000)')).result,
      (await run('return "\\ud800".repeat(20000)')).result,
      (
        await run(
          'for (let i = 0; i < 500; i++) console.log("y".repeat(300)); for (let i = 0; i < 200; i++) await sdk.echo("z".repeat(500)); throw new Error("w".repeat(1e6))',
        )
      ).result,
      (await run('while (true) {}', { limits: { busyMs: 200 } })).result,
      (await held('for (let i = 0; i < 100; i++) await sdk.mail.send({ body: "v".repeat(2000) }); return 1')).result,
    ]
    for (const result of results) {
      for (const maxChars of [undefined, ...sizes]) {
        const output = tool(result, maxChars === undefined ? undefined : { maxChars })
        const text = JSON.stringify(output)
        assert.isAtMost(text.length, maxChars ?? 20_000, explain(result).slice(0, 200))
        assert.deepEqual(JSON.parse(text), output, 'it is plain JSON')
        assert.equal(output.status, result.status)
        assert.notInclude(text, 'continuation')
      }
    }
  })

  it('says what was cut (SPEC §2)', async () => {
    const { result } = await run('return "x".repeat(1e5)')
    assert.match(JSON.stringify(tool(result, { maxChars: 1000 })), /cut|truncated|more|omitted|of 100000/i)
  })

  it('values that JSON lacks get a readable text (SPEC §2)', async () => {
    const { result } = await run(
      `return { date: new Date(0), map: new Map([['k', 1]]), set: new Set(['s']), big: 12345678901234567890n, bytes: new Uint8Array([1, 2, 3]), file: new File(['abc'], 'name.txt', { type: 'text/plain' }), error: new RangeError('out of range'), undef: undefined, nan: NaN, inf: -Infinity }`,
    )
    const text = JSON.stringify(tool(result))
    for (const part of [
      '1970-01-01T00:00:00.000Z',
      'k',
      's',
      '12345678901234567890',
      'name.txt',
      'out of range',
      'NaN',
      '-Infinity',
    ])
      assert.include(text, part)
    assert.match(text, /3 bytes|Uint8Array/)
  })

  it('names the error and its line, the calls that ran, and the tail of the log', async () => {
    const { result } = await run(
      'for (let i = 0; i < 30; i++) console.log("line " + i); await sdk.echo(1); try { await sdk.mail.send({}) } catch {} null.x',
    )
    const text = JSON.stringify(tool(result))
    for (const part of ['error', 'TypeError', 'line 29', 'echo', 'mail.send', 'denied']) assert.include(text, part)
  })

  it('with little room the value stays before the log, and the log before the calls (SPEC §2)', async () => {
    const { result } = await run(
      'for (let i = 0; i < 50; i++) { console.log("log ".repeat(20)); await sdk.echo("call ".repeat(20)) } return "the value"',
    )
    const text = JSON.stringify(tool(result, { maxChars: 400 }))
    assert.include(text, 'the value')
    assert.isAtMost(text.length, 400)
  })

  it('of a pending result tells what waits', async () => {
    const { result } = await held('await sdk.notes.remove({ id: 77 }); return 1')
    const text = JSON.stringify(tool(result))
    assert.include(text, 'pending')
    assert.include(text, 'notes.remove')
  })

  it('is small for a result that met outputBytes (E28)', async () => {
    const { result } = await run('return "x".repeat(5e7)')
    assert.isBelow(JSON.stringify(tool(result)).length, 2_000)
  })

  it('does not call what the host put into a result', async () => {
    const end = await resume((await held('await sdk.notes.remove({ id: 1 }); return { toJSON: 1 }')).result, {
      all: 'approve',
    })
    assert.deepEqual(JSON.parse(JSON.stringify(tool(end))).status, 'ok')
  })
})

describe('warm sandboxes', () => {
  it('any number of spare workers: a burst of runs all work, each in its own worker', async () => {
    const sandbox = makeSandbox({ warm: 4 })
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        run(`globalThis.n = (globalThis.n ?? 0) + 1; return [${i}, n]`, { sandbox }),
      ),
    )
    assert.deepEqual(
      results.map(({ result }) => result.value),
      Array.from({ length: 10 }, (_, i) => [i, 1]),
    )
    sandbox.dispose()
  })

  it('keep one frame over many runs', async () => {
    const before = document.querySelectorAll('iframe').length
    const sandbox = makeSandbox({ warm: true })
    for (let i = 0; i < 5; i++) await run('return 1', { sandbox })
    assert.equal(document.querySelectorAll('iframe').length, before + 1)
    sandbox.dispose()
    assert.equal(document.querySelectorAll('iframe').length, before)
  })

  /** A sandbox with one spare up and nothing else under way, and what came from its frame since: “worker record”. */
  const rested = async () => {
    const sandbox = makeSandbox({ warm: true })
    const came: string[] = []
    let look = () => {}
    const listener = ({ data }: MessageEvent) => {
      for (const { type } of data?.records ?? [data ?? {}]) came.push(`${data?.worker} ${type}`)
      look()
    }
    addEventListener('message', listener)
    const count = (what: string) => came.filter((line) => line.endsWith(` ${what}`)).length
    await run('return 1', { sandbox })
    /** Resolves when something more comes from the frame. */
    const next = () =>
      new Promise<void>((resolve) => {
        look = resolve
      })
    while (count('up') < 2 || count('stopped') < 1) await next()
    came.length = 0
    const close = () => {
      removeEventListener('message', listener)
      sandbox.dispose()
    }
    return { sandbox, came, next, close }
  }
  const busy =
    'const until = Date.now() + 400; while (Date.now() < until); await sdk.echo(1); await sdk.wait({ ms: 300 })'
  const first = (came: string[], what: string) => came.findIndex((line) => line.endsWith(` ${what}`))

  it('the next spare starts beside a program that runs on', async () => {
    const { sandbox, came, next, close } = await rested()
    const up = async () => {
      while (first(came, 'up') < 0) await next()
    }
    const { status } = await sandbox.run({ code: 'await sdk.up()', functions: { up } })
    assert.equal(status, 'ok', came.join(', '))
    close()
  })

  it('the next spare starts when a short program has ended', async () => {
    const { sandbox, came, next, close } = await rested()
    await run('return 1', { sandbox })
    while (first(came, 'up') < 0) await next()
    close()
  })

  it('a run that waits gets a worker at once, though another program is only beginning', async () => {
    const { sandbox, came, close } = await rested()
    await Promise.all([run(busy, { sandbox }), run(busy, { sandbox })])
    assert.equal(first(came, 'up'), 0, came.join(', '))
    close()
  })

  it('a sandbox that is not warm leaves no frame: the task after its run removes it', async () => {
    const before = document.querySelectorAll('iframe').length
    const sandbox = makeSandbox()
    await run('return 1', { sandbox })
    await new Promise((resolve) => setTimeout(resolve))
    assert.equal(document.querySelectorAll('iframe').length, before)
    sandbox.dispose()
  })
})

after(() => shared.dispose())
