import { describe, expect, it, vi } from 'vitest'
import { createPlaces } from '../place/places'
import { createRuns } from '../run/runs'
import { createWaitingRuns } from '../run/waiting'
import { fakeConversations } from '../testing/fakeConversations'
import { approving, definitions, fakeGo } from '../testing/fakeGo'
import { fakeModel } from '../testing/fakeModel'
import { fakeSandbox } from '../testing/fakeSandbox'
import { until } from '../testing/until'
import { type Assistant, createAssistant } from './assistant'
import { createConversations } from './conversations'
import { type AssistantMessage, textOf } from './messages'
import { createModel } from './model'

const program = `const [one] = await sdk.orders.list({ status: 'open' })
await sdk.orders.cancel({ id: one.id })
return one.id`

type Kept = ReturnType<typeof fakeConversations>
type Go = Awaited<ReturnType<typeof fakeGo>>

/** One load of the page, on what Go keeps. */
const page = (kept: Kept, go: Go, says: Parameters<typeof fakeModel>[0]) => {
  const model = fakeModel(says)
  const runs = createRuns({ sandbox: fakeSandbox(), operations: go.operations, definitions: () => definitions })
  const places = createPlaces()
  const conversations = createConversations({
    operations: kept.operations,
    runs,
    places,
    waiting: async () => [...go.kept.keys()],
    make: (of) =>
      createAssistant({
        ...of,
        model: () => createModel({ provider: 'offline', name: 'm' }, 's', 'wails://wails/', model.send as typeof fetch),
        definitions: () => definitions,
        runs,
      }),
  })
  const waiting = createWaitingRuns(go.operations, runs, conversations.home)
  const open = async (id?: string): Promise<Assistant> => {
    await until(() => conversations.open(id) !== 'opening')
    const now = conversations.open(id)
    if (typeof now !== 'object' || !('talk' in now)) throw new Error(JSON.stringify(now))
    return now.talk.begin()
  }
  return { ...model, runs, places, conversations, waiting, open }
}

const rest = (assistant: Assistant) => until(() => assistant.chat.messages.length > 0 && assistant.atRest())
const never = () => new Promise<never>(() => {})
const says: Parameters<typeof fakeModel>[0] = ({ messages }) =>
  messages.at(-1)?.role === 'tool' ? { text: 'It is cancelled.' } : { text: 'Let me see.', code: program }
const all = ({ chat }: Assistant) => chat.messages.map(textOf)

