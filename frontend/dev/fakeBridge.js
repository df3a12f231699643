// Stands in for Go: window.go.bridge.Bridge.Call over the orders of the demo. What the address says:
//   ?auto               the page plays the scene by itself
//   ?decide=approve     or reject, first:N, never: what the “person” does with a card
//   ?wait=1500          how long a card stays open, in ms
//   ?slow=120           how long each call takes, in ms
//   ?refuse             the bridge refuses the page
//   ?plain              no scene
//   ?waiting            runs wait since another start
//   ?trouble            the start found that the log is not intact
//   ?calls=3000000      so many calls in the log, the first page of which comes again and again

const asked = new URLSearchParams(location.search)
const delay = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const setup = fetch('/dev/setup.json').then((answer) => answer.json())

class Refusal extends Error {
  constructor(code, message) {
    super(message)
    this.code = code
  }
}

const find = (orders, id) => {
  const order = orders.find((other) => other.id === id)
  if (order) return order
  throw new Refusal('FunctionFailed', `there is no order ${id}; orders.list gives the ids that exist`)
}

const functions = {
  'orders.list': (orders, { status, from, to } = {}) =>
    orders.filter(
      (order) => (!status || order.status === status) && (!from || order.placed >= from) && (!to || order.placed <= to),
    ),
  'orders.get': (orders, { id }) => find(orders, id),
  'orders.cancel': (orders, { id }) => {
    if (typeof id !== 'number')
      throw new Refusal('InvalidInput', `input.id: expected an integer, got ${JSON.stringify(id)}`)
    const order = find(orders, id)
    if (order.status !== 'open') throw new Refusal('FunctionFailed', `order ${id} is ${order.status} already`)
    order.status = 'cancelled'
    return { id, status: order.status }
  },
}

const cancel = "for (const id of [1041, 1047]) await sdk.orders.cancel({ id, reason: 'asked' })\n"
const ago = (ms) => new Date(Date.now() - ms).toISOString()
let waiting = asked.has('waiting')
  ? [
      {
        runId: 'w1',
        request: 'Cancel every open order over $100 from last week, but leave those of Ada alone.',
        title: 'Cancel 2 orders?',
        calls: 2,
        since: ago(26 * 3600_000),
      },
      {
        runId: 'w2',
        request: 'Refund what was paid twice in November. '.repeat(8),
        title: 'Refund 14 orders?',
        calls: 14,
        since: ago(12 * 60_000),
        problem: 'the definition of the function orders.refund, which it has called, has changed since',
      },
    ].map((run) => ({ ...run, model: 'offline' }))
  : []

const trouble = {
  title: 'The log is not intact',
  text: 'Entry 3 was changed: its hash does not fit what it says.',
  do: 'Nothing new runs on it. Close the app, look at the log with “countersign log verify”, then restore a copy of /home/ada/.local/share/countersign/log.db, or move it aside together with its anchor /home/ada/.local/share/countersign/log.db.head.',
}

/** ?many: fifty conversations, the first of 400 messages. */
const said = (n) =>
  Array.from({ length: n }, (_, at) => ({
    id: `m${at}`,
    role: at % 2 ? 'assistant' : 'user',
    parts: [
      {
        type: 'text',
        text: at % 2 ? `Answer **${at}**.\n\n- one\n- two\n\n\`\`\`js\nconst a = ${at}\n\`\`\`` : `Request ${at}`,
      },
    ],
  }))
const conversations = new Map(
  asked.has('many')
    ? Array.from({ length: 50 }, (_, at) => [
        `c${at}`,
        {
          id: `c${at}`,
          title: `Conversation ${at} about the orders of last week`,
          created: ago(at * 3600_000),
          updated: ago(at * 3600_000),
          draft: '',
          messages: said(at === 0 ? 400 : 4),
          runs: [],
        },
      ])
    : [],
)
const deleted = new Map()

