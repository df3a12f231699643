// What an adapter costs: claims about the built files.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'

const built = (name: string) => readFileSync(`dist/${name}`, 'utf8')
const imports = (text: string) => [...text.matchAll(/(?:from|import)\s*"([^"]+)"/g)].map(([, path]) => path as string)

/** The bytes, minified and compressed, that a page loads for an entry besides the core; other packages are its own. */
const beyondTheCore = (entry: string, seen = new Set(['./index.js', './document.js'])): number => {
  let bytes = gzipSync(built(entry), { level: 9 }).length
  for (const path of imports(built(entry))) {
    if (!path.startsWith('./') || seen.has(path)) continue
    seen.add(path)
    bytes += beyondTheCore(path.slice(2), seen)
  }
  return bytes
}

for (const [name, needs] of [
  ['ai', ['ai']],
  ['codemode', []],
  ['tanstack', []],
] as const) {
  test(`/${name} takes at most 2 kB beyond the core`, (context) => {
    const bytes = beyondTheCore(`${name}.js`)
    context.diagnostic(`/${name}: ${bytes} bytes`)
    assert.ok(bytes > 500 && bytes <= 2_000, `${bytes} bytes`)
  })

  test(`/${name} needs nothing at run time but the core${needs.map((each) => ` and the package ${each}`).join('')}`, () => {
    assert.deepEqual(imports(built(`${name}.js`)).sort(), ['./index.js', ...needs])
  })
}

for (const [name, most, needs] of [
  ['prompt', 3_500, ['./index.js']],
  ['typescript', 1_000, ['sucrase']],
] as const) {
  test(`/${name} takes at most ${most} bytes beyond the core and its packages`, (context) => {
    const bytes = beyondTheCore(`${name}.js`)
    context.diagnostic(`/${name}: ${bytes} bytes`)
    assert.ok(bytes > 500 && bytes <= most, `${bytes} bytes`)
    assert.deepEqual(imports(built(`${name}.js`)), needs)
  })
}

test('the core loads no adapter', () => {
  for (const path of imports(built('index.js')))
    assert.ok(path === './document.js' || !existsSync(`dist/${path}`), path)
})
