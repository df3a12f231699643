import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/**
 * Runs `go test -json` and counts tests that have no tests of their own inside
 * (a table's rows, not the table), so that nothing counts twice.
 *
 * @param {string[]} args
 * @returns {Promise<import('./counts.mjs').Counts>}
 */
export async function goSuite(args) {
  const child = spawn('go', ['test', '-json', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  /** @type {Map<string, string>} package and test → its last state */
  const states = new Map()
  /** @type {Map<string, string[]>} what each test, package or build printed */
  const outputs = new Map()
  /** @type {string[]} */
  const failedPackages = []
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
      failedPackages.push(`${event.Package} ${lastLines(outputs.get(key))}`)
      console.log(`FAIL ${event.Package}\n${(outputs.get(key) ?? []).join('')}`)
    } else if (event.Action === 'pass') {
      console.log(`ok ${event.Package} ${event.Elapsed} s`)
    }
  }
  const code = await new Promise((resolve) => (child.exitCode === null ? child.once('close', resolve) : resolve(child.exitCode)))
  const names = [...states.keys()]
  const parents = new Set(names.flatMap((name) => [...name.matchAll(/\//g)].map(({ index }) => name.slice(0, index))))
  const leaves = names.filter((name) => !parents.has(name))
  const those = (/** @type {string} */ state) => leaves.filter((name) => states.get(name) === state)
  const failures = [...those('fail'), ...those('skip')].map((name) => `${name}: ${lastLines(outputs.get(name))}`)
  const passed = those('pass').length
  // A package that does not build, or a binary that dies, fails without a test
  // that fails. A skipped test has proved nothing: here all that tests need is
  // installed.
  const failed = Math.max(those('fail').length, failedPackages.length, code === 0 ? 0 : 1) + those('skip').length
  if (failures.length === 0) failures.push(...failedPackages)
  if (failures.length === 0 && code !== 0) failures.push(`go test ended with exit code ${code}`)
  return { passed, failed, failures }
}

/** What a test said before Go's own lines about it. @param {string[] | undefined} printed */
function lastLines(printed = []) {
  return printed
    .filter((line) => !/^\s*(=== |--- |FAIL\b|exit status|PASS\b)/.test(line))
    .slice(-3)
    .join(' ')
}
