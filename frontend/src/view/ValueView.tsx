import { useMemo, useState } from 'react'
import { pretty } from '../value/print'
import { CopyButton } from './CopyButton'
import { rowsOf } from './rows'
import { ValueTable } from './ValueTable'
import { ValueText } from './ValueText'
import { ValueTree } from './ValueTree'

type Form = 'table' | 'tree' | 'text'
const words: Record<Form, string> = { table: 'Table', tree: 'Tree', text: 'Text' }

/** More lines than this are easier to read as a tree that opens. */
const fewLines = 14

/** A result in the form that suits it, and the others at hand. */
export const ValueView = ({ value }: { value: unknown }) => {
  const rows = useMemo(() => rowsOf(value), [value])
  const text = useMemo(() => pretty(value), [value])
  const nested = typeof value === 'object' && value !== null
  const forms: Form[] = [...(rows ? (['table'] as const) : []), ...(nested ? (['tree'] as const) : []), 'text']
  const best: Form = rows ? 'table' : nested && text.split('\n').length > fewLines ? 'tree' : 'text'
  const [chosen, setChosen] = useState<Form>()
  const form = chosen ?? best
  return (
    <section className="run-part result">
      <header className="result-head">
        <h3>Result</h3>
        {forms.length > 1 && (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset would be drawn as one
          <div className="forms" role="group" aria-label="Form of the result">
            {forms.map((each) => (
              <button key={each} type="button" aria-pressed={each === form} onClick={() => setChosen(each)}>
                {words[each]}
              </button>
            ))}
          </div>
        )}
        <CopyButton text={text} label="Copy the result" />
      </header>
      {form === 'table' && rows ? (
        <ValueTable rows={rows} />
      ) : form === 'tree' ? (
        <ValueTree value={value} />
      ) : (
        <ValueText boxed label="Result" text={text} />
      )}
    </section>
  )
}
