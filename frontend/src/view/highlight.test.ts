import { expect, it } from 'vitest'
import { linesOf } from './highlight'

const textOf = (code: string, language = 'javascript') =>
  linesOf(code, language).map((line) => line.map(({ text }) => text).join(''))

it.each([
  ['a plain program', 'const a = 1\nreturn a'],
  ['a comment over lines', '/* one\ntwo */\nreturn 1'],
  ['a template over lines', 'return `a $' + '{1 +\n 2} b\n`'],
  ['empty lines', '\n\nreturn 1\n\n// end'],
  ['markup', 'return "</script><b>"'],
  ['nothing', ''],
  ['what is no JavaScript', 'def f(:\n  ¯\\_(ツ)_/¯'],
])('%s keeps its text, line by line', (_name, code) => {
  expect(textOf(code)).toEqual(code.split('\n'))
})

it('a token that spans lines is coloured on each', () => {
  expect(linesOf('/* one\ntwo */', 'js')).toEqual([
    [{ text: '/* one', className: 'hljs-comment' }],
    [{ text: 'two */', className: 'hljs-comment' }],
  ])
})

it('a newline at the end begins no line', () => {
  expect(textOf('return 1\n')).toEqual(['return 1'])
})

it('an unknown language and a very long text are shown plain', () => {
  expect(linesOf('const a', 'cobol')).toEqual([[{ text: 'const a' }]])
  expect(linesOf(`const a = '${'x'.repeat(60_000)}'`, 'js')[0]).toHaveLength(1)
})
