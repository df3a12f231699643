// What a page loads, minified and gzipped, each file as a server sends it.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'

const sent = (file: string): number => gzipSync(readFileSync(`dist/${file}`), { level: 9 }).length

/** The core's files: the entry point, and what it imports when it is needed. */
const core = (): string[] => {
  const files = ['index.js']
  for (const file of files)
    for (const [, name = ''] of readFileSync(`dist/${file}`, 'utf8').matchAll(/"\.\/([\w-]+\.js)"/g))
      if (!files.includes(name)) files.push(name)
  return files
}

/** Most bytes that a page may load, and what the owner would have. */
const limits = {
  'url mode': { most: 16_700, wanted: 8_500 },
  'with the frame document of srcdoc mode': { most: 28_500, wanted: 12_500 },
}

test('a page loads no more than it may', () => {
  const files = core()
  const documents = files.filter((file) => file === 'document.js')
  assert.deepEqual(documents, ['document.js'], 'the frame document is a file of its own, loaded on demand')
  const sum = (of: string[]) => of.reduce((bytes, file) => bytes + sent(file), 0)
  const figures = {
    'url mode': sum(files.filter((file) => file !== 'document.js')),
    'with the frame document of srcdoc mode': sum(files),
  }
  for (const file of files) console.log(`size: ${file} ${sent(file)}`)
  console.log(`size: sandbox.html ${sent('sandbox.html')}, in an own file where a route serves it`)
  const others = readdirSync('dist').filter((file) => file.endsWith('.js') && !files.includes(file))
  for (const file of others) console.log(`size: ${file} ${sent(file)}, only where it is imported`)
  for (const [name, bytes] of Object.entries(figures)) {
    const { most, wanted } = limits[name as keyof typeof limits]
    console.log(`size: ${name} ${bytes} bytes, at most ${most}; wanted ${wanted}`)
    assert.ok(bytes <= most, `${name}: ${bytes} bytes, and at most ${most} are allowed`)
  }
})
