// Runs the unit tests of the pure modules: node test/unit.mjs
// Node 20 does not read TypeScript, so each test file is bundled first.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { run } from 'node:test'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const folder = join(dirname(fileURLToPath(import.meta.url)), 'unit')
const outdir = mkdtempSync(join(tmpdir(), 'sandbox-unit-'))
const tests = readdirSync(folder).filter((name) => name.endsWith('.test.ts'))
await build({
  entryPoints: tests.map((name) => join(folder, name)),
  outdir,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: 'inline',
  logLevel: 'error',
})
let passed = 0
let failed = 0
const stream = run({ files: tests.map((name) => join(outdir, name.replace(/\.ts$/, '.mjs'))), concurrency: 1 })
stream.on('test:pass', (test) => {
  if (test.details.type !== 'suite' && !test.name.endsWith('.mjs')) passed++
})
stream.on('test:fail', (test) => {
  if (test.details.type === 'suite') return
  failed++
  console.log(`FAILED ${test.name}\n  ${test.details.error?.cause?.stack ?? test.details.error}`)
})
// Figures that a test prints.
stream.on('test:stdout', ({ message }) => process.stdout.write(message))
for await (const _ of stream) {
  // Reading the stream to its end is what makes it run.
}
rmSync(outdir, { recursive: true })
console.log(`unit: ${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