describe('a conversation', () => {
  it('gets a place, a title and a row in the list with its first words', async () => {
    const kept = fakeConversations()
    const { open, places, conversations } = page(kept, await fakeGo(approving(0)), says)
    const assistant = await open()
    await assistant.ask('Cancel the first order.\nPlease.')
    await rest(assistant)
    await conversations.flush()
    expect(places.get()).toEqual({ at: 'conversation', id: assistant.id })
    expect(conversations.get().list.map(({ title }) => title)).toEqual(['Cancel the first order.'])
    const fresh = await open()
    expect(fresh.id).not.toBe(assistant.id)
  })

  it('is the same after a restart: messages, runs, and what they showed', async () => {
    const kept = fakeConversations()
    const go = await fakeGo(approving(0))
    const first = page(kept, go, says)
    const before = await first.open()
    await before.ask('Cancel the first order.')
    await rest(before)
    await first.conversations.flush()

    const { open, runs, requests } = page(kept, go, () => ({ text: 'Yes.' }))
    const after = await open(before.id)
    expect(all(after)).toEqual(['Cancel the first order.', 'Let me see.It is cancelled.'])
    expect(runs.get(after.keyOf('call_1'))).toMatchObject({
      standing: 'ok',
      code: program,
      result: { status: 'ok' },
      calls: [{ fn: 'orders.list' }, { fn: 'orders.cancel', standing: 'ok', asked: true }],
    })
    expect(after.unfinished()).toBeUndefined()
    // Nothing is asked by itself.
    expect(requests).toHaveLength(0)
    await after.ask('And now?')
    await rest(after)
    expect(requests[0]?.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ])
  })

  it('saves only what changed', async () => {
    const kept = fakeConversations()
    const save = vi.spyOn(kept.operations, 'save')
    const { open, conversations } = page(kept, await fakeGo(approving(0)), () => ({ text: 'Hello.' }))
    const assistant = await open()
    await assistant.ask('One')
    await rest(assistant)
    await conversations.flush()
    save.mockClear()
    await assistant.ask('Two')
    await rest(assistant)
    await conversations.flush()
    expect(save.mock.calls.map(([{ from }]) => from)).toEqual([2])
    await conversations.flush()
    expect(save).toHaveBeenCalledTimes(1)
  })

  it('says why what is said is not kept, and works on', async () => {
    const kept = fakeConversations()
    kept.operations.save = async () => {
      throw new Error('the disk is full')
    }
    const { open, conversations } = page(kept, await fakeGo(approving(0)), () => ({ text: 'Hello.' }))
    const assistant = await open()
    await assistant.ask('One')
    await rest(assistant)
    await conversations.flush()
    expect(conversations.get().failure).toBe('the disk is full')
    expect(all(assistant)).toEqual(['One', 'Hello.'])
  })

  it('is renamed, found, deleted and brought back', async () => {
    const kept = fakeConversations()
    const { open, conversations, places } = page(kept, await fakeGo(approving(0)), () => ({ text: 'Hello.' }))
    const assistant = await open()
    await assistant.ask('Good morning')
    await rest(assistant)
    await conversations.flush()
    await conversations.rename(assistant.id, 'Mine')
    expect((await conversations.search('morning')).map(({ title }) => title)).toEqual(['Mine'])
    await conversations.remove(assistant.id)
    expect(conversations.get().list).toEqual([])
    expect(places.get()).toEqual({ at: 'conversation' })
    await conversations.undo()
    expect(conversations.get().list.map(({ title }) => title)).toEqual(['Mine'])
    expect(all(await open(assistant.id))).toEqual(['Good morning', 'Hello.'])
  })

  it('goes on from an earlier request that is put in other words', async () => {
    const kept = fakeConversations()
    const { open, conversations, requests } = page(kept, await fakeGo(approving(0)), (_request, n) => ({
      text: `Answer ${n}.`,
    }))
    const assistant = await open()
    for (const request of ['One', 'Two']) {
      await assistant.ask(request)
      await rest(assistant)
    }
    await assistant.edit(assistant.chat.messages[0]?.id ?? '', 'Uno')
    await rest(assistant)
    expect(all(assistant)).toEqual(['Uno', 'Answer 3.'])
    expect(requests.at(-1)?.messages.map(({ role }) => role)).toEqual(['system', 'user'])
    await conversations.flush()
    expect(kept.kept.get(assistant.id)?.messages.map(textOf)).toEqual(['Uno', 'Answer 3.'])
  })

  it('runs a program once more as a run of its own, which asks anew', async () => {
    const kept = fakeConversations()
    const go = await fakeGo(approving(0))
    const { open, runs, conversations, requests } = page(kept, go, says)
    const assistant = await open()
    await assistant.ask('Cancel the first order.')
    await rest(assistant)
    await assistant.runAgain('call_1')
    const [again = ''] = runs.againOf(assistant.keyOf('call_1'))
    expect(runs.get(again)).toMatchObject({ standing: 'ok', runId: 'run-2' })
    expect(go.operations.decide).toHaveBeenCalledTimes(2)
    expect(go.operations.runBegin).toHaveBeenLastCalledWith(
      expect.objectContaining({ request: 'Cancel the first order.', code: program }),
    )
    expect(requests).toHaveLength(2) // the model does not hear of it
    await conversations.flush()
    expect(kept.kept.get(assistant.id)?.runs.map(({ toolCallId }) => toolCallId)).toEqual(['call_1', 'call_1 again 1'])
  })

  it.each([
    ['is being written', 'cut', [{ type: 'text', text: 'Once upon', state: 'streaming' }]],
    ['was not begun', 'unanswered', undefined],
  ])('says, after the app closed, that an answer that %s is missing, and gets it', async (_name, why, parts) => {
    const kept = fakeConversations()
    const messages = [
      { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Tell me' }] },
      ...(parts ? [{ id: 'a', role: 'assistant', parts }] : []),
    ] as AssistantMessage[]
    await kept.operations.save({
      id: 'c',
      title: 'Tell me',
      from: 0,
      messages: messages.map((body) => ({ words: '', body })),
      runs: [],
    })
    const { open, requests } = page(kept, await fakeGo(approving(0)), () => ({ text: 'The end.' }))
    const assistant = await open('c')
    expect(assistant.unfinished()).toBe(why)
    expect(requests).toHaveLength(0)
    await assistant.retry()
    await rest(assistant)
    expect(all(assistant)).toEqual(['Tell me', 'The end.'])
    expect(assistant.unfinished()).toBeUndefined()
  })
})

