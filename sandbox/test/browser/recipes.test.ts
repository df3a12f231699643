// The cards of docs/recipes.md do what the page says of them.

import { askPerson as askInReact, Cards } from 'docs:recipes.md/Card.tsx'
import { askPerson as askInDom } from 'docs:recipes.md/card.ts'
import type { PendingCall } from '@faustine-ai/browser-sandbox'
import { assert } from 'chai'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

const rows: PendingCall[] = [
  { callId: 'a', seq: 1, fn: 'notes.remove', input: { id: 1, text: '<img src=x onerror=alert(1)>' }, title: 'Remove' },
  { callId: 'b', seq: 2, fn: 'notes.remove', input: { id: 2 } },
]

const found = <T>(look: () => T | null | undefined): Promise<T> =>
  new Promise((done) => {
    const again = () => {
      const it = look()
      if (it) done(it)
      else requestAnimationFrame(again)
    }
    again()
  })
const dialog = () => found(() => document.querySelector('dialog'))
const button = (name: RegExp) =>
  [...document.querySelectorAll('dialog button')].find((each) => name.test(each.textContent ?? '')) as HTMLButtonElement
const gone = () => found(() => !document.querySelector('dialog'))
/** The card takes no answer for its first 700 ms. */
const armed = async () => {
  const until = performance.now() + 750
  await found(() => performance.now() > until)
}

for (const [name, askPerson] of [
  ['plain DOM', askInDom],
  ['React', askInReact],
] as const) {
  describe(`the card in ${name}`, () => {
    let leave = () => {}
    before(() => {
      if (name !== 'React') return
      const place = document.body.appendChild(document.createElement('div'))
      const root = createRoot(place)
      root.render(createElement(Cards))
      leave = () => {
        root.unmount()
        place.remove()
      }
    })
    after(() => leave())

    const ask = async (stop = new AbortController()) => {
      const answer = askPerson(rows, { signal: stop.signal })
      const card = await dialog()
      await found(() => card.open)
      return { answer, card, stop }
    }

    it('shows every row as text, has a name, and the focus on reject', async () => {
      const { answer, card, stop } = await ask()
      assert.include(card.textContent, '<img src=x onerror=alert(1)>')
      assert.isNull(card.querySelector('img'))
      assert.equal(card.querySelectorAll('input:checked').length, 2)
      assert.match(document.getElementById(card.getAttribute('aria-labelledby') ?? '')?.textContent ?? '', /2 calls/)
      assert.equal(document.activeElement, button(/Reject all/))
      stop.abort()
      await answer.catch(() => {})
      await gone()
    })

    it('takes no answer at once, and then the one that is given', async () => {
      const { answer, card } = await ask()
      button(/Run the/).click()
      assert.isTrue(card.isConnected && card.open, 'the first click comes too early')
      await armed()
      ;(card.querySelectorAll('input')[0] as HTMLInputElement).click()
      await found(() => card.querySelectorAll('input:checked').length === 1)
      button(/Run the/).click()
      assert.deepEqual(await answer, { approve: ['b'], reject: ['a'] })
      await gone()
    })

    it('reject all rejects all; so does Escape', async () => {
      const first = await ask()
      await armed()
      button(/Reject all/).click()
      assert.deepEqual(await first.answer, { all: 'reject' })
      await gone()
      const second = await ask()
      second.card.dispatchEvent(new Event('cancel', { cancelable: true }))
      assert.deepEqual(await second.answer, { all: 'reject' })
      await gone()
    })

    it('closes when the run is stopped', async () => {
      const { answer, stop } = await ask()
      stop.abort(new Error('stopped'))
      assert.equal(await answer.catch((error: Error) => error.message), 'stopped')
      await gone()
    })
  })
}
