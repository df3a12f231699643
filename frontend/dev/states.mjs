// The states of the page that check.mjs opens. Each is an address and what is waited for there,
// then what a person does, if anything, and what is waited for behind that:
//
//   query    the rest of the address; see fakeBridge.js for what it takes
//   until    an expression that is true once the page has come
//   shortcut, press, run, keys, typed, type     a key with Control, a click on what a selector
//            finds, a script, keys one after the other, text for the search, text for the box to ask
//   after    an expression that is true once the page has come to the state
//   open     what a selector finds is opened before the page is judged
//   instead  what the server answers in place of its own answer

import { there } from './inPage.mjs'
import { logStates } from './logStates.mjs'

const waits = `document.querySelectorAll('.call-waiting').length === 3`
const over = (status) => `window.sceneDone === '${status}' && document.querySelector('.send')`
const atEnd = `(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight < 2)(document.querySelector('.lane'))`
export const states = [
  { name: 'empty', query: '', until: `document.querySelector('.suggestion')` },
  { name: 'writing', query: '?auto&decide=never', until: `document.querySelectorAll('.program li').length > 8` },
  { name: 'waiting', query: '?auto&decide=never', until: waits },
  { name: 'stopped', query: '?auto&decide=never', until: waits, press: '.stop', after: over('aborted') },
  { name: 'done', query: '?auto&decide=approve&wait=200', until: over('ok') },
  { name: 'some', query: '?auto&decide=first:2&wait=200', until: over('ok'), open: '.call details' },
  { name: 'none', query: '?auto&decide=reject&wait=200', until: over('ok') },
  {
    name: 'another',
    query: '',
    until: `document.querySelector('.suggestion')`,
    type: 'hello',
    after: `document.querySelector('.column > .suggestion') && ${atEnd}`,
  },
  {
    name: 'again',
    query: '?auto&decide=approve&wait=200',
    until: over('ok'),
    type: 'Cancel every open order over $100 from last week.',
    after: `document.querySelectorAll('.reply').length === 2 && document.querySelector('.send') && ${atEnd}`,
  },
  { name: 'not-intact', query: '?plain&trouble', until: `document.querySelector('.window-notice')` },
  { name: 'since-before', query: '?plain&waiting', until: `document.querySelectorAll('.waiting-run').length === 2` },
  {
    name: 'since-before-opened',
    query: '?plain&waiting',
    until: `document.querySelectorAll('.waiting-run').length === 2`,
    press: '.waiting-buttons .send',
    after: `document.querySelectorAll('.reopened .call-waiting').length === 2 && ${atEnd}`,
  },
  {
    name: 'since-before-dismissed',
    query: '?plain&waiting',
    until: `document.querySelectorAll('.waiting-run').length === 2`,
    press: '.waiting-run:last-child .plain',
    after: `document.querySelectorAll('.waiting-run').length === 1 && document.activeElement?.matches('.waiting h2')`,
  },
  ...[
    ['settings', ''],
    ['settings-full', '&settings=full'],
    ['settings-broken', '&settings=broken'],
    ['settings-key', '&settings=model&chain=none'],
  ].map(([name, more]) => ({
    name,
    query: `?plain${more}`,
    until: `document.querySelector('.side')`,
    shortcut: ',',
    after: `document.querySelectorAll('.set-section').length > 7`,
  })),
  {
    name: 'settings-loosening',
    query: '?plain&settings=full',
    until: `document.querySelector('.side')`,
    shortcut: ',',
    press: 'input[value=anthropic]',
    after: `document.querySelector('.loosening[open]')`,
  },
  { name: 'many', query: '?plain&many', until: `document.querySelectorAll('.side-item').length === 50` },
  {
    name: 'long',
    query: '?plain&many',
    until: `document.querySelectorAll('.side-item').length === 50`,
    run: `document.querySelector('.side-item .way').click()`,
    after: `document.querySelectorAll('.reply').length === 20 && document.querySelector('.earlier') && ${atEnd}`,
  },
  {
    name: 'edit',
    query: '?plain&many',
    until: `document.querySelectorAll('.side-item').length === 50`,
    run: `(async () => {
      ${there}
      document.querySelectorAll('.side-item .way')[1].click()
      const edit = await there(() => document.querySelector('.request .tool'))
      edit.click()
    })()`,
    after: `document.querySelector('.edit-request textarea') === document.activeElement && document.activeElement.getBoundingClientRect().top > 0`,
  },
  {
    name: 'found',
    query: '?plain&many',
    until: `document.querySelectorAll('.side-item').length === 50`,
    keys: [['Control', 'k']],
    typed: 'Request 0',
    after: `document.querySelectorAll('.side-excerpt mark').length > 0`,
  },
  {
    name: 'shortcuts',
    query: '?plain',
    until: `document.querySelector('#request')`,
    keys: [['F1']],
    after: `(({ open, scrollTop }) => open && scrollTop === 0)(document.querySelector('dialog.help'))`,
  },
  {
    name: 'deleted',
    query: '?plain&many',
    until: `document.querySelectorAll('.side-item').length === 50`,
    run: `document.querySelector('.side-toggle').click(); document.querySelector('button[aria-label^=Delete]').click()`,
    after: `document.querySelector('.side-undo')`,
  },
  ...logStates,
  { name: 'refused', query: '?refuse', until: `document.querySelector('.failure')` },
  {
    name: 'no-model',
    query: '?auto',
    until: over('error'),
    instead: { of: '/model/', status: 400, body: '{"error":{"message":"the model “offline” does not exist"}}' },
  },
  { name: 'no-sandbox', query: '?auto', until: over('error'), instead: { of: '/sandbox.html', status: 404, body: '' } },
]
