import { type Check, through, type WholeBench, wholePath } from './check'

const touched = async (bench: WholeBench): Promise<number> =>
  Number(await through(bench, 'return await sdk.probe.touched()'))

/** A program against the gate: what it answered, and how often a marked call executed. */
const held = (claim: string, code: string, program: unknown, executed: number): Check<WholeBench> => ({
  group: 'approval',
  claim,
  tried: code,
  expected: { program, executed },
  run: async (bench) => {
    const before = await touched(bench)
    const answered = await through(bench, code)
    return { program: answered, executed: (await touched(bench)) - before }
  },
})

const refused = (answer: string): string =>
  `try { await sdk.probe.touch({ answer: '${answer}' }).then((x) => x + 0); return 'ran' } catch (e) { return e.name }`

const approval: Check<WholeBench>[] = [
  held(
    'an approved call runs once',
    `const n = await sdk.probe.touch({ answer: 'approve' }); return typeof (n + 0)`,
    'number',
    1,
  ),
  held('a rejected call does not run', refused('reject'), 'ApprovalRejected', 0),
  held('a card that was closed approves nothing', refused('close'), 'ApprovalRejected', 0),
  held('a card that cannot be shown approves nothing', refused('fail'), 'ApprovalRejected', 0),
  held('a card that breaks approves nothing', refused('panic'), 'ApprovalRejected', 0),
  held('an answer about a call that was not shown approves nothing', refused('foreign'), 'ApprovalRejected', 0),
  held('an answer that names a call twice approves nothing', refused('twice'), 'ApprovalRejected', 0),
  held('an answer of no known kind approves nothing', refused('yes, certainly'), 'ApprovalRejected', 0),
  held(
    'of two calls only the approved one runs',
    `const out = []; for (const n of [1, 2]) try { await sdk.probe.touch({ answer: 'first', n }) ; out.push('ran') } catch (e) { out.push(e.name) } return out`,
    ['ran', 'ApprovalRejected'],
    1,
  ),
  held(
    'a swallowed cut lets nothing through',
    `for (let i = 0; i < 3; i++) try { const r = await sdk.probe.touch({ answer: 'reject', n: i }); r.value } catch {} return 'over'`,
    'over',
    0,
  ),
  held(
    'an input that is no input reaches no card',
    `try { await sdk.probe.touch({ answer: 1 }); return 'ran' } catch (e) { return e.name }`,
    'InvalidInput',
    0,
  ),
]

/** Straight at the bridge, as a page would that has been taken over. */
const straight = (
  claim: string,
  tried: string,
  expected: unknown,
  run: (bench: WholeBench, runId: string) => Promise<unknown>,
): Check<WholeBench> => ({
  group: 'gate',
  claim,
  tried,
  expected,
  run: async (bench) => {
    const runId = crypto.randomUUID()
    const before = await touched(bench)
    await bench.operations.runBegin({ runId, request: 'self-test', code: '', model: 'self-test' })
    let answered: unknown
    try {
      answered = await run(bench, runId)
    } catch (error) {
      answered = error instanceof Error ? error.name : String(error)
    } finally {
      await bench.operations.runEnd({ runId, status: 'ok' }).catch(() => {}) // some checks end it themselves
    }
    return { answered, executed: (await touched(bench)) - before }
  },
})

const touch = (runId: string, seq: number, input: object) =>
  ({ runId, callId: `c${seq}`, seq, fn: 'probe.touch', input }) as never
const row = (seq: number, input: object) => ({ callId: `c${seq}`, seq, fn: 'probe.touch', input }) as never
const approve = { answer: 'approve' }

