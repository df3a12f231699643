// The library as it is published: packed and installed in a project of its own.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { installPacked, readmeSnippets } from '../runner/packing.mjs'

const project = installPacked('.')
after(() => rmSync(project.folder, { recursive: true }))
const snippets = readmeSnippets(project)

test('every snippet of the README compiles under strict in a project that installed the tarball', () => {
  assert.ok(snippets.length > 0)
  for (const [module, moduleResolution] of [
    ['esnext', 'bundler'],
    ['nodenext', 'nodenext'],
  ]) {
    writeFileSync(
      join(project.folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noUncheckedIndexedAccess: true,
          exactOptionalPropertyTypes: true,
          // The library's own types are checked too.
          skipLibCheck: false,
          noEmit: true,
          target: 'es2022',
          lib: ['es2022', 'dom', 'dom.iterable'],
          module,
          moduleResolution,
          types: [],
        },
        files: snippets.map(({ name }) => `src/${name}`),
      }),
    )
    const { stdout, error } = spawnSync(resolve('node_modules/.bin/tsc'), ['-p', project.folder, '--pretty', 'false'], {
      encoding: 'utf8',
    })
    if (error) throw error
    const named = snippets.reduce((text, { name, line }) => text.replaceAll(name, `README.md:${line}`), stdout)
    assert.equal(named, '', `moduleResolution ${moduleResolution}`)
  }
})

test('the tarball has what package.json exports, the docs that the README links to, and nothing of the sources or tests', () => {
  const { library } = project
  const { exports, dependencies } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8'))
  assert.equal(dependencies, undefined, 'no dependency at run time')
  const files = readdirSync(library, { recursive: true }).map(String)
  for (const entry of Object.values(exports) as (string | Record<string, string>)[]) {
    for (const file of typeof entry === 'string' ? [entry] : Object.values(entry))
      assert.ok(files.includes(file.slice(2)), `${file} is exported and not packed`)
  }
  const readme = readFileSync(join(library, 'README.md'), 'utf8')
  for (const [, link = ''] of readme.matchAll(/\]\(([^)#:]+)\)/g))
    assert.ok(files.includes(link), `${link} is linked to and not packed`)
  assert.deepEqual(
    files.filter((file) => /^(src|test|node_modules)\b|\.map$|tsconfig/.test(file)),
    [],
  )
})
