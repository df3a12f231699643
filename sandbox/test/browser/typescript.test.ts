// /typescript as the `transform` of a sandbox, in every engine.
import { stripTypes } from '@faustine-ai/browser-sandbox/typescript'
import { assert } from 'chai'
import { explain, makeSandbox, run } from '../fixture/sandbox.js'

const sandbox = makeSandbox({ warm: true, transform: stripTypes })
const typed = (code: string, options = {}) => run(code, { sandbox, ...options })

describe('/typescript', () => {
  after(() => void sandbox.dispose())

  it('runs TypeScript with enums, satisfies, generics and top-level await', async () => {
    const { result } = await typed(`
interface Note {
  id: number
  text: string
}
enum Kind {
  Long = 'long',
  Short = 'short',
}
const kindOf = <T extends Note>(note: T): Kind => (note.text.length > 6 ? Kind.Long : Kind.Short)
const notes = (await sdk.notes.list()) as Note[]
const counts = { long: 0, short: 0 } satisfies Record<Kind, number>
for (const note of notes) counts[kindOf<Note>(note)]++
return counts!`)
    assert.equal(result.status, 'ok', explain(result))
    assert.deepEqual(result.value, { long: 0, short: 5 })
  })

  it('keeps the line of what throws', async () => {
    const { result } = await typed(
      'type A = {\n  a: string\n}\nenum B {\n  C,\n}\n\nconst a = undefined as A | undefined\nreturn a!.a.length as number',
    )
    assert.equal(result.status, 'error')
    assert.equal(result.error?.line, 9, explain(result))
  })

  for (const [claim, code] of [
    ['a fence', '```ts\nconst a: number = 1\nreturn a\n```'],
    ['a typed function', 'async (): Promise<number> => {\n  return 1\n}'],
    ['an anonymous function', 'async function (): Promise<number> {\n  return 1\n}'],
    ['export default', 'export default async function main(): Promise<number> { return 1 }'],
    ['plain JavaScript', 'return 1'],
  ] as const) {
    it(`${claim} runs as it does without types`, async () => {
      const { result } = await typed(code)
      assert.equal(result.status, 'ok', explain(result))
      assert.equal(result.value, 1)
    })
  }

  it('broken TypeScript is a SyntaxError that names its line, in every engine', async () => {
    const { result } = await typed('const a: number = 1\n\nconst b: = 2')
    assert.equal(result.status, 'error')
    assert.equal(result.error?.name, 'SyntaxError')
    assert.match(result.error?.message ?? '', /^SyntaxError: .*\(line 3\)$/)
  })

  it('an import still gets the core’s advice', async () => {
    const { result } = await typed("import fs from 'fs'\nreturn 1 as number")
    assert.match(result.error?.message ?? '', /no modules here/)
  })
})
