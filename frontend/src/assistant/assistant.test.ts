import { describe, expect, it } from 'vitest'
import { createRuns } from '../run/runs'
import { approving, definitions, fakeGo } from '../testing/fakeGo'
import { fakeModel, wireError } from '../testing/fakeModel'
import { fakeSandbox } from '../testing/fakeSandbox'
import { until } from '../testing/until'
import { type Assistant, createAssistant } from './assistant'
import { textOf } from './messages'
import { createModel } from './model'

const lastText = ({ chat }: Assistant): string => (chat.lastMessage ? textOf(chat.lastMessage) : '')

const program = `const open = await sdk.orders.list({ status: 'open' })
const gone = []
for (const { id } of open.slice(0, 2)) { await sdk.orders.cancel({ id }); gone.push(id) }
return gone`

const start = async (
  answer: Parameters<typeof fakeModel>[0],
  decide: Parameters<typeof fakeGo>[0] = approving(0, 1),
) => {
  const go = await fakeGo(decide)
  const model = fakeModel(answer)
  const runs = createRuns({ sandbox: fakeSandbox(), operations: go.operations, definitions: () => definitions })
  const texts: string[] = []
  const failures: string[] = []
  const assistant = createAssistant({
    model: () =>
      createModel(
        { provider: 'offline', name: 'offline/test' },
        's3cret',
        'wails://wails/',
        model.send as typeof fetch,
      ),
    definitions: () => definitions,
    runs,
    onText: (text) => texts.push(text),
    onFailure: (text) => failures.push(text),
  })
  const rest = () => until(() => assistant.chat.messages.length > 0 && assistant.atRest())
  return { ...go, ...model, assistant, texts, failures, rest }
}

const scene: Parameters<typeof fakeModel>[0] = ({ messages }) =>
  messages.at(-1)?.role === 'tool' ? { text: 'All done now.' } : { text: 'Let me see.', code: program }

