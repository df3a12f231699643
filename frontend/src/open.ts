import { createSandbox } from '@faustine-ai/browser-sandbox'
import { type Assistant, createAssistant } from './assistant/assistant'
import { createModel } from './assistant/model'
import type { Connection } from './bindings'
import { createBridge } from './bridge/bridge'
import { createOperations, type Hello } from './bridge/operations'
import { createRuns } from './run/runs'
import type { RunView } from './run/runView'
import { createTranscript } from './scene/transcript'

/** The page, connected and ready to be drawn. */
export interface Opened {
  hello: Hello
  assistant: Assistant
  /** Plays the scene that the app was started with; undefined when it plays none by itself. */
  scene?: { play(): void; over(): void }
}

/** Connects everything: the one place that knows all parts. Rejects when the app refuses. */
export const open = async (connection: Connection): Promise<Opened> => {
  const operations = createOperations(createBridge(connection))
  const hello = await operations.hello()
  const definitions = await operations.functions()
  const sandbox = createSandbox({ frame: { url: '/sandbox.html' }, warm: true })

  const { scene } = hello
  const transcript = scene?.auto ? createTranscript(operations) : undefined
  let lastRun: RunView | undefined
  let failed = false
  const runs = createRuns(
    { sandbox, operations, definitions },
    {
      program: (code) => transcript?.program(code),
      waiting: (pending) => transcript?.waiting(pending),
      ended: (run) => {
        lastRun = run
        transcript?.ended(run)
      },
    },
  )
  const modelName = scene ? `offline/${scene.name}` : 'offline'
  const assistant = createAssistant({
    model: createModel(modelName, connection.secret),
    modelName,
    definitions,
    runs,
    onText: (text) => transcript?.answer(text),
    onFailure: (text) => {
      failed = true
      transcript?.failure(text)
    },
  })
  if (!scene || !transcript) return { hello, assistant }

  let state: 'ready' | 'playing' | 'over' = 'ready'
  return {
    hello,
    assistant,
    scene: {
      play: () => {
        if (state !== 'ready') return
        state = 'playing'
        transcript.request(scene.request)
        void assistant.ask(scene.request)
      },
      over: () => {
        if (state !== 'playing') return
        state = 'over'
        void transcript.done(failed ? 'error' : (lastRun?.standing ?? 'ok')).catch(() => {})
      },
    },
  }
}
