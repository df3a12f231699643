import { useCallback, useEffect, useId, useState } from 'react'
import { useWritten } from '../view/useWritten'
import type { ModelList } from './operations'
import { useBusy } from './useBusy'
import { useSettings } from './useSettings'

/** Chooses the model by its name: from the server's list, or written by hand. */
export const ModelName = () => {
  const { state, change, operations, locked } = useSettings()
  const { name } = state.settings.model
  const [list, setList] = useState<ModelList>()
  const { text, write, sent } = useWritten(name)
  const { busy, failed, run } = useBusy()
  const id = useId()

  const load = useCallback(() => run(async (signal) => setList(await operations.listModels(signal))), [operations, run])
  useEffect(() => {
    const again = (): void => void load()
    again()
    document.addEventListener('countersign:key', again)
    return () => document.removeEventListener('countersign:key', again)
  }, [load])

  const choose = (to: string): void =>
    void change('model', (now) => ({ ...now, model: { ...now.model, name: to.trim() } }))
  const chooseWritten = (): void => {
    sent(text.trim())
    choose(text)
  }
  const models = list?.models ?? []
  const known = models.some((model) => model.id === name)
  return (
    <div className="set-field">
      <label htmlFor={models.length > 0 ? id : `${id}-text`}>Model</label>
      <div className="set-row">
        {models.length > 0 && (
          <select
            id={id}
            className="set-text"
            value={known ? name : ''}
            disabled={locked}
            onChange={(event) => event.target.value !== '' && choose(event.target.value)}
          >
            <option value="">{name === '' ? 'Choose one…' : 'Another name'}</option>
            {models.map((model) => (
              <option key={model.id} value={model.id}>
                {model.name && model.name !== model.id ? `${model.name} (${model.id})` : model.id}
              </option>
            ))}
          </select>
        )}
        {!known && (
          <form
            className="set-row"
            onSubmit={(event) => {
              event.preventDefault()
              chooseWritten()
            }}
          >
            <input
              id={`${id}-text`}
              className="set-text"
              aria-label={models.length > 0 ? 'Another name' : undefined}
              value={text}
              placeholder="its name, as the server has it"
              disabled={locked}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => write(event.target.value)}
            />
            <button
              type="submit"
              className="set-button"
              disabled={locked || text.trim() === '' || text.trim() === name}
            >
              Use it
            </button>
          </form>
        )}
        <button type="button" className="set-button" disabled={busy} onClick={() => void load()}>
          {busy ? 'Asking for the list…' : 'Ask for the list'}
        </button>
      </div>
      {(failed ?? list?.problem) !== undefined && !busy && (
        <p className="set-warning" role="status">
          {failed ?? list?.problem}
        </p>
      )}
    </div>
  )
}
