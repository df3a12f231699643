import { createContext, type ReactNode, useCallback, useContext, useMemo, useState, useSyncExternalStore } from 'react'
import type { Ask } from '../bridge/bridge'
import { LooseningDialog } from './LooseningDialog'
import { createSettingsOperations, type SettingsOperations } from './operations'
import type { Loosening, Settings, SettingsState } from './shapes'
import type { SettingsStore } from './store'

interface Shared {
  state: SettingsState
  operations: SettingsOperations
  /**
   * Makes a change, after the person has confirmed what it loosens. True when it is in force. What
   * went wrong is shown at the section that it belongs to.
   */
  change(section: string, make: (now: Settings) => Settings): Promise<boolean>
  /** Of the last change in this section. */
  problemIn(section: string): string | undefined
  /** Nothing can be changed: a demo, or a file with mistakes. */
  locked: boolean
}

const Context = createContext<Shared | undefined>(undefined)

export const useSettings = (): Shared => {
  const shared = useContext(Context)
  if (!shared) throw new Error('useSettings is used outside of SettingsProvider')
  return shared
}

/** Go names the place in the file, which is of no help on the screen. */
const sentenceOf = (error: unknown): string => {
  const text = (error instanceof Error ? error.message : String(error)).replace(
    /^[a-zA-Z]+(\[\d+\])?(\.[a-zA-Z]+)*: /,
    '',
  )
  return text.charAt(0).toUpperCase() + text.slice(1)
}

interface Question {
  loosened: Loosening[]
  answer(yes: boolean): void
}

/** What the sections of the settings share: the state, changes, and the question before one loosens. */
export const SettingsProvider = ({ store, ask, children }: { store: SettingsStore; ask: Ask; children: ReactNode }) => {
  const state = useSyncExternalStore(store.subscribe, store.current)
  const operations = useMemo(() => createSettingsOperations(ask), [ask])
  const [failed, setFailed] = useState<{ section: string; text: string }>()
  const [question, setQuestion] = useState<Question>()

  const change = useCallback(
    async (section: string, make: (now: Settings) => Settings): Promise<boolean> => {
      setFailed(undefined)
      try {
        const wanted = make(store.current().settings)
        const first = await store.change(wanted, false)
        if (first.applied) return true
        const yes = await new Promise<boolean>((answer) => setQuestion({ loosened: first.loosened, answer }))
        setQuestion(undefined)
        return yes && (await store.change(wanted, true)).applied
      } catch (error) {
        setQuestion(undefined)
        setFailed({ section, text: sentenceOf(error) })
        return false
      }
    },
    [store],
  )
  const locked = state.fixed || state.problems.some(({ severity }) => severity === 'error')
  const shared = useMemo<Shared>(
    () => ({
      state,
      operations,
      change,
      problemIn: (section) => (failed?.section === section ? failed.text : undefined),
      locked,
    }),
    [state, operations, change, failed, locked],
  )
  return (
    <Context value={shared}>
      {children}
      {question && <LooseningDialog loosened={question.loosened} onAnswer={question.answer} />}
    </Context>
  )
}
