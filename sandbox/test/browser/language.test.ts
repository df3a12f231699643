// Hardening takes names away and nothing from the language: a few hundred
// expressions give in the sandbox what they give in a bare worker, with the
// engine's own clock and with the recorded one.
import { assert } from 'chai'
import { makeSandbox } from '../fixture/sandbox.js'
import { snippets } from '../fixture/snippets.js'

/** Evaluates each expression in an async function of its own and gives a text of what came. */
const evaluator = `
  const show = (value) => {
    if (typeof value === 'bigint') return value + 'n'
    if (Object.is(value, -0)) return '-0'
    if (typeof value === 'symbol' || typeof value === 'function' || value === undefined) return String(value)
    if (typeof value === 'number') return String(value)
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
    if (ArrayBuffer.isView(value)) return Object.prototype.toString.call(value) + '[' + value + ']'
    if (Array.isArray(value)) return '[' + Array.from(value, show) + ']'
    return Object.prototype.toString.call(value) + '{' + Object.keys(value).map((key) => key + ':' + show(value[key])) + '}'
  }
  const AsyncFunction = (async () => {}).constructor
  const results = []
  for (const code of codes) {
    try { results.push(show(await new AsyncFunction('return ' + code)())) } catch (error) { results.push('throws ' + error?.name) }
  }
  return results`

function inBareWorker(codes: string[]): Promise<string[]> {
  const source = `onmessage = async ({ data: codes }) => { postMessage(await (async () => { ${evaluator} })()) }`
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
  const worker = new Worker(url)
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      worker.terminate()
      URL.revokeObjectURL(url)
      resolve(data)
    }
    worker.onerror = (event) => reject(new Error(event.message))
    worker.postMessage(codes)
  })
}

describe('the language after hardening', () => {
  const codes = snippets.map(({ code }) => code)
  for (const mode of ['deny', 'collect'] as const) {
    it(`is what it is in a bare worker (approval ${mode})`, async function () {
      this.timeout(60_000)
      assert.isAbove(codes.length, 300)
      const bare = await inBareWorker(codes)
      const sandbox = makeSandbox()
      const result = await sandbox.run({
        code: `const codes = input; ${evaluator}`,
        input: codes,
        functions: {},
        approval: { mode },
      })
      sandbox.dispose()
      assert.equal(result.status, 'ok', JSON.stringify(result.error))
      const ours = result.value as string[]
      const different = codes.flatMap((code, i) =>
        ours[i] === bare[i] ? [] : [`${code}: ${ours[i]} instead of ${bare[i]}`],
      )
      assert.deepEqual(different, [])
    })
  }
})
