import { useSyncExternalStore } from 'react'
import type { ModelChoice } from '../assistant/model'
import type { Opened } from '../open'

/** Which model answers the next request, also after the settings have changed. */
export const useModel = ({ settings, model }: Opened): ModelChoice => {
  useSyncExternalStore(settings.subscribe, settings.current)
  return model()
}