describe('the assistant', () => {
  it('runs the model’s program and tells the model what came of it', async () => {
    const { assistant, rest, requests, texts, log } = await start(scene)
    await assistant.ask('Cancel two orders.')
    await rest()
    expect(requests.map(({ messages }) => messages.map(({ role }) => role))).toEqual([
      ['system', 'user'],
      ['system', 'user', 'assistant', 'tool'],
    ])
    const output = JSON.parse(String(requests[1]?.messages.at(-1)?.content))
    expect(output).toMatchObject({ status: 'ok', value: [expect.any(Number), expect.any(Number)] })
    expect(log.at(-1)).toBe('ended ok')
    expect(texts).toEqual(['Let me see.', 'All done now.'])
    expect(assistant.chat.messages.map(textOf)).toEqual(['Cancel two orders.', 'Let me see.All done now.'])
  })

  it('is at rest only when the last word was said', async () => {
    const { assistant, rest } = await start(scene)
    const atRest = new Set<string>()
    const look = () => assistant.atRest() && atRest.add(lastText(assistant))
    assistant.runs.subscribe(look)
    assistant.chat['~registerMessagesCallback'](look)
    assistant.chat['~registerStatusCallback'](look)
    await assistant.ask('Cancel two orders.')
    await rest()
    look()
    expect([...atRest]).toEqual(['Let me see.All done now.'])
  })

  it('asks through Go only, with the page’s secret', async () => {
    const { assistant, rest, send, requests } = await start(() => ({ text: 'Hello.' }))
    await assistant.ask('Hi')
    await rest()
    const [address, init] = send.mock.calls[0] ?? []
    expect(String(address)).toBe('wails://wails/model/v1/chat/completions')
    expect(new Headers(init?.headers).get('X-Countersign-Secret')).toBe('s3cret')
    expect(new Headers(init?.headers).has('Authorization')).toBe(false)
    expect(requests[0]?.model).toBe('offline/test')
  })

  it('tells the model which functions exist and which need approval', async () => {
    const { assistant, rest, requests } = await start(() => ({ text: 'Hello.' }))
    await assistant.ask('Hi')
    await rest()
    const prompt = String(requests[0]?.messages[0]?.content)
    expect(prompt).toMatch(/declare const sdk: \{\n {2}orders: \{\n {4}\/\*\* List orders \*\/\n {4}list\(/)
    expect(prompt).toContain("These wait for a person's approval: sdk.orders.cancel.")
    expect(requests[0]?.tools).toMatchObject([{ type: 'function', function: { name: 'runCode' } }])
  })

  it('gives the run the person’s own words and the model’s name', async () => {
    const { assistant, rest, operations } = await start(scene)
    await assistant.ask('Cancel two orders.')
    await rest()
    expect(operations.runBegin).toHaveBeenCalledWith(
      expect.objectContaining({ request: 'Cancel two orders.', model: 'offline/test', code: program }),
    )
  })

  it('ends a model that writes programs for ever', async () => {
    const { assistant, rest, requests } = await start(() => ({ code: 'return 1' }))
    await assistant.ask('Go on')
    await rest()
    expect(requests.length).toBe(12)
  })
})

describe('stopping', () => {
  it('while calls wait: the card is withdrawn, nothing is asked again, and the next request works', async () => {
    const { assistant, rest, log, requests, orders } = await start(
      scene,
      (_rows, signal) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    )
    const before = orders.filter(({ status }) => status === 'open').length
    void assistant.ask('Cancel two orders.')
    await until(() => log.includes('asked about 2'))
    await assistant.stop()
    await rest()
    expect(log.at(-1)).toBe('ended aborted')
    expect(requests.length).toBe(1)
    expect(orders.filter(({ status }) => status === 'open').length).toBe(before)

    void assistant.ask('Again')
    await until(() => requests.length === 2)
    expect(requests[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'user'])
    expect(String(requests[1]?.messages[3]?.content)).toContain('Stopped by the person')
    await assistant.stop()
  })

  it('while the answer streams: what was said stays', async () => {
    const { assistant, rest, failures } = await start(() => ({ hold: { text: 'Once upon a time' } }))
    void assistant.ask('Tell me')
    await until(() => lastText(assistant).includes('time'))
    await assistant.stop()
    await rest()
    expect(lastText(assistant)).toBe('Once upon a time')
    expect(failures).toEqual([])
  })
})

describe('a model that fails', () => {
  it.each([
    [400, 'no such model', 'no such model'],
    [401, 'The key was not accepted. Enter it again.', 'The key was not accepted. Enter it again.'],
    [503, '', 'The model’s server answered with status 503 and no reason. Try again.'],
  ])('is reported in the sentence that Go gives, or in one of our own: %i', async (status, message, sentence) => {
    const { assistant, rest, failures } = await start(() => wireError(status, message))
    await assistant.ask('Hi')
    await rest()
    expect(assistant.chat.error?.message).toBe(sentence)
    expect(failures).toEqual([sentence])
  })

  it('after a program: asking again does not run it twice', async () => {
    let broken = true
    const { assistant, rest, operations, requests } = await start(({ messages }) => {
      if (messages.at(-1)?.role !== 'tool') return { text: 'Let me see.', code: program }
      return broken ? wireError(400, 'full') : { text: 'All done now.' }
    })
    await assistant.ask('Cancel two orders.')
    await rest()
    expect(assistant.chat.status).toBe('error')
    broken = false
    await assistant.retry()
    await rest()
    expect(operations.runBegin).toHaveBeenCalledTimes(1)
    expect(requests.at(-1)?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool'])
    expect(lastText(assistant)).toBe('Let me see.All done now.')
  })

  it('before it said anything: asking again sends the request again', async () => {
    let broken = true
    const { assistant, rest, requests } = await start(() => (broken ? wireError(400, 'full') : { text: 'Hello.' }))
    await assistant.ask('Hi')
    await rest()
    broken = false
    await assistant.retry()
    await rest()
    expect(requests.at(-1)?.messages.map(({ role }) => role)).toEqual(['system', 'user'])
    expect(assistant.chat.messages.map(textOf)).toEqual(['Hi', 'Hello.'])
  })
})
