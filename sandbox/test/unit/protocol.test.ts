// PROTOCOL.md and the message types say the same.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const union = readFileSync('src/shared/protocol.ts', 'utf8')
const document = readFileSync('PROTOCOL.md', 'utf8')

const inCode = [...union.matchAll(/^ {2}\| (\{ type: '(\w+)'.*\})$/gm)].map(([, form, name]) => ({ name, form }))
const inDocument = [...document.matchAll(/^### (\w+)\n```ts\n(\{ type: '.*\})\n```$/gm)].map(([, name, form]) => ({
  name,
  form,
}))

test('every message of the code is in PROTOCOL.md, in its literal form, under its name, in the same order', () => {
  assert.ok(inCode.length > 15, 'the pattern for the code finds the messages')
  assert.deepEqual(inDocument, inCode)
})

test('every heading of a message in PROTOCOL.md has one literal form', () => {
  const headings = [...document.matchAll(/^### (\w+)$/gm)].map(([, name]) => name)
  assert.deepEqual(
    headings,
    inCode.map(({ name }) => name),
  )
})
