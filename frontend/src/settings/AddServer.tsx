import { useId, useState } from 'react'
import { Choices } from './Choices'
import { useSettings } from './useSettings'
import { pairsOf, wordsOf } from './words'

/** Adds a server: a command that is started, or an address. */
export const AddServer = ({ onDone }: { onDone: () => void }) => {
  const { change } = useSettings()
  const [kind, setKind] = useState<'command' | 'url'>('command')
  const [name, setName] = useState('')
  const [line, setLine] = useState('')
  const [secrets, setSecrets] = useState('')
  const id = useId()
  const isCommand = kind === 'command'
  const add = async (): Promise<void> => {
    const [command = '', ...args] = isCommand ? wordsOf(line) : []
    const pairs = pairsOf(secrets, isCommand ? '=' : ':')
    const done = await change('mcp', (now) => ({
      ...now,
      mcp: [
        ...now.mcp,
        {
          name: name.trim(),
          command,
          args,
          env: isCommand ? pairs : {},
          url: isCommand ? '' : line.trim(),
          headers: isCommand ? {} : pairs,
          readOnlyConfirmed: {},
        },
      ],
    }))
    if (done) onDone()
  }
  return (
    <form
      className="set-add"
      aria-label="Add an MCP server"
      onSubmit={(event) => {
        event.preventDefault()
        void add()
      }}
    >
      <Choices
        label="Kind of server"
        choices={[
          { value: 'command', label: 'A program on this machine' },
          { value: 'url', label: 'An address' },
        ]}
        value={kind}
        onChoose={setKind}
      />
      <div className="set-field">
        <label htmlFor={`${id}-name`}>Name, which its functions begin with</label>
        <input
          id={`${id}-name`}
          className="set-text"
          value={name}
          placeholder="wiki"
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
      </div>
      <div className="set-field">
        <label htmlFor={`${id}-line`}>{isCommand ? 'Command, with its arguments' : 'Address'}</label>
        <input
          id={`${id}-line`}
          className="set-text set-address"
          value={line}
          placeholder={isCommand ? 'wiki-mcp --read-only "/home/you/My notes"' : 'https://wiki.example.com/mcp'}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setLine(event.target.value)}
        />
      </div>
      <div className="set-field">
        <label htmlFor={`${id}-secrets`}>
          {isCommand ? 'Environment, a line each: NAME=value' : 'Headers, a line each: Name: value'}
        </label>
        <textarea
          id={`${id}-secrets`}
          className="set-text"
          rows={2}
          value={secrets}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setSecrets(event.target.value)}
        />
        <p className="set-hint">Values are kept in the settings file, and neither shown nor logged.</p>
      </div>
      <div className="set-buttons">
        <button type="button" className="set-button" onClick={onDone}>
          Leave it
        </button>
        <button type="submit" className="set-button set-main" disabled={name.trim() === '' || line.trim() === ''}>
          Add
        </button>
      </div>
    </form>
  )
}
