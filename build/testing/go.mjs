import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/**
 * Runs `go test -json` and counts tests that have no tests of their own inside
 * (a table's rows, not the table), so that nothing counts twice.
 *
 * @param {string[]} args
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function goSuite(args) {
  const child = spawn('go', ['test', '-json', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  /** @type {Map<string, string>} package and test → its last state */
  const states = new Map()
  /** @type {Map<string, string[]>} what each test, package or build printed */
  const outputs = new Map()
  let failedPackages = 0
  const errors = createInterface({ input: child.stderr })
  errors.on('line', (line) => console.log(line))
  for await (const line of createInterface({ input: child.stdout })) {
    let event
    try {
      event = JSON.parse(line)
    } catch {
      console.log(line)
      continue
    }
    const key = `${event.Package ?? event.ImportPath} ${event.Test ?? ''}`
    if (event.Action === 'output' || event.Action === 'build-output') {
      outputs.set(key, [...(outputs.get(key) ?? []), event.Output])
    }
    if (event.Action === 'build-fail') console.log((outputs.get(key) ?? []).join(''))
    if (!['pass', 'fail', 'skip'].includes(event.Action)) continue
    if (event.Test) {
      states.set(key, event.Action)
      if (event.Action !== 'pass') console.log(`--- ${event.Action}: ${key}\n${(outputs.get(key) ?? []).join('')}`)
    } else if (event.Action === 'fail') {
      failedPackages++
      console.log(`FAIL ${event.Package}\n${(outputs.get(key) ?? []).join('')}`)
    } else if (event.Action === 'pass') {
      console.log(`ok ${event.Package} ${event.Elapsed} s`)
    }
  }
  const code = await new Promise((resolve) => (child.exitCode === null ? child.once('close', resolve) : resolve(child.exitCode)))
  const names = [...states.keys()]
  const parents = new Set(names.flatMap((name) => [...name.matchAll(/\//g)].map(({ index }) => name.slice(0, index))))
  const leaves = names.filter((name) => !parents.has(name))
  const count = (/** @type {string} */ state) => leaves.filter((name) => states.get(name) === state).length
  const passed = count('pass')
  // A package that does not build, or a binary that dies, fails without a test
  // that fails. A skipped test has proved nothing: here all that tests need is
  // installed.
  const failed = Math.max(count('fail'), failedPackages, code === 0 ? 0 : 1) + count('skip')
  return { passed, failed }
}
