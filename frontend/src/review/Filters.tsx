import { Search, X } from 'lucide-react'
import { forwardRef, useEffect, useId, useRef } from 'react'
import { useWritten } from '../view/useWritten'
import type { Log } from './operations'
import type { Filter, Names } from './shapes'
import { useAnswer } from './useAnswer'
import { tidy } from './words'

interface Props {
  log: Log
  filter: Filter
  onFilter: (filter: Filter) => void
  /** The person is done with the search. */
  onLeave: () => void
}

/** How long a person may pause in a word before it is looked for, in ms. */
const pause = 120

/** What is chosen: by text, time, function, decision, outcome, model and run. */
export const Filters = forwardRef<HTMLInputElement, Props>(({ log, filter, onFilter, onLeave }, search) => {
  const { value: names } = useAnswer(log.source, (signal) => log.names(signal))
  const { text, write, sent } = useWritten(filter.text ?? '')
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed starts the clock
  useEffect(() => {
    if (text === (filter.text ?? '')) return
    const timer = setTimeout(() => send(text), pause)
    return () => clearTimeout(timer)
  }, [text])
  // What is typed is taken a moment later, when something else may have been chosen.
  const latest = useRef(filter)
  latest.current = filter
  const set = (change: Partial<Filter>): void => onFilter(tidy({ ...latest.current, ...change }))
  const send = (next: string): void => {
    sent(next)
    set({ text: next })
  }

  return (
    <search className="review-filters" aria-label="Filter">
      <div className="review-search">
        <Search aria-hidden />
        <input
          ref={search}
          type="search"
          value={text}
          placeholder="Search inputs, requests, errors, reasons  ( / )"
          aria-label="Search in function, input, request, reason and error"
          onChange={(event) => write(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') {
              send(text)
              onLeave()
            }
            if (event.key === 'Escape') {
              event.preventDefault()
              if (text === '') onLeave()
              send('')
              write('')
            }
          }}
        />
      </div>
      <Choice label="Function" value={filter.fn} options={familiesOf(names)} onChange={(fn) => set({ fn })} />
      <Choice
        label="Decision"
        value={filter.decision}
        options={decisions(names)}
        onChange={(decision) => set({ decision })}
      />
      <Choice
        label="Decider"
        value={filter.decider}
        options={same(names?.deciders)}
        onChange={(decider) => set({ decider })}
      />
      <Choice
        label="Outcome"
        value={filter.outcome}
        options={outcomes(names)}
        onChange={(outcome) => set({ outcome })}
      />
      <Choice label="Model" value={filter.model} options={same(names?.models)} onChange={(model) => set({ model })} />
      <Time label="From" value={filter.since} onChange={(since) => set({ since })} />
      <Time label="Until" value={filter.until} onChange={(until) => set({ until })} />
      {filter.run !== undefined && (
        <button
          type="button"
          className="review-chip"
          aria-label={`Run ${filter.run}: show all runs`}
          onClick={() => set({ run: '' })}
        >
          run {filter.run.slice(0, 18)}
          <X aria-hidden />
        </button>
      )}
    </search>
  )
})

type Option = [value: string, label: string]

const same = (values: string[] | undefined): Option[] => (values ?? []).map((value) => [value, value])
const decisionWords: Record<string, string> = { approve: 'approved', reject: 'rejected', none: 'no decision' }
const outcomeWords: Record<string, string> = {
  error: 'error',
  approved: 'approved, not run',
  unknown: 'outcome unknown',
}
const decisions = (names: Names | undefined): Option[] =>
  (names?.decisions ?? []).map((value) => [value, decisionWords[value] ?? value])
const outcomes = (names: Names | undefined): Option[] =>
  (names?.outcomes ?? []).map((value) => [value, outcomeWords[value] ?? value])

/** The functions, each family before its members. */
const familiesOf = (names: Names | undefined): Option[] => {
  const options: Option[] = []
  let family = ''
  for (const fn of names?.functions ?? []) {
    const next = fn.includes('.') ? `${fn.slice(0, fn.indexOf('.'))}.*` : ''
    if (next !== family && next !== '') options.push([next, next])
    family = next
    options.push([fn, fn])
  }
  return options
}

interface ChoiceProps {
  label: string
  value: string | undefined
  options: Option[]
  onChange: (value: string) => void
}

const Choice = ({ label, value = '', options, onChange }: ChoiceProps) => (
  <select
    className={value === '' ? 'review-choice' : 'review-choice review-chosen'}
    aria-label={label}
    value={value}
    onChange={(event) => onChange(event.target.value)}
  >
    <option value="">{label}</option>
    {value !== '' && !options.some(([known]) => known === value) && <option value={value}>{value}</option>}
    {options.map(([each, words]) => (
      <option key={each} value={each}>
        {words}
      </option>
    ))}
  </select>
)

/** A time as the command line takes it: a date, a time, or an age such as 7d. */
const Time = ({
  label,
  value = '',
  onChange,
}: {
  label: string
  value?: string
  onChange: (value: string) => void
}) => {
  const { text, write, sent } = useWritten(value)
  const hint = useId()
  const choose = (): void => {
    sent(text.trim())
    onChange(text.trim())
  }
  return (
    <span className="review-time-field">
      <input
        type="text"
        className={value === '' ? 'review-choice' : 'review-choice review-chosen'}
        aria-label={label}
        aria-describedby={hint}
        placeholder={label}
        size={8}
        value={text}
        title="A date (2026-11-29), a time (2026-11-29T08:00), or an age (90m, 12h, 7d)"
        onChange={(event) => write(event.target.value)}
        onBlur={choose}
        onKeyDown={(event) => event.key === 'Enter' && choose()}
      />
      <span id={hint} className="unseen">
        A date such as 2026-11-29, a time, or an age such as 90m, 12h or 7d
      </span>
    </span>
  )
}
