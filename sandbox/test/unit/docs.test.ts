// Every snippet of the docs compiles against the library as it is built.
//
// A ts or tsx block is a module. Its first line may name the file it is
// (`// card.ts`), so that later blocks of the same page import it. A js block
// is a program, as a model writes it: the body of an async function.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const pages = ['README.md', ...readdirSync('docs').map((name) => `docs/${name}`)].filter((name) => name.endsWith('.md'))

interface Snippet {
  /** “docs/ai.md:12”: the page and the line of the block's first line */
  place: string
  file: string
  text: string
  kind: string
}

const program = (body: string) => `declare const sdk: any\nexport async function program() {\n${body}\n}\n`

const snippetsOf = (page: string): Snippet[] => {
  const text = readFileSync(page, 'utf8')
  const folder = page.replace(/\W+/g, '-')
  return [...text.matchAll(/^```(ts|tsx|js)\n([\s\S]*?)^```$/gm)].map((match, i) => {
    const [, kind = '', body = ''] = match
    const line = text.slice(0, match.index).split('\n').length + 1
    const named = /^\/\/ ([\w-]+\.tsx?)\n/.exec(body)?.[1]
    const name = named ?? `block${i}.${kind === 'js' ? 'ts' : kind}`
    return { place: `${page}:${line}`, file: `${folder}/${name}`, kind, text: kind === 'js' ? program(body) : body }
  })
}
const snippets = pages.flatMap(snippetsOf)

test('each page of the docs has a title, and its links lead somewhere', () => {
  for (const page of pages) {
    const text = readFileSync(page, 'utf8')
    assert.match(text, /^# \S/, page)
    const anchors = (of: string) =>
      [...readFileSync(of, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replace(/[^\p{L}\p{N}\s-]/gu, '')
          .replace(/\s/g, '-'),
      )
    for (const [, link = ''] of text.matchAll(/\]\(([^)]+)\)/g)) {
      if (/^https?:/.test(link)) continue
      const [path = '', anchor] = link.split('#')
      const target = path ? join(page, '..', path) : page
      assert.ok(existsSync(target), `${page} links to ${link}`)
      if (anchor) assert.ok(anchors(target).includes(anchor), `${page} links to ${link}: ${anchors(target)}`)
    }
  }
})

test('every ts, tsx and js block compiles against dist/types', () => {
  assert.ok(
    existsSync('dist/types/index.d.ts') && existsSync('dist/types/adapters/ai.d.ts'),
    'build the library with its types first: npm run build',
  )
  assert.ok(snippets.length > 20, `${snippets.length} snippets`)
  const files = snippets.map(({ file }) => file)
  assert.deepEqual(
    files.filter((file, i) => files.indexOf(file) !== i),
    [],
    'two blocks of one page with one name',
  )
  // Inside the package, so that its own name leads to what its exports say.
  const folder = mkdtempSync('test/.snippets-')
  try {
    for (const { file, text } of snippets) {
      mkdirSync(join(folder, file, '..'), { recursive: true })
      // A block without imports is a module all the same.
      writeFileSync(join(folder, file), `${text}export {}\n`)
    }
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2022',
      lib: ['es2024', 'dom', 'dom.iterable'],
      module: 'esnext',
      moduleResolution: 'bundler',
      jsx: 'react-jsx',
      types: [],
      skipLibCheck: true,
    }
    for (const programs of [false, true]) {
      const files = snippets.filter(({ kind }) => (kind === 'js') === programs).map(({ file }) => file)
      // In JavaScript what was caught has any property.
      const options = { ...compilerOptions, useUnknownInCatchVariables: !programs }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files }))
      const { stdout, error } = spawnSync('node_modules/.bin/tsc', ['-p', folder, '--pretty', 'false'], {
        encoding: 'utf8',
      })
      if (error) throw error
      const named = snippets.reduce((text, { file, place }) => text.replaceAll(join(folder, file), place), stdout)
      assert.equal(named, '')
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
