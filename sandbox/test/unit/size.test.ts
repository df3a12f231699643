// What a page loads, minified and gzipped, each file as a server sends it.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'

const sent = (file: string): number => gzipSync(readFileSync(`dist/${file}`), { level: 9 }).length

/** The core's files: the entry point first, then what it imports when it is needed. */
const core = (): string[] => {
  const files = ['index.js']
  for (const file of files)
    for (const [, name = ''] of readFileSync(`dist/${file}`, 'utf8').matchAll(/["'`]\.\/([\w-]+\.js)["'`]/g))
      if (!files.includes(name)) files.push(name)
  return files
}

/**
 * Most bytes that a page may load. The owner would have 8,500 in url mode and 12,500 with the frame document:
 * what stands in the way, by the byte, is in tests/bench/findings.md.
 */
const limits: Record<string, number> = {
  'url mode, first load': 12_880,
  'url mode, everything': 16_540,
  'srcdoc mode, first load': 25_950,
  'srcdoc mode, everything': 29_660,
}

test('a page loads no more than it may', () => {
  const files = core()
  assert.deepEqual([...files].sort(), ['document.js', 'hints.js', 'index.js', 'resume.js'])
  assert.doesNotMatch(readFileSync('dist/index.js', 'utf8'), /\bfrom\s*["']\.\//, 'the first load is one file')
  const sum = (of: string[]) => of.reduce((bytes, file) => bytes + sent(file), 0)
  const figures = {
    'url mode, first load': sum(['index.js']),
    'url mode, everything': sum(files.filter((file) => file !== 'document.js')),
    'srcdoc mode, first load': sum(['index.js', 'document.js']),
    'srcdoc mode, everything': sum(files),
  }
  for (const file of files) console.log(`size: ${file} ${sent(file)}`)
  console.log(`size: sandbox.html ${sent('sandbox.html')}, in an own file where a route serves it`)
  const others = readdirSync('dist').filter((file) => file.endsWith('.js') && !files.includes(file))
  for (const file of others) console.log(`size: ${file} ${sent(file)}, only where it is imported`)
  for (const [name, bytes] of Object.entries(figures)) {
    const most = limits[name] as number
    console.log(`size: ${name}: ${bytes} bytes of ${most}`)
    assert.ok(bytes <= most, `${name}: ${bytes} bytes, and at most ${most} are allowed`)
  }
})
