// The states of the log's place that check.mjs opens: over the made-up log of dev/reviewer.

import { there } from './inPage.mjs'

const helpers = `
  ${there}
  const one = (at) => document.querySelector(at)
  const fill = (field, text) => {
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set.call(field, text)
    field.dispatchEvent(new Event(field.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }))
  }
  const button = (words) => there(() => [...document.querySelectorAll('.review button')].find((each) => each.textContent.trim().startsWith(words)))
  const choose = async (label, value) => {
    const field = await there(() => one('.review-filters [aria-label="' + label + '"] option[value="' + value + '"]')?.parentElement)
    fill(field, value)
  }
  const first = async (tone) => (await there(() => one('.review-row' + (tone ? '-' + tone : '') + ' .review-fn')?.closest('.review-row'))).click()
  await there(() => one('.review-row .review-fn'))
`

const row = `document.querySelector('.review-row .review-fn')`
const states = [
  ['log', '', row],
  ['log-search', `fill(one('.review-search input'), 'order 7')`, `document.querySelector('.review-hit mark')`],
  [
    'log-nothing',
    `fill(one('.review-search input'), 'nobody ever wrote this')`,
    `document.querySelector('.review-nothing')?.getBoundingClientRect().top < 260`,
  ],
  [
    'log-failed',
    `await choose('Outcome', 'error'); await choose('Decision', 'approve'); await first('bad')`,
    `document.querySelector('.review-point-bad') && document.querySelector('.review-picture .recharts-surface')`,
  ],
  [
    'log-refused',
    `await choose('Outcome', 'refused'); await first('bad')`,
    `document.querySelector('.review-entries')`,
  ],
  [
    'log-rejected',
    `await choose('Outcome', 'rejected'); await first('stopped'); const entries = await there(() => one('.review-entries details')); entries.open = true; entries.scrollIntoView()`,
    `document.querySelector('.review-entries details[open]')`,
  ],
  ['log-unknown', `await choose('Outcome', 'unknown'); await first('doubt')`, `document.querySelector('.review-note')`],
  [
    'log-pictures',
    `(await button('Pictures')).click()`,
    `document.querySelectorAll('.review-picture .recharts-surface').length >= 4`,
  ],
  [
    'log-table',
    `(await button('Pictures')).click(); (await there(() => document.querySelectorAll('.review-chart details')[1])).open = true; one('.review-chart details[open]').scrollIntoView({ block: 'end' })`,
    `document.querySelector('.review-chart details[open] td')`,
  ],
  ['log-ends', `(await button('Open ends')).click()`, `document.querySelector('.review-unknown .review-note')`],
  [
    'log-trust',
    `(await button('Trust')).click(); (await button('Verify')).click()`,
    `document.querySelector('.review-verdict-good') && document.querySelector('.review-head-note')`,
  ],
  ['log-export', `(await button('Export')).click()`, `document.querySelector('.review-export')`],
  [
    'log-other',
    `(await button('Open another')).click()`,
    `document.querySelector('.review-banner') && document.querySelector('.review-row .review-fn')`,
  ],
]

const state = (name, script, after) => ({
  name,
  query: '?plain',
  until: `document.querySelector('.side')`,
  shortcut: 'l',
  run: `(async () => { ${helpers}; ${script} })()`,
  after,
})

/** The numbers of the rows in sight; none as long as one of them is still read. */
const inSight = `
  const lane = document.querySelector('.review-grid')
  const { top, bottom } = lane.getBoundingClientRect()
  const rows = [...lane.querySelectorAll('.review-row')].filter((row) => {
    const at = row.getBoundingClientRect()
    return at.top >= top - 1 && at.bottom <= bottom + 1
  })
  const numbers = rows.every((row) => row.querySelector('.review-fn')) ? rows.map((row) => Number(row.getAttribute('aria-rowindex'))) : []
`
/** More calls than a box can be tall: the middle by the bar, more by the wheel, the end by a key. */
const millions = {
  ...state(
    'log-millions',
    `
      await there(() => one('.review-counted strong').textContent === '3,000,000 calls')
      const seen = () => { ${inSight}; return numbers }
      const lane = one('.review-grid')
      lane.scrollTop = (lane.scrollHeight - lane.clientHeight) / 2
      const [middle] = await there(() => Math.abs(seen()[0] - 1_500_000) < 20 && seen())
      for (let step = 1; step <= 5; step++) {
        lane.scrollTop += 46
        await new Promise(requestAnimationFrame) // the page hears of it
        await there(() => seen()[0] === middle + step)
      }
      const stepped = lane.scrollTop
      await there(() => lane.scrollTop < stepped) // the bar is put back, the rows stay
      if (seen()[0] !== middle + 5) throw new Error('after a rest the first row is ' + seen()[0] + ', not ' + (middle + 5))
      lane.focus()
    `,
    `(() => { ${inSight}
      const current = document.getElementById(lane.getAttribute('aria-activedescendant'))
      return lane.getAttribute('aria-rowcount') === '3000000' && numbers.at(-1) === 3_000_000 && numbers.length > 5 &&
        current?.getAttribute('aria-rowindex') === '3000000' && current.matches('.review-row-current[aria-selected=true]')
    })()`,
  ),
  query: '?plain&calls=3000000',
  keys: [['End']],
}

export const logStates = [...states.map((each) => state(...each)), millions]
