import type { CallStanding, RunStanding, RunView } from '../run/runView'

/** How a run stands, in words for a person. */
export const runWords: Record<RunStanding, string> = {
  starting: 'Starting',
  running: 'Running',
  waiting: 'Waiting for your approval',
  ok: 'Done',
  error: 'Failed',
  limit: 'Stopped by a limit',
  aborted: 'Stopped',
  interrupted: 'Interrupted',
}

/** How a run stands, in words that say what the person did not let happen. */
export const runTitle = (run: RunView): string => {
  const rejected = run.calls.filter(({ standing }) => standing === 'rejected').length
  const words = runWords[run.standing]
  return run.standing === 'ok' && rejected > 0 ? `${words}, ${counted(rejected, 'call', 'calls')} rejected` : words
}

/** How a call stands, in words for a person. */
export const callWords: Record<CallStanding, string> = {
  running: 'running',
  waiting: 'waits for you',
  ok: 'done',
  error: 'failed',
  rejected: 'rejected',
  denied: 'not allowed',
  cancelled: 'not run',
  unknown: 'outcome not known',
}

/** A span of time: 8 ms, 1.4 s, 2 min 5 s. */
export const duration = (ms: number): string => {
  if (ms < 0.95) return '< 1 ms'
  if (Math.round(ms) < 1000) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

export const counted = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`

/** How long ago something was: just now, 5 minutes ago, 3 days ago. Intl, for one language, would read 4 MB of data. */
export const age = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${counted(minutes, 'minute', 'minutes')} ago`
  if (minutes < 24 * 60) return `${counted(Math.floor(minutes / 60), 'hour', 'hours')} ago`
  return `${counted(Math.floor(minutes / 60 / 24), 'day', 'days')} ago`
}
