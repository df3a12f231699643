import { createSandbox } from '@faustine-ai/browser-sandbox'
import { type Assistant, createAssistant } from './assistant/assistant'
import { createModel } from './assistant/model'
import type { Connection } from './bindings'
import { type Ask, createBridge } from './bridge/bridge'
import { createCarrier } from './bridge/carrier'
import { createOperations, type Hello } from './bridge/operations'
import { createPlaces, type Places } from './place/places'
import { createRuns } from './run/runs'
import { createWaitingRuns, type WaitingRuns } from './run/waiting'
import { reopenFirst } from './scene/reopenFirst'
import { createScenePlayer, type ScenePlayer } from './scene/scene'

/** The page, connected and ready to be drawn. */
export interface Opened {
  /** Asks Go for an operation of any area; each area types its own. */
  ask: Ask
  hello: Hello
  /** Where the person is, and how to send them elsewhere. */
  places: Places
  assistant: Assistant
  /** What waits for the person since another start of the app. */
  waiting: WaitingRuns
  /** Set when the app was started with a demo that plays by itself. */
  player?: ScenePlayer
}

/** Connects everything: the one place that knows all parts. Rejects when the app refuses. */
export const open = async (connection: Connection): Promise<Opened> => {
  const ask = createBridge(connection)
  const operations = createOperations(ask, createCarrier(connection.secret))
  const hello = await operations.hello()
  const definitions = await operations.functions()
  const sandbox = createSandbox({ frame: { url: '/sandbox.html' }, warm: true })

  if (hello.selftest) {
    const { selfTest } = await import('./selftest/selftest')
    await selfTest({ connection, ask, operations, definitions, sandbox, canary: hello.selftest.canary })
  }
  const { scene } = hello
  const player = scene?.auto || scene?.reopen ? createScenePlayer(operations, scene) : undefined
  const modelName = scene ? `offline/${scene.name}` : 'offline'
  const runs = createRuns({ sandbox, operations, definitions }, player?.runs)
  const assistant = createAssistant({
    model: createModel(modelName, connection.secret),
    modelName,
    definitions,
    runs,
    ...(player ? { onText: player.onText, onFailure: player.onFailure } : {}),
  })
  const waiting = createWaitingRuns(operations, runs)
  if (scene?.reopen === 'page') reopenFirst(waiting)
  return { ask, hello, places: createPlaces(), assistant, waiting, ...(player ? { player } : {}) }
}
