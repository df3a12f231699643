import { createConversationOperations } from './assistant/conversationOperations'
import { type Conversations, createConversations } from './assistant/conversations'
import type { ModelChoice } from './assistant/model'
import type { Connection } from './bindings'
import type { Ask } from './bridge/bridge'
import { createCarrier } from './bridge/carrier'
import { createOperations, type Hello } from './bridge/operations'
import { createFunctionList } from './functions/functions'
import { part } from './part/part'
import { readLeft } from './place/left'
import { createPlaces, type Places } from './place/places'
import { createLogTrouble, type LogTrouble } from './review/trouble'
import { askTheLog } from './run/inTheLog'
import { createRuns, type Runs } from './run/runs'
import { createWaitingRuns, type WaitingRuns } from './run/waiting'
import { reopenFirst } from './scene/reopenFirst'
import { createScenePlayer, type ScenePlayer } from './scene/scene'
import { createIsolation, type Isolation } from './selftest/isolation'
import { createSettings, type SettingsStore } from './settings/store'
import { followTheme } from './settings/theme'
import { partOf } from './view/otherPlaces'
import { spoken } from './view/spoken'

/** The page, connected and ready to be drawn. */
export interface Opened {
  /** Asks Go for an operation of any area; each area types its own. */
  ask: Ask
  hello: Hello
  /** What the person has decided. */
  settings: SettingsStore
  /** Whether programs are kept in, as far as this start has shown; if not, none runs. */
  isolation: Isolation
  /** Where the person is, and how to send them elsewhere. */
  places: Places
  conversations: Conversations
  runs: Runs
  /** Which model answers the next request. */
  model: () => ModelChoice
  /** What waits for the person since another start of the app. */
  waiting: WaitingRuns
  /** Whether the start found the log as it should be. */
  trouble: LogTrouble
  /** Set when the app was started with a demo that plays by itself. */
  player?: ScenePlayer
}

/** What speaks with models: two thirds of the page's script, and nothing of it is needed before somebody asks. */
const assistants = part('conversations', () => import('./assistant/assistant'))
const models = part('asking a model', () => import('./assistant/model'))
const confined = part('running programs', async () => (await import('./selftest/confined')).confine())

/** Connects everything: the one place that knows all parts. Rejects when the app refuses. */
export const open = async (connection: Connection, ask: Ask): Promise<Opened> => {
  const operations = createOperations(ask, createCarrier(connection.secret))
  const kept = createConversationOperations(ask)
  // All at once: one envelope, which hello leads.
  const [hello, definitions, before, settings] = await Promise.all([
    operations.hello(),
    operations.functions(),
    kept.left().catch(() => undefined),
    createSettings(ask),
  ])
  if (hello.selftest) {
    const { selfTest } = await import('./selftest/selftest')
    const { sandbox } = await confined.load()
    await selfTest({ connection, ask, operations, definitions, sandbox, canary: hello.selftest.canary })
  }
  const isolation = createIsolation(confined.load)
  const { scene } = hello
  const player = scene?.auto || scene?.reopen ? createScenePlayer(operations, scene) : undefined
  const left = readLeft(player ? undefined : before)
  const places = createPlaces(left.place)
  followTheme(settings)
  const set = () => settings.current().settings
  const model = (): ModelChoice => {
    const { provider, name } = set().model
    return provider === 'offline' ? { provider, name: scene ? `offline/${scene.name}` : 'offline' } : { provider, name }
  }

  const functions = createFunctionList(ask, definitions)
  const runs = createRuns(
    {
      sandbox: isolation.sandbox,
      operations,
      definitions: functions.current,
      approval: () => scene?.approval ?? set().approval,
      limits: () => set().limits,
    },
    player?.runs,
  )
  const conversations = createConversations({
    operations: kept,
    runs,
    places,
    draft: left.draft,
    inTheLog: askTheLog(ask),
    definitions: functions.current,
    ready: spoken.load,
    waiting: async () => (await operations.waiting()).map(({ runId }) => runId),
    make: async (of) => {
      models.expect()
      const { createAssistant } = await assistants.load()
      return createAssistant({
        ...of,
        model: async () => (await models.load()).createModel(model(), connection.secret),
        definitions: functions.current,
        runs,
        ...(player ? { onText: player.onText, onFailure: player.onFailure } : {}),
      })
    },
  })
  const waiting = createWaitingRuns(operations, runs, conversations.home, functions.subscribe)
  if (scene?.reopen === 'page') reopenFirst(waiting)
  // What shows the first place comes with it; where it fails, that place says so.
  await partOf(left.place)
    ?.load()
    .catch(() => {})
  const trouble = createLogTrouble(ask)
  const shown = { isolation, settings, places, conversations, runs, model, waiting, trouble }
  return { ask, hello, ...shown, ...(player ? { player } : {}) }
}
