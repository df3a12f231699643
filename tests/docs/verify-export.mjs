// Verifies an export of the log by app/docs/log-format.md alone, without a line of the
// program that wrote it. A number of entries that is right and one word:
//
//   node verify-export.mjs EXPORT [PUBLIC KEY]
import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'

const [file, known] = process.argv.slice(2)
const sha256 = (text) => createHash('sha256').update(text, 'utf8').digest('hex')

/** RFC 8785: JSON.stringify writes numbers and strings so; keys are sorted by hand. */
const canonical = (value) => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
  return `{${members.join(',')}}`
}

/** Ed25519 over the purpose, a line feed and the canonical statement. */
const signed = (key, signature, purpose, statement) => {
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(key, 'hex')])
  const text = Buffer.from(`${purpose}\n${canonical(statement)}`, 'utf8')
  return verify(null, text, createPublicKey({ key: der, format: 'der', type: 'spki' }), Buffer.from(signature, 'hex'))
}

const done = (word, count) => {
  console.log(`${count} ${word}`)
  process.exit(word === 'intact' ? 0 : 3)
}

const lines = readFileSync(file, 'utf8').split('\n').map((line) => line.replace(/,$/, '')).filter((line) => !['', '[', ']'].includes(line))
const head = JSON.parse(lines[0])
const end = JSON.parse(lines.at(-1))
let last = { number: 0, hash: sha256(`countersign log ${head.log}`) }
const { checkpoint } = head
if (checkpoint) {
  const { key, signature, ...statement } = checkpoint
  if (!signed(known ?? key, signature, 'countersign checkpoint', statement)) done('checkpoint not signed', 0)
  last = { number: checkpoint.number, hash: checkpoint.hash }
}
let count = 0
const hashes = new Map()
for (const line of lines.slice(1, end.end === true ? -1 : undefined)) {
  const { hash, ...entry } = JSON.parse(line)
  const follows = entry.number === last.number + 1
  if (sha256(canonical(entry)) !== hash || (follows ? entry.previous !== last.hash : head.complete || entry.number <= last.number)) {
    done('entry changed', count)
  }
  last = { number: entry.number, hash }
  hashes.set(entry.number, hash)
  count++
}
if (end.end !== true || end.entries !== count || (head.complete && end.head.number > last.number)) done('tail cut', count)
const { sha256: sum } = end
if (sum !== sha256(lines.slice(0, -1).map((line) => `${line}\n`).join(''))) done('chain rewritten', count)
if (head.complete && end.head.hash !== last.hash) done('chain rewritten', count)
if (!end.signature) done('anchor missing', count)
const statement = { log: end.head.log, entries: end.entries, head: end.head, sha256: sum }
if (!signed(known ?? end.key, end.signature, 'countersign export', statement)) done('chain rewritten', count)
const { anchor } = head
if (!anchor) done('anchor missing', count)
const atAnchor = anchor.number === end.head.number ? end.head.hash : (hashes.get(anchor.number) ?? anchor.hash)
if (anchor.log !== end.head.log || anchor.hash !== atAnchor) done('chain rewritten', count)
if (anchor.number > end.head.number) done('tail cut', count)
done('intact', count)
