import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|^testing/.test(file))
  .map((file) => ({ file: file.replaceAll('\\', '/'), text: readFileSync(join('src', file), 'utf8') }))

const importsOf = (text: string): string[] =>
  [...text.matchAll(/from '([^']+)'|^import '([^']+)'/gm)].map((m) => m[1] ?? m[2] ?? '')

/** [who, what it must not import, why] */
const laws: [RegExp, RegExp, string][] = [
  [/^view\//, /browser-sandbox|\/bridge\/|bindings/, 'views know neither Go nor the sandbox'],
  [/^value\//, /^\.\.|^[^.]/, 'the tagged form stands alone'],
  [/^bridge\//, /browser-sandbox|\/(run|assistant|view|scene)\//, 'the bridge carries; it does not know what for'],
  [
    /^run\//,
    /\/(assistant|view|scene)\/|^ai$|@ai-sdk/,
    'a run knows the tool that a model calls, but neither the model nor who looks at it',
  ],
  [
    /^settings\//,
    /browser-sandbox|\/(run|assistant|scene)\//,
    'what the person decided is told to those who act on it, by open.ts; nothing here acts',
  ],
  [/^assistant\//, /\/(view|scene)\/|browser-sandbox$/, 'the conversation starts runs, and does not know how they run'],
]

describe('who imports whom', () => {
  it.each(laws)('%s never %s: %s', (who, what) => {
    const broken = files
      .filter(({ file }) => who.test(file))
      .flatMap(({ file, text }) =>
        importsOf(text)
          .filter((name) => what.test(name))
          .map((name) => `${file} imports ${name}`),
      )
    expect(broken).toEqual([])
  })

  it('only bindings.ts knows window.go', () => {
    expect(files.filter(({ text }) => /\bgo\??\.bridge|window\.go\b/.test(text)).map(({ file }) => file)).toEqual([
      'bindings.ts',
    ])
  })

  it('nothing makes markup, styles or code from text', () => {
    const makers =
      /dangerouslySetInnerHTML|\.innerHTML|insertAdjacentHTML|document\.write|new Function|\beval\(|createElement\('(style|script)'/
    expect(files.filter(({ text }) => makers.test(text)).map(({ file }) => file)).toEqual([])
  })
})
