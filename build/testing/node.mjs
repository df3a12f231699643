import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Runs a script of ours that ends each of its parts, or itself, with
 * “name: N passed, N failed”, and sums those lines. Each failure is a line
 * “FAILED name”, and what it said is indented below.
 *
 * @param {string} folder @param {string[]} args
 * @returns {Promise<import('./counts.mjs').Counts>}
 */
export async function nodeSuite(folder, args) {
  const { code, text } = await run('node', args, folder)
  let passed = 0
  let failed = 0
  for (const [, p, f] of text.matchAll(/^(?:\w+: )?(\d+) passed, (\d+) failed$/gm)) {
    passed += Number(p)
    failed += Number(f)
  }
  const failures = [...text.matchAll(/^FAILED (.*(?:\n +.*)?)/gm)].map(([, said]) => said)
  return ended(code, { passed, failed, failures })
}

/** @param {string} folder @returns {Promise<import('./counts.mjs').Counts>} */
export async function vitestSuite(folder) {
  const out = mkdtempSync(join(tmpdir(), 'vitest-'))
  const report = join(out, 'report.json')
  const { code } = await run('node_modules/.bin/vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile=${report}`], folder)
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
    const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
      const failed = assertionResults.filter((test) => test.status === 'failed')
      if (failed.length === 0 && status === 'failed') return [`${name}: ${message}`] // it could not be loaded
      return failed.map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages[0]}`)
    })
    return ended(code, { passed: numPassedTests, failed: numFailedTests, failures })
  } catch (error) {
    const failure = `vitest left no report: ${error}`
    console.log(failure)
    return { passed: 0, failed: 1, failures: [failure] }
  } finally {
    rmSync(out, { recursive: true })
  }
}

/**
 * A script that did not end well has failed, also when no test of it did.
 *
 * @param {number | null} code @param {import('./counts.mjs').Counts} counts
 * @returns {import('./counts.mjs').Counts}
 */
function ended(code, counts) {
  if (code === 0 || counts.failed > 0) return counts
  return { passed: counts.passed, failed: 1, failures: [`ended with exit code ${code}`] }
}

/** @param {string} command @param {string[]} args @param {string} cwd @returns {Promise<{ code: number | null, text: string }>} */
function run(command, args, cwd) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
      process.stdout.write(chunk)
    })
    child.once('close', (code) => resolve({ code, text }))
  })
}
