import { useId, useState } from 'react'
import { Section } from './Section'
import { type LimitName, limitNames } from './shapes'
import { useSettings } from './useSettings'

/** What each limit is in the words of a person, and how it is shown: so many of the file's units are one. */
const meanings: Record<LimitName, { label: string; unit: string; of: number }> = {
  wallClockMs: { label: 'Time of a program, not while it waits for you', unit: 'seconds', of: 1000 },
  busyMs: { label: 'Time without a call', unit: 'seconds', of: 1000 },
  calls: { label: 'Calls', unit: 'calls', of: 1 },
  inFlight: { label: 'Calls at the same time', unit: 'calls', of: 1 },
  sourceBytes: { label: 'Size of the program', unit: 'KiB', of: 1024 },
  inputBytes: { label: 'Size of what a call is given', unit: 'KiB', of: 1024 },
  outputBytes: { label: 'Size of the result', unit: 'KiB', of: 1024 },
  logLines: { label: 'Lines that it prints', unit: 'lines', of: 1 },
  logBytes: { label: 'Size of what it prints', unit: 'KiB', of: 1024 },
}

/** As few decimals as tell the value exactly enough to be read. */
const shown = (value: number, of: number): string => String(Math.round((value / of) * 1000) / 1000)

const Limit = ({ name }: { name: LimitName }) => {
  const { state, change, locked } = useSettings()
  const id = useId()
  const { label, unit, of } = meanings[name]
  const now = state.settings.limits[name]
  const usual = state.defaults.limits[name]
  const [draft, setDraft] = useState<string>()
  const set = async (value: number): Promise<void> => {
    if (value !== now) await change('limits', (s) => ({ ...s, limits: { ...s.limits, [name]: value } }))
    setDraft((later) => (later === draft ? undefined : later)) // the person may have written on
  }
  const commit = (): void => {
    if (draft === undefined) return
    const value = Math.round(Number(draft.replace(',', '.')) * of)
    // What is no number goes to Go as it is, and Go says what it expects.
    void set(draft.trim() === '' ? usual : Number.isFinite(value) ? value : 0)
  }
  return (
    <div className="set-limit">
      <label htmlFor={id}>{label}</label>
      <span className="set-limit-value">
        <input
          id={id}
          className="set-text"
          inputMode="decimal"
          disabled={locked}
          value={draft ?? shown(now, of)}
          aria-describedby={`${id}-unit`}
          onChange={(event) => setDraft(event.target.value)}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit()
            if (event.key === 'Escape') setDraft(undefined)
          }}
        />
        <span id={`${id}-unit`} className="set-unit">
          {unit}
        </span>
      </span>
      {now === usual ? (
        <span className="set-usual">usual</span>
      ) : (
        <button type="button" className="linklike set-usual" disabled={locked} onClick={() => void set(usual)}>
          back to {shown(usual, of)}
          <span className="unseen">
            {' '}
            {unit}, the usual: {label}
          </span>
        </button>
      )}
    </div>
  )
}

export const LimitsSection = () => (
  <Section
    name="limits"
    title="Limits of a program"
    about="A program that exceeds one of them is ended, and what it was not allowed to do has not happened. A change counts from the next program."
  >
    <div className="set-limits">
      {limitNames.map((name) => (
        <Limit key={name} name={name} />
      ))}
    </div>
  </Section>
)
