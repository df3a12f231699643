// @vitest-environment happy-dom
import { act, cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { part } from '../part/part'
import { fakeConversations } from '../testing/fakeConversations'
import { ask, program, request, show } from '../testing/showPage'
import { until } from '../testing/until'
import { otherPlaces } from './otherPlaces'

configure({ asyncUtilTimeout: 20_000 })
afterEach(cleanup)

const talk = (n: number) => ({
  id: 'c',
  title: 'An old talk',
  from: 0,
  messages: Array.from({ length: n }, (_, at) => ({
    words: '',
    body: {
      id: `m${at}`,
      role: at % 2 ? ('assistant' as const) : ('user' as const),
      parts: [{ type: 'text' as const, text: `Word ${at}.` }],
    },
  })),
  runs: [],
})

const Arrived = () => <main aria-label="Demos">Here they are.</main>

const press = (name: string | RegExp): boolean => fireEvent.click(screen.getByRole('button', { name }))

describe('the side bar', () => {
  it('leads to each place and back to the conversation', async () => {
    const { opened } = await show()
    ask('Hello')
    await waitFor(() => expect(opened.places.get()).toHaveProperty('id'))
    const { id } = opened.places.get() as { id: string }
    press('Demos')
    expect(screen.getByRole('button', { name: 'Demos' }).getAttribute('aria-current')).toBe('page')
    fireEvent.click(await within(screen.getByRole('list', { name: 'Conversations' })).findByText('Hello'))
    expect(opened.places.get()).toEqual({ at: 'conversation', id })
    press('New conversation')
    expect(await screen.findByText('What should be done?')).toBeTruthy()
  })

  it('is left by a key for the box to ask, in the conversation that one came from', async () => {
    const { opened } = await show()
    ask('Hello')
    await waitFor(() => expect(opened.places.get()).toHaveProperty('id'))
    const conversation = opened.places.get()
    press('Demos')
    fireEvent.keyDown(window, { key: 'j', code: 'KeyJ', ctrlKey: true })
    expect(opened.places.get()).toEqual(conversation)
    await waitFor(() => expect(document.activeElement?.id).toBe('request'))
  })

  it('says when a conversation cannot be shown, and offers a new one', async () => {
    const { opened } = await show()
    opened.places.go({ at: 'conversation', id: 'gone' })
    expect((await screen.findByRole('alert')).textContent).toContain('there is no conversation “gone”')
    press('Begin a new one')
    expect(await screen.findByText('What should be done?')).toBeTruthy()
  })

  it('renames by keyboard, deletes, and brings back', async () => {
    const keeper = fakeConversations()
    await keeper.operations.save(talk(2))
    await show({ keeper })
    fireEvent.click(await screen.findByRole('button', { name: 'Rename “An old talk”' }))
    const field = screen.getByLabelText('Title of the conversation')
    fireEvent.change(field, { target: { value: 'Mine' } })
    fireEvent.keyDown(field, { key: 'Enter' })
    await screen.findByText('Mine')
    press('Delete “Mine”')
    await screen.findByText('Deleted “Mine”')
    expect(screen.queryByRole('button', { name: 'Delete “Mine”' })).toBeNull()
    press('Undo')
    expect(await screen.findByRole('button', { name: 'Delete “Mine”' })).toBeTruthy()
  })

  it('shows where a search found what it did, and says when nothing was found', async () => {
    const keeper = fakeConversations()
    await keeper.operations.save(talk(2))
    const { opened } = await show({ keeper })
    await screen.findByText('An old talk')
    vi.spyOn(opened.conversations, 'search').mockImplementation(async (text) =>
      text === 'word' ? [{ id: 'c', title: 'T', created: '', updated: '', excerpt: 'a \u0002word\u0003 of it' }] : [],
    )
    const field = screen.getByRole('searchbox')
    fireEvent.change(field, { target: { value: 'word' } })
    expect((await screen.findByText('word', { selector: 'mark' })).parentElement?.textContent).toBe('word of it')
    fireEvent.click(screen.getByRole('button', { name: /^Delete/ }))
    await waitFor(() => expect(screen.queryByText('word', { selector: 'mark' })).toBeNull())
    fireEvent.change(field, { target: { value: 'nothing' } })
    await screen.findByText('Nothing was found.')
  })
})

describe('a place that is still to be loaded', () => {
  const demos = otherPlaces.demos
  afterEach(() => {
    otherPlaces.demos = demos
  })

  it('comes when it is there; until then the person stays where they are', async () => {
    let arrive = (): void => {}
    const read = vi.fn(() => new Promise<typeof Arrived>((resolve) => (arrive = () => resolve(Arrived))))
    otherPlaces.demos = part('the demos', read)
    await show()
    const box = screen.getByLabelText('Your request')
    box.focus()
    fireEvent.pointerEnter(screen.getByRole('button', { name: 'Demos' }))
    press('Demos')
    expect(screen.getByRole('button', { name: 'Demos' }).getAttribute('aria-current')).toBe('page')
    expect(document.activeElement).toBe(box)
    expect(screen.getByText('What should be done?')).toBeTruthy()
    arrive()
    await screen.findByText('Here they are.')
    expect(screen.queryByRole('main', { name: 'Conversation' })).toBeNull()
    expect(read).toHaveBeenCalledTimes(1)
    press('New conversation')
    press('Demos') // at once from now on
    expect(screen.getByText('Here they are.')).toBeTruthy()
  })

  it('that does not come says so, and can be tried again', async () => {
    const read = vi.fn<() => Promise<typeof Arrived>>().mockRejectedValueOnce(new Error('it is gone'))
    read.mockResolvedValueOnce(Arrived)
    otherPlaces.demos = part('the demos', read)
    await show()
    press('Demos')
    const notice = await screen.findByRole('alert')
    expect(notice.textContent).toContain('This place cannot be shown')
    expect(notice.textContent).toContain('the demos could not be loaded (it is gone). Try again')
    press('Try again')
    await screen.findByText('Here they are.')
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

describe('when programs are not kept in', () => {
  const failed = (claim: string, more = {}) => ({
    group: 'g',
    claim,
    tried: 't',
    expected: 'e',
    answered: 'a',
    passed: false,
    ...more,
  })

  it('says what failed, and leads to the checks', async () => {
    const { opened } = await show()
    await until(() => opened.isolation.get().state === 'holds')
    act(() => opened.isolation.found([failed('the policy is in force'), failed('a loop is ended')]))
    const notice = await screen.findByRole('alert')
    expect(notice.textContent).toContain('Programs are turned off')
    expect(notice.textContent).toContain('2 checks failed (the policy is in force, and 1 more)')
    press('See the checks')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Isolation' })))
    expect(screen.getByText('a loop is ended')).toBeTruthy()
  })

  it('says that a check could not be made, and when it is made again', async () => {
    const { opened } = await show()
    await until(() => opened.isolation.get().state === 'holds')
    act(() => opened.isolation.found([failed('a loop is ended', { unmade: true })]))
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Programs cannot run yetIt is not known whether programs are kept in: 1 check could not be made (a loop is ended). It is made again before the next program.',
    )
  })
})

describe('the first request', () => {
  it('waits for what speaks with models, and is asked once', async () => {
    let arrive = (): void => {}
    const { requests } = await show({
      says: () => ({ text: 'Good morning.' }),
      arrives: () => new Promise((resolve) => (arrive = resolve)),
    })
    ask('Hello')
    expect(await screen.findByRole('button', { name: 'Stop' })).toBeTruthy()
    expect(screen.getByText('Thinking…')).toBeTruthy()
    const box = screen.getByLabelText('Your request')
    expect(requests).toHaveLength(0)
    arrive()
    await waitFor(() => expect(screen.getAllByText('Good morning.').length).toBeGreaterThan(0))
    expect(requests).toHaveLength(1)
    expect(screen.getByLabelText('Your request')).toBe(box) // the box is the one that the person is in
  })

  it('that comes to nobody says so, and is asked with one press', async () => {
    const arrives = vi.fn(async () => {}).mockRejectedValueOnce(new Error('It could not be loaded. Try again.'))
    const { requests } = await show({ says: () => ({ text: 'Good morning.' }), arrives })
    ask('Hello')
    const notice = await screen.findByRole('alert')
    expect(notice.textContent).toContain('This was not asked')
    expect(notice.textContent).toContain('It could not be loaded. Try again.')
    press('Try again')
    await waitFor(() => expect(screen.getAllByText('Good morning.').length).toBeGreaterThan(0))
    expect(JSON.stringify(requests[0])).toContain('Hello')
    expect(screen.queryByText('This was not asked')).toBeNull()
  })
})

describe('a long conversation', () => {
  it('draws its latest messages, and earlier ones when they are asked for', async () => {
    const keeper = fakeConversations()
    await keeper.operations.save(talk(100))
    const { opened } = await show({ keeper })
    opened.places.go({ at: 'conversation', id: 'c' })
    await screen.findByText('Word 99.')
    expect(screen.queryByText('Word 59.')).toBeNull()
    press('Show earlier messages')
    await screen.findByText('Word 59.')
    press('Show earlier messages')
    await screen.findByText('Word 0.')
    expect(screen.queryByRole('button', { name: 'Show earlier messages' })).toBeNull()
  })
})

describe('what was asked', () => {
  it('is edited and asked again, from its button and from the empty box', async () => {
    const { requests } = await show({ says: (_sent, n) => ({ text: `Answer ${n}.` }) })
    ask('Hello')
    await waitFor(() => expect(screen.getAllByText('Answer 1.').length).toBeGreaterThan(0))
    await screen.findByRole('button', { name: 'Ask' })
    fireEvent.keyDown(screen.getByLabelText('Your request'), { key: 'ArrowUp' })
    const field = screen.getByLabelText('The request')
    expect(document.activeElement).toBe(field)
    fireEvent.keyDown(field, { key: 'Escape' })
    press('Edit and ask again')
    fireEvent.change(screen.getByLabelText('The request'), { target: { value: 'Good evening' } })
    press('Ask again')
    await waitFor(() => expect(screen.getAllByText('Answer 2.').length).toBeGreaterThan(0))
    // What was said aloud before is replaced a moment after what is seen.
    await waitFor(() => expect(screen.queryByText('Answer 1.')).toBeNull())
    expect(JSON.stringify(requests.at(-1))).toContain('Good evening')
    expect(JSON.stringify(requests.at(-1))).not.toContain('Hello')
  })
})

describe('a run', () => {
  it('shows the reason that a person gave', async () => {
    const { opened } = await show({
      decide: async (rows) => ({
        approve: [],
        reject: rows.map(({ callId }) => callId),
        reasons: Object.fromEntries(rows.map(({ callId }) => [callId, 'Ada called'])),
      }),
    })
    ask(request)
    await screen.findByText('rejected')
    const place = opened.places.get() as { id: string }
    const now = opened.conversations.open(place.id)
    if (typeof now !== 'object' || !('talk' in now)) throw new Error('no conversation')
    await until(() => !opened.runs.busy(place.id)) // or what it comes to would take the place of what is put there
    const run = opened.runs.get((await now.talk.begin()).keyOf('call_1'))
    if (!run) throw new Error('no run')
    const calls = run.calls.map((call) =>
      call.standing === 'rejected'
        ? { ...call, error: { name: 'ApprovalRejected', message: `sdk.${call.fn} was not approved: Ada called` } }
        : call,
    )
    opened.runs.restore((await now.talk.begin()).keyOf('call_1'), { ...run, calls })
    await screen.findByText('Ada called')
  })

  it('is run again below, is copied, and leads to the log', async () => {
    const { opened } = await show()
    ask(request)
    await screen.findByRole('article', { name: 'Program: Done' })
    press('Run again')
    await screen.findByRole('article', { name: 'Program: Run 2: Done' })

    const written = vi.fn(async () => {})
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: written } })
    fireEvent.click(screen.getAllByRole('button', { name: 'Copy the program' })[0] as HTMLElement)
    await screen.findByRole('button', { name: 'Copied' })
    expect(written).toHaveBeenCalledWith(program)
    vi.unstubAllGlobals()

    fireEvent.click(screen.getAllByRole('button', { name: 'Show in the log' })[0] as HTMLElement)
    expect(opened.places.get()).toEqual({ at: 'log', run: 'run-1' })
  })
})