const operations = {
  hello: async () => {
    const { scene } = await setup
    return {
      version: 'dev',
      engine: 'browser',
      scene: asked.has('plain') ? null : { ...scene, auto: asked.has('auto') },
    }
  },
  functions: async () =>
    Object.keys(functions).map((name) => ({
      name,
      title: { 'orders.list': 'List orders', 'orders.get': 'Look up an order', 'orders.cancel': 'Cancel an order' }[
        name
      ],
      description: '',
      approval: name === 'orders.cancel' ? 'always' : 'never',
      input: {},
      output: {},
    })),
  'run.begin': async () => ({}),
  judge: async ({ input }) => ({ marked: typeof input.id === 'number' }),
  call: async ({ fn, input }) => {
    const { orders } = await setup
    await delay(Number(asked.get('slow') ?? 40) * (0.5 + Math.random()))
    return functions[fn](orders, input.$ === 'undefined' ? {} : input)
  },
  decide: async ({ rows }, signal) => {
    const how = asked.get('decide') ?? 'approve'
    await Promise.race([
      how === 'never' ? new Promise(() => {}) : delay(Number(asked.get('wait') ?? 1500)),
      new Promise((resolve) => signal.addEventListener('abort', resolve)),
    ])
    const count = how === 'approve' ? rows.length : Number(/^first:(\d+)$/.exec(how)?.[1] ?? 0)
    const ids = rows.map(({ callId }) => callId)
    return { approve: ids.slice(0, count), reject: ids.slice(count), reasons: {} }
  },
  waiting: async () => waiting,
  'waiting.read': async ({ runId }) => ({
    runId,
    code: cancel,
    rows: [1041, 1047].map((id, at) => ({
      callId: `c${at}`,
      seq: at + 1,
      fn: 'orders.cancel',
      input: { id, reason: 'asked' },
    })),
    continuation: null,
  }),
  'waiting.decide': (_args, signal) =>
    new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(new Refusal('Cancelled', 'stopped'))),
    ),
  'waiting.dismiss': async ({ runId }) => {
    waiting = waiting.filter((run) => run.runId !== runId)
    return {}
  },
  'run.end': async () => ({}),
  'conversation.list': async () =>
    [...conversations.values()].map(({ id, title, created, updated }) => ({ id, title, created, updated })),
  'conversation.read': async ({ id }) => {
    const found = conversations.get(id)
    if (!found) throw new Refusal('NotFound', `there is no conversation “${id}”; it may have been deleted`)
    return found
  },
  'conversation.save': async ({ id, title, from, messages, runs }) => {
    const now = new Date().toISOString()
    const known = conversations.get(id) ?? { id, title, created: now, draft: '', messages: [], runs: [] }
    const kept = [...known.messages.slice(0, from), ...messages.map(({ body }) => body)]
    const others = known.runs.filter((run) => !runs.some(({ toolCallId }) => toolCallId === run.toolCallId))
    conversations.set(id, { ...known, updated: now, messages: kept, runs: [...others, ...runs] })
    return {}
  },
  'conversation.rename': async ({ id, title }) => {
    conversations.get(id).title = title
    return {}
  },
  'conversation.draft': async () => ({}),
  'conversation.delete': async ({ id }) => {
    deleted.set(id, conversations.get(id))
    conversations.delete(id)
    return {}
  },
  'conversation.restore': async ({ id }) => {
    conversations.set(id, deleted.get(id))
    return {}
  },
  'conversation.search': async ({ text }) =>
    [...conversations.values()]
      .filter((each) => JSON.stringify(each).includes(text))
      .map(({ id, title, created, updated }) => ({ id, title, created, updated, excerpt: `… \u0002${text}\u0003 …` })),
  'conversation.ofRun': async () => null,
  'conversation.left': async () => null,
  'conversation.leave': async () => ({}),
  transcript: async ({ kind, text }) => {
    window.transcript = [...(window.transcript ?? []), `${kind}: ${text}`]
    return {}
  },
  'log.atStart': async () => ({ trouble: asked.has('trouble') ? trouble : null }),
  'scene.done': async ({ status }) => {
    window.sceneDone = status
    return {}
  },
}

const unknown = async (_args, _signal, op) => {
  throw new Refusal('BadRequest', `there is no operation ${op}`)
}

/** What is asked of the log is answered by the real thing, over a log that was made up. */
const askLog = async (args, signal, op) => {
  const reply = await fetch('/dev/log', { method: 'POST', body: JSON.stringify({ op, args }), signal })
  const { ok, error } = await reply.json()
  if (error) throw new Refusal(error.code, error.message)
  return ok
}

/** A call has the number of its place, counted from the oldest. */
const many = Number(asked.get('calls') ?? 0)
const manyCalls = async ({ source, filter, before, limit }, signal) => {
  const { rows } = await askLog({ source, filter, before: 0, limit }, signal, 'log.calls')
  const newest = before === 0 ? many : Math.min(many, before - 1)
  const here = Array.from({ length: Math.max(0, Math.min(limit, newest)) }, (_, at) => newest - at)
  return { rows: here.map((id, at) => ({ ...rows[at % rows.length], id })), head: many }
}
const manyCounted = async () => ({
  count: many,
  marks: Array.from({ length: Math.ceil(many / 100) }, (_, page) => many - page * 100 - 99).filter((id) => id > 0),
  every: 100,
  head: many,
})
if (many > 0) Object.assign(operations, { 'log.calls': manyCalls, 'log.count': manyCounted })

const cancels = new Map()
Object.assign(operations, window.settingsOperations(asked, Refusal)) // fakeSettings.js

let outstanding = 0
let done = []
const waiters = []

const deliver = () => {
  while (waiters.length > 0 && (done.length > 0 || outstanding === 0)) {
    waiters.shift()(JSON.stringify({ done }))
    done = []
  }
}

const start = async ({ id, op, args }) => {
  outstanding++
  const cancel = new AbortController()
  cancels.set(id, cancel)
  let outcome
  try {
    if (op === 'cancel') cancels.get(args.id)?.abort()
    const answer = operations[op] ?? (op.startsWith('log.') ? askLog : unknown)
    outcome = { ok: op === 'cancel' ? {} : await answer(args, cancel.signal, op) }
  } catch (error) {
    outcome = { error: { code: error.code ?? 'Internal', message: error.message } }
  }
  outstanding--
  done.push({ id, ...outcome })
  deliver()
}

window.go = {
  bridge: {
    Bridge: {
      Call: (text) => {
        const { submit } = JSON.parse(text)
        if (asked.has('refuse')) {
          return Promise.resolve(
            '{"refused":{"code":"Unauthorized","message":"the secret does not belong to this start of the app"}}',
          )
        }
        for (const request of submit) start(request)
        return new Promise((resolve) => {
          waiters.push(resolve)
          deliver()
        })
      },
    },
  },
}
