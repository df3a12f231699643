import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Runs a script of ours that ends each of its parts, or itself, with
 * “name: N passed, N failed”, and sums those lines.
 *
 * @param {string} folder @param {string[]} args
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function nodeSuite(folder, args) {
  const { code, text } = await run('node', args, folder)
  let passed = 0
  let failed = 0
  for (const [, p, f] of text.matchAll(/^(?:\w+: )?(\d+) passed, (\d+) failed$/gm)) {
    passed += Number(p)
    failed += Number(f)
  }
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed }
}

/** @param {string} folder @returns {Promise<{ passed: number, failed: number }>} */
export async function vitestSuite(folder) {
  const out = mkdtempSync(join(tmpdir(), 'vitest-'))
  const report = join(out, 'report.json')
  const { code } = await run('node_modules/.bin/vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile=${report}`], folder)
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'))
    return { passed: numPassedTests, failed: code !== 0 && numFailedTests === 0 ? 1 : numFailedTests }
  } catch (error) {
    console.log(`vitest left no report: ${error}`)
    return { passed: 0, failed: 1 }
  } finally {
    rmSync(out, { recursive: true })
  }
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
