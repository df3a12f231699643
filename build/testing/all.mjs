// Runs every suite and sums what really passed and failed. The last line is
// “N passed, N failed”; the exit code is not 0 when anything failed, or when a
// suite ran no test at all.
//
// node build/testing/all.mjs [SUITE…]    suites: go unit browser frontend page desktop package bench
import { mkdirSync, writeFileSync } from 'node:fs'
import { oneLine } from './counts.mjs'
import { goSuite } from './go.mjs'
import { nodeSuite, vitestSuite } from './node.mjs'

const TAGS = 'desktop,production,webkit2_41,sqlite_fts5'

/** @type {Record<string, () => Promise<import('./counts.mjs').Counts>>} */
const SUITES = {
  go: () => goSuite(['-race', '-tags', TAGS, './...']),
  unit: () => nodeSuite('sandbox', ['test/unit.mjs']),
  browser: () => nodeSuite('sandbox', ['test/browser.mjs']),
  frontend: () => vitestSuite('frontend'),
  // Every state of the page in Chromium: policy, accessibility, overflow.
  page: () => nodeSuite('frontend', ['dev/check.mjs']),
  // The real app in a real window; one package after the other, since each
  // wants the machine for itself.
  // Never from the cache: it knows the tests, and not the program that they start.
  desktop: () => goSuite(['-count=1', '-tags', `${TAGS},desktoptest`, '-p', '1', '-timeout', '20m', './tests/desktop/...', './tests/faults/...', './app/shell/...']),
  // Whether everything can still be measured, and gives right results; no times.
  bench: () => nodeSuite('tests/bench', ['bench.mjs', '--short']),
  // What make package builds: twice, and installed in a clean root.
  package: () => goSuite(['-count=1', '-tags', `${TAGS},packagetest`, '-timeout', '40m', './tests/package/...']),
}

const wanted = process.argv.slice(2)
for (const name of wanted) {
  if (!(name in SUITES)) {
    console.error(`expected suites out of ${Object.keys(SUITES).join(', ')}; got ${name}`)
    process.exit(2)
  }
}
let passed = 0
let failed = 0
/** @type {string[]} */
const lines = []
/** @type {string[]} */
const failures = []
for (const [name, run] of Object.entries(SUITES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  if (name === 'package' && wanted.length === 0 && process.getuid?.() !== 0) {
    lines.push('package: left out, since only root can make a clean root to install in: sudo make test SUITES=package')
    continue
  }
  console.log(`\n== ${name}`)
  const began = Date.now()
  const counts = await run()
  // A suite in which nothing ran proves nothing.
  if (counts.passed + counts.failed === 0) {
    counts.failed = 1
    counts.failures.push('no test ran')
  }
  passed += counts.passed
  failed += counts.failed
  failures.push(...counts.failures.map((failure) => oneLine(`FAILED ${name}: ${failure}`)))
  lines.push(`${name}: ${counts.passed} passed, ${counts.failed} failed, ${Math.round((Date.now() - began) / 1000)} s`)
}
console.log(`\n${lines.join('\n')}`)
// Said again at the end: of a long output often only the last lines are kept.
if (failures.length > 0) console.log(`\n${failures.slice(0, 12).join('\n')}`)
if (failures.length > 12) console.log(`and ${failures.length - 12} more, above`)
const total = `${passed} passed, ${failed} failed`
mkdirSync('build/cache', { recursive: true })
writeFileSync('build/cache/total', `${total}\n`)
console.log(total)
process.exitCode = failed > 0 ? 1 : 0