const gate: Check<WholeBench>[] = [
  straight(
    'a marked call without a decision is refused',
    'call probe.touch',
    { answered: 'ApprovalRequired', executed: 0 },
    (bench, runId) => bench.operations.call(touch(runId, 1, approve)),
  ),
  straight(
    'a decision is used once',
    'decide, then the same call twice',
    { answered: 'ApprovalRequired', executed: 1 },
    async (bench, runId) => {
      await bench.operations.decide(runId, [row(1, approve)])
      await bench.operations.call(touch(runId, 1, approve))
      return bench.operations.call({ ...(touch(runId, 1, approve) as object), callId: 'again' } as never)
    },
  ),
  straight(
    'a decision is for the input that was shown',
    'decide n = 1, call n = 2',
    { answered: 'ApprovalRequired', executed: 0 },
    async (bench, runId) => {
      await bench.operations.decide(runId, [row(1, { ...approve, n: 1 })])
      return bench.operations.call(touch(runId, 1, { ...approve, n: 2 }))
    },
  ),
  straight(
    'a decision is for the call that was shown',
    'decide call 1, make call 2',
    { answered: 'ApprovalRequired', executed: 0 },
    async (bench, runId) => {
      await bench.operations.decide(runId, [row(1, approve)])
      return bench.operations.call(touch(runId, 2, approve))
    },
  ),
  straight(
    'a decision is for its own run',
    'decide in one run, call in another',
    { answered: 'ApprovalRequired', executed: 0 },
    async (bench, runId) => {
      const other = crypto.randomUUID()
      await bench.operations.decide(runId, [row(1, approve)])
      await bench.operations.runBegin({ runId: other, request: '', code: '', model: '' })
      try {
        return await bench.operations.call(touch(other, 1, approve))
      } finally {
        await bench.operations.runEnd({ runId: other, status: 'ok' })
      }
    },
  ),
  straight(
    'a decision ends with its run',
    'decide, end the run, call',
    { answered: 'RunEnded', executed: 0 },
    async (bench, runId) => {
      await bench.operations.decide(runId, [row(1, approve)])
      await bench.operations.runEnd({ runId, status: 'ok' })
      return bench.operations.call(touch(runId, 1, approve))
    },
  ),
  straight(
    'a call is put to a decision once',
    'decide the same row twice',
    { answered: 'BadRequest', executed: 0 },
    async (bench, runId) => {
      await bench.operations.decide(runId, [row(1, { answer: 'reject' })])
      return bench.operations.decide(runId, [row(1, approve)])
    },
  ),
]

const wrongSecret = (secret: string) => async (bench: WholeBench) => {
  const answer = JSON.parse(
    await bench.connection.send(JSON.stringify({ secret, submit: [{ id: 1e9, op: 'functions', args: {} }] })),
  )
  return answer.refused?.code ?? 'answered'
}

const bridge: Check<WholeBench>[] = [
  {
    group: 'bridge',
    claim: 'no program finds a way to Go',
    tried: 'go, wails, webkit, chrome, external and the like, on the whole chain',
    expected: [],
    run: (bench) =>
      through(
        bench,
        `const found = []; for (let o = globalThis; o; o = Object.getPrototypeOf(o)) for (const n of ['go', 'wails', 'runtime', 'webkit', 'chrome', 'external', 'WailsInvoke', 'parent', 'opener']) if (Object.getOwnPropertyDescriptor(o, n)) found.push(n); return found`,
      ),
  },
  {
    group: 'bridge',
    claim: 'an envelope without the secret is refused',
    tried: 'secret ""',
    expected: 'Unauthorized',
    run: wrongSecret(''),
  },
  {
    group: 'bridge',
    claim: 'an envelope with another secret is refused',
    tried: 'secret of 64 zeros',
    expected: 'Unauthorized',
    run: wrongSecret('0'.repeat(64)),
  },
  {
    group: 'bridge',
    claim: 'the model is not reached without the secret',
    tried: 'POST /model/v1/chat/completions in the page, without the header',
    expected: 403,
    run: async () => (await fetch('/model/v1/chat/completions', { method: 'POST', body: '{}' })).status,
  },
  ...wholePath('bridge', [
    [
      'a panic in a function is an error at the call',
      `try { await sdk.probe.panic({}); return 'ran' } catch (e) { return e instanceof Error }`,
      true,
    ],
    [
      'an error of a function reaches the program',
      `try { await sdk.probe.fail({}); return 'ran' } catch (e) { return e.message.includes('the function says no') }`,
      true,
    ],
    [
      'values cross unharmed in both directions',
      `const v = { a: -0, b: NaN, c: 12n, d: new Date(5), e: new Map([[1, new Set([2])]]), f: new Uint8Array([1, 2]), g: undefined, h: 'p\\ud800' }
const w = await sdk.probe.echo(v)
return [Object.is(w.a, -0), Number.isNaN(w.b), w.c === 12n, w.d.getTime() === 5, w.e.get(1).has(2), w.f[1] === 2, 'g' in w && w.g === undefined, w.h === 'p\\ud800']`,
      Array(8).fill(true),
    ],
    [
      'names from prototypes are no functions',
      `const out = []; for (const name of ['constructor', '__proto__', 'toString', 'then']) out.push(typeof Object.getOwnPropertyDescriptor(sdk, name)); return out`,
      Array(4).fill('undefined'),
    ],
  ]),
]

export const gates: Check<WholeBench>[] = [...approval, ...gate, ...bridge]
