/** Draws the whole page over Go, a model and a sandbox that are made up. */

import { fireEvent, render, screen } from '@testing-library/react'
import { createAssistant } from '../assistant/assistant'
import { createConversations } from '../assistant/conversations'
import { createModel } from '../assistant/model'
import { BridgeError } from '../bridge/bridgeError'
import type { Opened } from '../open'
import { createPlaces } from '../place/places'
import { createLogTrouble } from '../review/trouble'
import { createRuns } from '../run/runs'
import { createWaitingRuns } from '../run/waiting'
import { createScenePlayer } from '../scene/scene'
import { createSettings } from '../settings/store'
import { App } from '../view/App'
import { spoken } from '../view/spoken'
import { fakeConversations } from './fakeConversations'
import { approving, definitions, fakeGo } from './fakeGo'
import { fakeIsolation } from './fakeIsolation'
import { fakeModel } from './fakeModel'
import { fakeSandbox } from './fakeSandbox'
import { fakeSettings } from './fakeSettings'

export const program = `const [one, two] = await sdk.orders.list({ status: 'open' })
console.log('found them')
const gone = []
for (const { id } of [one, two]) { await sdk.orders.cancel({ id }); gone.push(id) }
return gone`

export const request = 'Cancel two orders.'
export const byHeart: Parameters<typeof fakeModel>[0] = ({ messages }) =>
  messages.at(-1)?.role === 'tool' ? { text: 'Both are **cancelled**.' } : { text: 'Let me see.', code: program }

type Decide = Parameters<typeof fakeGo>[0]

/** The person's answer, given when the test wants. */
export const card = () => {
  let give: (decide: Decide) => void = () => {}
  const given = new Promise<Decide>((resolve) => {
    give = resolve
  })
  const decide: Decide = async (rows, signal) => {
    const stopped = new Promise<never>((_resolve, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason)),
    )
    return (await Promise.race([given, stopped]))(rows)
  }
  return { decide, answer: (...places: number[]) => give(approving(...places)) }
}

export const show = async ({
  auto = false,
  says = byHeart,
  decide = approving(0, 1) as Parameters<typeof fakeGo>[0],
  keeper = fakeConversations(),
  /** What the start found wrong with the log. */
  trouble = null as { title: string; text: string; do: string } | null,
  /** What speaks with models comes when this resolves. */
  arrives = async (): Promise<void> => {},
} = {}) => {
  const go = await fakeGo(decide)
  const scene = { name: 'test', request, auto }
  const player = auto ? createScenePlayer(go.operations, scene) : undefined
  const model = fakeModel(says)
  const runs = createRuns(
    { sandbox: fakeSandbox(), operations: go.operations, definitions: () => definitions },
    player?.runs,
  )
  const places = createPlaces()
  const conversations = createConversations({
    operations: keeper.operations,
    runs,
    places,
    waiting: async () => [...go.kept.keys()],
    make: async (of) => {
      await arrives()
      return createAssistant({
        ...of,
        model: () =>
          createModel({ provider: 'offline', name: 'm' }, 's3cret', 'http://localhost/', model.send as typeof fetch),
        definitions: () => definitions,
        runs,
        ...(player ? { onText: player.onText, onFailure: player.onFailure } : {}),
      })
    },
  })
  const askGo = async (op: string): Promise<unknown> => {
    if (op === 'log.atStart') return { trouble }
    throw new BridgeError('BadRequest', `there is no op “${op}” here`)
  }
  const opened: Opened = {
    ask: askGo,
    hello: { version: 'test', scene },
    isolation: fakeIsolation(),
    settings: await createSettings(fakeSettings().ask),
    places,
    conversations,
    runs,
    model: () => ({ provider: 'offline', name: 'm' }),
    waiting: createWaitingRuns(go.operations, runs, conversations.home),
    trouble: createLogTrouble(askGo),
    ...(player ? { player } : {}),
  }
  await spoken.load() // a busy machine takes its time for that
  render(<App opening={Promise.resolve(opened)} />)
  await screen.findByLabelText('Your request')
  return { ...go, ...model, opened, keeper }
}

export const ask = (text: string): void => {
  const box = screen.getByLabelText('Your request')
  fireEvent.change(box, { target: { value: text } })
  fireEvent.keyDown(box, { key: 'Enter' })
}
