// What to write instead: the last sentence of an error, where it helps. Loaded
// when the first program of a page throws; without it the error is the same but
// for that sentence.

import type { Fault } from '../shared/protocol.js'

const namesMax = 2_000

const missing =
  /is not (a function|defined|a constructor)|Can't find variable|undefined is not an object|of undefined|\bis undefined/
const typescript =
  /(^|[\n;{])\s*(interface\s+\w+\s*[{<]|type\s+\w+\s*=|(const\s+)?enum\s+\w+\s*\{|declare\s|namespace\s)|[\w\])]\s*\??:\s*(string|number|boolean|any|unknown|void|never|object|Array<|Record<|Promise<|[A-Z]\w*(\[\])?\s*[=,){])|\bas\s+(const|any|unknown|string|number|boolean|[A-Z]\w*)\b|\bsatisfies\s|\babstract\s+class\b|[=(,]\s*<\w+>\s*[\w(]|\w<(string|number|boolean|any|unknown|[A-Z]\w*)(\[\])?>\(|[\w\])]!\s*([.;,)\]\n]|$)/

/** The hint for what a program threw, with a space before it, or nothing. `names`: the functions that exist. */
export const hintFor = ({ name, message }: Fault, code: string, names: readonly string[]): string => {
  if (name === 'SyntaxError' && /^\s*(import\b(?!\s*\()|export\b)|\bimport\.meta\b/m.test(code))
    return ' There are no modules here: write the body of an async function, without import and export; call functions as sdk.….'
  if (/\bimport\s*\(/.test(code) && /import|module/i.test(message))
    return ' There are no modules here, so import() cannot load anything; call functions as sdk.….'
  const reference = name === 'ReferenceError'
  if ((name === 'SyntaxError' || reference) && typescript.test(code))
    return ' This looks like TypeScript: write plain JavaScript, without types.'
  if (!(reference || name === 'TypeError') || !missing.test(message)) return ''
  const absent = /\b(fetch|XMLHttpRequest|WebSocket|require|process|document|window|localStorage|Worker)\b/.exec(
    message,
  )?.[1]
  const why =
    absent === 'require'
      ? ' There is no require and no modules here.'
      : absent
        ? ` There is no ${absent} here: no network, no page, no storage.`
        : ''
  let list = ''
  for (const each of names) {
    if (list.length + each.length > namesMax - 40) {
      list += ', …'
      break
    }
    list += `${list && ', '}sdk.${each}`
  }
  return `${why}${strange(code, names)} The functions that exist: ${list || 'none'}.`
}

/** The first function the program's text names that does not exist; engines do not all name it. */
const strange = (code: string, names: readonly string[]): string => {
  for (const [path] of code.matchAll(/\bsdk(?:\.[\w$]+)+(?=\s*\()/g)) {
    const name = path.slice(4)
    if (!names.some((known) => name === known || name.startsWith(`${known}.`))) return ` There is no ${path}.`
  }
  return ''
}
