// The page that runs one test file: mocha in the page, results to the server.
import { setup } from '../fixture/setup.js'

let last: Promise<unknown> = Promise.resolve()
// One report after the other, so that the server sees them in order.
function report(event: Record<string, unknown>): void {
  const body = JSON.stringify({ ...event, file: setup.file, engine: setup.engine })
  last = last.then(() => fetch('/report', { method: 'POST', body }))
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { expected, actual } = error as { expected?: unknown; actual?: unknown }
  const compared =
    expected === undefined && actual === undefined ? '' : `\nexpected: ${show(expected)}\ngot: ${show(actual)}`
  return `${error.name}: ${error.message}${compared}\n${(error.stack ?? '').split('\n').slice(0, 6).join('\n')}`.slice(
    0,
    4000,
  )
}

function show(value: unknown): string {
  try {
    return (
      JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each))?.slice(0, 1500) ??
      String(value)
    )
  } catch {
    return Object.prototype.toString.call(value)
  }
}

mocha.setup({ ui: 'bdd', timeout: 20_000, reporter: class {} as never, ...(setup.grep ? { grep: setup.grep } : {}) })
try {
  await import(/* @vite-ignore */ `/bundle/${setup.file}.js`)
  const runner = mocha.run()
  runner.on('test', (test) => report({ type: 'start', title: test.fullTitle() }))
  runner.on('pass', (test) => report({ type: 'pass', title: test.fullTitle(), ms: test.duration }))
  runner.on('pending', (test) => report({ type: 'skip', title: test.fullTitle() }))
  runner.on('fail', (test, error) => report({ type: 'fail', title: test.fullTitle(), message: describeError(error) }))
  runner.on('end', () => report({ type: 'end' }))
} catch (error) {
  report({ type: 'fail', title: `loading ${setup.file}`, message: describeError(error) })
  report({ type: 'end' })
}