describe('a program that was running when the app closed', () => {
  const interrupted = async () => {
    const kept = fakeConversations()
    const go = await fakeGo(never)
    const first = page(kept, go, says)
    const assistant = await first.open()
    void assistant.ask('Cancel the first order.')
    await until(() => go.kept.size === 1)
    await first.conversations.flush()
    return { kept, go, id: assistant.id }
  }

  it('is shown as interrupted, and waits in its conversation', async () => {
    const { kept, go, id } = await interrupted()
    const { open, runs, requests } = page(kept, go, says)
    const assistant = await open(id)
    expect(runs.get(assistant.keyOf('call_1'))).toMatchObject({ standing: 'interrupted', runId: 'run-1' })
    expect(assistant.unfinished()).toBeUndefined() // it waits
    expect(requests).toHaveLength(0)
  })

  it('goes on there when its card is opened, and the model hears what came of it', async () => {
    const { kept, go, id } = await interrupted()
    go.operations.waitingDecide.mockImplementation(async (runId) => {
      const rows = go.kept.get(runId)?.rows ?? []
      go.kept.delete(runId)
      return approving(0)(rows)
    })
    const { open, runs, requests, waiting, places } = page(kept, go, says)
    await until(() => waiting.get().waiting.length === 1)
    await waiting.open('run-1')
    const assistant = await open(id)
    await rest(assistant)
    expect(places.get()).toEqual({ at: 'conversation', id })
    expect(runs.get(assistant.keyOf('call_1'))).toMatchObject({ standing: 'ok' })
    expect(all(assistant)).toEqual(['Cancel the first order.', 'Let me see.It is cancelled.'])
    expect(String(requests[0]?.messages.at(-1)?.content)).toContain('"status":"ok"')
  })

  it('is told to the model as still waiting when the person asks something else first', async () => {
    const { kept, go, id } = await interrupted()
    const { open, requests } = page(kept, go, () => ({ text: 'I see.' }))
    const assistant = await open(id)
    await assistant.ask('What is it doing?')
    await rest(assistant)
    expect(String(requests[0]?.messages.find(({ role }) => role === 'tool')?.content)).toContain('still waits')
  })

  it('stays undone when it is dismissed, and the model is not asked for that', async () => {
    const { kept, go, id } = await interrupted()
    const { open, requests, waiting } = page(kept, go, says)
    await until(() => waiting.get().waiting.length === 1)
    await waiting.dismiss('run-1')
    const assistant = await open(id)
    expect(assistant.unfinished()).toBe('program')
    expect(requests).toHaveLength(0)
    await assistant.retry()
    await rest(assistant)
    expect(String(requests[0]?.messages.at(-1)?.content)).toContain('dismissed')
  })

  it('is answered as interrupted where nothing of it waits any more', async () => {
    const { kept, go, id } = await interrupted()
    go.kept.clear()
    const { open, requests } = page(kept, go, says)
    const assistant = await open(id)
    await until(() => assistant.unfinished() === 'program')
    expect(requests).toHaveLength(0)
    await assistant.retry()
    await rest(assistant)
    expect(String(requests[0]?.messages.at(-1)?.content)).toContain('reloaded while this ran')
  })
})
