import { useEffect, useId, useState } from 'react'
import { useWritten } from '../view/useWritten'
import { type Choice, Choices } from './Choices'
import { KeyRow } from './KeyRow'
import { ModelCheckRow } from './ModelCheckRow'
import { ModelName } from './ModelName'
import { Section } from './Section'
import type { Settings } from './shapes'
import { useSettings } from './useSettings'

type Provider = Settings['model']['provider']

const choices: Choice<Provider>[] = [
  { value: 'offline', label: 'None', about: 'Recorded demos only. Nothing leaves this machine.' },
  { value: 'anthropic', label: 'Anthropic', about: 'Claude, at api.anthropic.com. Needs a key.' },
  { value: 'openai', label: 'OpenAI', about: 'At api.openai.com. Needs a key.' },
  {
    value: 'compatible',
    label: 'Another server',
    about: 'Ollama, LM Studio, llama.cpp, vLLM, OpenRouter: whatever speaks OpenAI’s chat completions.',
  },
]

/** The address of a server on this machine, as Ollama has it. */
const example = 'http://127.0.0.1:11434/v1'

export const ModelSection = () => {
  const { state, change, locked } = useSettings()
  const { model } = state.settings
  const [provider, setProvider] = useState<Provider>(model.provider)
  const { text: address, write, sent } = useWritten(model.baseURL)
  const id = useId()
  // What changes elsewhere, and what was not confirmed, shows as it is in force.
  useEffect(() => setProvider(model.provider), [model.provider])

  const use = async (to: Provider, baseURL: string): Promise<boolean> => {
    sent(baseURL)
    const same = to === model.provider && baseURL === model.baseURL
    const wanted = { provider: to, baseURL, name: same ? model.name : '' }
    const done = await change('model', (now) => ({ ...now, model: wanted }))
    if (!done) {
      sent(model.baseURL)
      setProvider(model.provider)
    }
    return done
  }
  const choose = (to: Provider): void => {
    setProvider(to)
    if (to === model.provider) write(model.baseURL)
    else if (to === 'compatible') write(example)
    else {
      write('')
      void use(to, '').then((done) => done || write(model.baseURL))
    }
  }
  const inForce = provider === model.provider
  return (
    <Section name="model" title="Model" about="Who writes the programs, and where what you say is sent.">
      <Choices label="Who answers" choices={choices} value={provider} disabled={locked} onChoose={choose} />
      {provider !== 'offline' && (
        <form
          className="set-field"
          onSubmit={(event) => {
            event.preventDefault()
            void use(provider, address.trim())
          }}
        >
          <label htmlFor={id}>Address</label>
          <div className="set-row">
            <input
              id={id}
              className="set-text set-address"
              value={address}
              placeholder={provider === 'compatible' ? example : 'The service’s own'}
              disabled={locked}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => write(event.target.value)}
            />
            <button
              type="submit"
              className="set-button"
              disabled={
                locked ||
                (inForce && address.trim() === model.baseURL) ||
                (provider === 'compatible' && address.trim() === '')
              }
            >
              Use it
            </button>
          </div>
        </form>
      )}
      {inForce && provider !== 'offline' && (
        <>
          <KeyRow key={`${model.provider} ${model.baseURL}`} needed={provider !== 'compatible'} />
          <ModelName key={`name ${model.provider} ${model.baseURL}`} />
          <ModelCheckRow key={`check ${model.provider} ${model.baseURL} ${model.name}`} />
        </>
      )}
    </Section>
  )
}
