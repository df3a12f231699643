import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const sheets = readdirSync('src/style', { encoding: 'utf8' })
  .filter((file) => file.endsWith('.css'))
  .flatMap((file) =>
    readFileSync(`src/style/${file}`, 'utf8')
      .split('\n')
      .map((line) => ({ file, line: line.trim() })),
  )

/** Lines that say something by itself and not by a token. */
const own = (what: RegExp, but: RegExp): string[] =>
  sheets.filter(({ line }) => what.test(line) && !but.test(line)).map(({ file, line }) => `${file}: ${line}`)

describe('the look', () => {
  it('has one palette: a colour has a name before it is used', () => {
    expect(own(/#[0-9a-f]{3,8}\b/i, /^--[\w-]+:/)).toEqual([])
  })

  it('has one scale of type: sizes are those of the tokens, or a part of what is around', () => {
    expect(own(/font-size:/, /var\(--text-|[\d.]+em;|0\.6\d+rem/)).toEqual([])
  })

  it('says a colour once, dark beside light', () => {
    expect(own(/prefers-color-scheme/, /^$/)).toEqual([])
    const tokens = sheets.flatMap(({ line }) => /^(--[\w-]+):/.exec(line)?.[1] ?? [])
    expect(tokens.filter((name, at) => tokens.indexOf(name) !== at)).toEqual([])
  })
})
