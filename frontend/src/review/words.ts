import type { Filter, Row } from './shapes'

const two = (n: number): string => String(n).padStart(2, '0')

/** A time on the person's own clock, as tables of the command line have it. */
export const localTime = (utc: string): string => {
  const at = new Date(utc)
  if (Number.isNaN(at.getTime())) return utc
  return `${localDay(at)} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}

const localDay = (at: Date): string => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`

/** How something stands out in a list. */
export type Tone = 'good' | 'bad' | 'doubt' | 'quiet' | 'stopped'

/** What a call is at a glance. The words themselves come from Go. */
export const toneOf = (row: Pick<Row, 'outcome' | 'runOpen' | 'noted'>): Tone => {
  switch (row.outcome) {
    case 'ok':
      return 'good'
    case 'error':
    case 'refused':
      return 'bad'
    case 'unknown':
    case 'waiting':
      return 'doubt'
    case 'rejected':
      return 'stopped'
    default:
      return 'quiet'
  }
}

/** 498000 → “498,000” */
export const many = (n: number): string => n.toLocaleString('en-US')

export const plural = (n: number, one: string, more: string): string => `${many(n)} ${n === 1 ? one : more}`

/** 1536 → “1.5 KB” */
export const bytes = (n: number): string => {
  if (n < 1000) return `${n} bytes`
  const units = ['KB', 'MB', 'GB']
  let value = n / 1000
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}

/** A filter in a few words, also what its command line would be. */
export const filterFlags = (filter: Filter): string =>
  Object.entries(filter)
    .filter(([, value]) => value)
    .map(([name, value]) => `--${name} ${/^[\w.:*-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`}`)
    .join(' ')

export const isEmpty = (filter: Filter): boolean => Object.values(filter).every((value) => !value)

/** Without the members that choose nothing. */
export const tidy = (filter: Filter): Filter =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined && value !== ''))
