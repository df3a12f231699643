import { useState } from 'react'
import type { ModelCheck } from './operations'
import { useBusy } from './useBusy'
import { useSettings } from './useSettings'

/** Tries the model with one tiny request and tells what came of it. */
export const ModelCheckRow = () => {
  const { state, operations } = useSettings()
  const [result, setResult] = useState<ModelCheck>()
  const { busy, failed, run, stop } = useBusy()
  const check = (): Promise<void> => {
    setResult(undefined)
    return run(async (signal) => setResult(await operations.checkModel(signal)))
  }
  return (
    <div className="set-field">
      <div className="set-row">
        <button
          type="button"
          className="set-button"
          disabled={state.settings.model.name === ''}
          onClick={() => (busy ? stop() : void check())}
        >
          {busy ? 'Stop trying' : 'Try it'}
        </button>
        <p className={result && !result.ok ? 'set-problem' : 'set-good'} role="status">
          {busy && 'Asking… a model that has to be loaded first takes a while.'}
          {!busy && result?.ok && `${result.text} It took ${inWords(result.ms)}.`}
          {!busy && result && !result.ok && result.text}
        </p>
      </div>
      {failed !== undefined && (
        <p className="set-problem" role="alert">
          {failed}
        </p>
      )}
    </div>
  )
}

const inWords = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`)
