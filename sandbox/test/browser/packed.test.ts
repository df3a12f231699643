// The library as it is published: packed, installed in a project of its own and
// served as it lies there. Every snippet of the README runs from it with no
// build step. That they compile under strict is in test/unit/packed.
import { assert } from 'chai'
import { ask } from '../fixture/setup.js'

interface Ran {
  asked: string[]
  printed: unknown[][]
  failure?: string
}

/** What each snippet of the README comes to, in its order. */
const claims: ((ran: Ran) => void)[] = [
  ({ asked, printed }) => {
    assert.deepEqual(asked, ['orders.cancel {"id":1}\norders.cancel {"id":3}'], 'one card with every row')
    assert.deepEqual(printed, [
      [
        {
          status: 'ok',
          value: 2,
          calls: (printed[0]?.[0] as { calls: string[] }).calls,
        },
      ],
    ])
    assert.match(
      (printed[0]?.[0] as { calls: string[] }).calls.join('\n'),
      /^1 orders\.list: ok in \d+ ms\n2 orders\.cancel: ok in \d+ ms\n3 orders\.cancel: ok in \d+ ms$/,
    )
  },
]

describe('the packed library', () => {
  it('has a claim here for each snippet of its README', async () => {
    const names = await ask<string[]>('/packed/snippets.json')
    assert.equal(names.length, claims.length, String(names))
  })

  for (const [i, claim] of claims.entries()) {
    it(`runs snippet ${i + 1} of its README with no build step`, async () => {
      const names = await ask<string[]>('/packed/snippets.json')
      const page = document.createElement('iframe')
      page.src = `/packed/${names[i]}.html`
      const ran = await new Promise<Ran>((resolve) => {
        addEventListener('message', function once({ source, data }) {
          if (source !== page.contentWindow) return
          removeEventListener('message', once)
          resolve(data.snippet)
        })
        document.body.append(page)
      })
      page.remove()
      assert.isUndefined(ran.failure)
      claim(ran)
    })
  }

  it('has the frame document beside its modules, to be served', async () => {
    const index = '/packed/library/dist/index.js'
    const { createSandbox } = await import(index)
    const sandbox = createSandbox({ frame: { url: '/packed/library/dist/sandbox.html' } })
    const result = await sandbox.run({ code: 'return 6 * 7', functions: {} })
    sandbox.dispose()
    assert.equal(result.value, 42, result.error?.message)
  })
})
