import { useCallback, useRef, useState } from 'react'
import type { Talk } from '../assistant/conversations'
import { spoken } from './spoken'

/** The way to ask, also where what answers is still to be loaded. */
export interface Asking {
  /** A request is on its way to an assistant that is being made. */
  beginning: boolean
  /** Why the last request came to nobody. */
  failure: string | undefined
  /** Loads what a request takes: the person is writing one. */
  expect(): void
  ask(request: string): void
  /** Asks once more what came to nobody. */
  again(): void
  stop(): void
}

export const useAsking = (talk: Talk): Asking => {
  const [state, setState] = useState<{ beginning: boolean; failure?: string }>({ beginning: false })
  const wanted = useRef<{ request: string; stopped: boolean }>(undefined)

  const ask = useCallback(
    (request: string): void => {
      if (talk.assistant) return void talk.assistant.ask(request)
      const own = { request, stopped: false }
      wanted.current = own
      setState({ beginning: true })
      talk.begin().then(
        (assistant) => {
          setState({ beginning: false })
          void assistant.ask(request)
          if (own.stopped) void assistant.stop()
        },
        (error: Error) => setState({ beginning: false, failure: error.message }),
      )
    },
    [talk],
  )
  const expect = useCallback((): void => {
    spoken.expect()
    talk.begin().catch(() => {}) // it is told when a request finds it missing
  }, [talk])

  return {
    ...state,
    failure: state.failure,
    expect,
    ask,
    again: () => wanted.current && ask(wanted.current.request),
    stop: () => {
      if (state.beginning && wanted.current) wanted.current.stopped = true
      void talk.assistant?.stop()
    },
  }
}
