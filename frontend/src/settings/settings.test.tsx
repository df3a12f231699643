// @vitest-environment happy-dom

import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { BridgeError } from '../bridge/bridgeError'
import type { Opened } from '../open'
import { createPlaces } from '../place/places'
import { fakeIsolation } from '../testing/fakeIsolation'
import { fakeSettings, someDefaults } from '../testing/fakeSettings'
import { Settings } from './Settings'
import type { Settings as All, Loosening } from './shapes'
import { createSettings } from './store'
import { followTheme } from './theme'
import { pairsOf, wordsOf } from './words'

const loosensHosts = (before: All, after: All): Loosening[] =>
  after.hosts
    .filter((host) => !before.hosts.includes(host))
    .map((host) => ({ field: 'hosts', text: `Programs may fetch from ${host} without asking.` }))

const key = {
  from: 'none',
  name: '',
  tail: '',
  problem: '',
  file: '/home/ada/keys.json',
  env: 'COUNTERSIGN_API_KEY_OPENAI',
}
const answers: Record<string, (args: never) => unknown> = {
  functions: () => [{ name: 'files.read' }],
  'mcp.status': () => ({ servers: [] }),
  'model.key.status': () => key,
  'model.list': () => ({ models: [{ id: 'm-1' }, { id: 'm-2', name: 'Model Two' }] }),
  'model.check': () => ({ ok: true, text: 'm-1 answers.', ms: 12 }),
  'folder.pick': () => ({ path: '/home/ada/Bilder & mehr' }),
}

const show = async (
  first: Parameters<typeof fakeSettings>[0] = {},
  loosens?: Parameters<typeof fakeSettings>[1],
  more: typeof answers = {},
) => {
  const others = vi.fn((op: string, args: unknown) => {
    if (op === 'mcp.watch') return new Promise(() => {})
    const answer = { ...answers, ...more }[op]
    if (!answer) throw new BridgeError('BadRequest', `there is no op “${op}” here`)
    return answer(args as never)
  })
  const go = fakeSettings(first, loosens, others)
  const settings = await createSettings(go.ask)
  render(
    <Settings
      opened={
        {
          settings,
          ask: go.ask,
          hello: { version: 'test' },
          isolation: fakeIsolation(),
          places: createPlaces(),
        } as unknown as Opened
      }
    />,
  )
  await act(async () => {})
  return { ...go, others, settings }
}

const section = (name: string) => within(screen.getByRole('region', { name }))

// A machine that is busy with other tests takes longer than the second that is usual.
configure({ asyncUtilTimeout: 20_000 })
afterEach(cleanup)

describe('a change', () => {
  it('that loosens nothing is made at once', async () => {
    const { state } = await show()
    fireEvent.click(section('Appearance').getByLabelText('Dark'))
    await waitFor(() => expect(state().settings.theme).toBe('dark'))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('that loosens something is made only after it was confirmed', async () => {
    const { state } = await show({}, loosensHosts)
    const add = () => {
      fireEvent.change(section('Hosts').getByLabelText('A host to add'), { target: { value: ' a.example.com ' } })
      fireEvent.click(section('Hosts').getByRole('button', { name: 'Add' }))
    }
    add()
    const dialog = await screen.findByRole('dialog', { name: 'This lets Countersign do more' })
    expect(dialog.textContent).toContain('Programs may fetch from a.example.com without asking.')
    fireEvent.click(within(dialog).getByRole('button', { name: 'Leave it as it is' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(state().settings.hosts).toEqual([])

    add()
    fireEvent.click(await screen.findByRole('button', { name: 'Allow it' }))
    await section('Hosts').findByText('a.example.com')
    expect(state().settings.hosts).toEqual(['a.example.com'])
  })

  it('that Go refuses says why, at its place, and what was written stays', async () => {
    await show({}, () => {
      throw new BridgeError('InvalidInput', 'hosts[0]: expected the name of a host alone, got "https://x"')
    })
    const box = section('Hosts').getByLabelText('A host to add') as HTMLInputElement
    fireEvent.change(box, { target: { value: 'https://x' } })
    fireEvent.click(section('Hosts').getByRole('button', { name: 'Add' }))
    expect((await section('Hosts').findByRole('alert')).textContent).toBe(
      'Expected the name of a host alone, got "https://x"',
    )
    expect(box.value).toBe('https://x')
  })

  it('from another hand shows by itself', async () => {
    const { become } = await show()
    act(() => become({ settings: { ...someDefaults, hosts: ['b.example.com'] } }))
    expect(await section('Hosts').findByText('b.example.com')).toBeTruthy()
  })
})

describe('a file with mistakes', () => {
  const problems = [
    { line: 3, column: 7, severity: 'error' as const, text: 'there is no setting "hsots"; did you mean "hosts"?' },
  ]
  it('is told with line and column, and nothing can be changed on the screen', async () => {
    await show({ problems, inForce: 'last good' })
    const told = await screen.findByRole('region', { name: 'The settings file is not in force as it is' })
    expect(told.textContent).toContain('line 3, column 7')
    expect(told.textContent).toContain('The last settings without a mistake stay in force.')
    expect((section('Asking you').getByLabelText(/Never/) as HTMLInputElement).closest('fieldset')?.disabled).toBe(true)
  })
  it('can be put aside', async () => {
    await show({ problems, inForce: 'last good' })
    fireEvent.click(screen.getByRole('button', { name: 'Put it aside and go on with what is in force' }))
    await waitFor(() => expect(screen.queryByText(/hsots/)).toBeNull())
  })
})

describe('the model', () => {
  const openai = { ...someDefaults, model: { provider: 'openai' as const, baseURL: '', name: '' } }
  it('is chosen from the list of the server', async () => {
    const { state } = await show({ settings: openai })
    fireEvent.change(await section('Model').findByLabelText('Model'), { target: { value: 'm-2' } })
    await waitFor(() => expect(state().settings.model.name).toBe('m-2'))
  })
  it('has its name written where there is no list, and the reason is told', async () => {
    const { state } = await show({ settings: openai }, undefined, {
      'model.list': () => ({ models: [], problem: 'OpenAI asks for a key. Set one in Settings › Model.' }),
    })
    expect(await section('Model').findByText(/asks for a key/)).toBeTruthy()
    fireEvent.change(section('Model').getByLabelText('Model'), { target: { value: 'mine' } })
    const form = section('Model').getByLabelText('Model').closest('form')
    if (form) fireEvent.submit(form)
    await waitFor(() => expect(state().settings.model.name).toBe('mine'))
  })
  it('of another server is in force only with its address', async () => {
    const { state } = await show()
    fireEvent.click(section('Model').getByLabelText(/Another server/))
    expect(state().settings.model.provider).toBe('offline')
    fireEvent.change(section('Model').getByLabelText('Address'), { target: { value: 'http://127.0.0.1:1234/v1' } })
    fireEvent.click(section('Model').getByRole('button', { name: 'Use it' }))
    await waitFor(() =>
      expect(state().settings.model).toEqual({ provider: 'compatible', baseURL: 'http://127.0.0.1:1234/v1', name: '' }),
    )
  })
  it('is as it was when the change is not confirmed', async () => {
    await show({}, () => [{ field: 'model', text: 'What you write is sent to https://api.openai.com/v1.' }])
    fireEvent.click(section('Model').getByLabelText(/OpenAI.*api/))
    fireEvent.click(await screen.findByRole('button', { name: 'Leave it as it is' }))
    await waitFor(() => expect((section('Model').getByLabelText(/None/) as HTMLInputElement).checked).toBe(true))
  })
  it('keeps its address, too, when another one is not confirmed', async () => {
    const own = { provider: 'compatible' as const, baseURL: 'http://127.0.0.1:1234/v1', name: 'm' }
    await show({ settings: { ...someDefaults, model: own } }, () => [{ field: 'model', text: 'It is sent elsewhere.' }])
    fireEvent.click(section('Model').getByLabelText(/OpenAI.*api/))
    fireEvent.click(await screen.findByRole('button', { name: 'Leave it as it is' }))
    await waitFor(() =>
      expect((section('Model').getByLabelText('Address') as HTMLInputElement).value).toBe(own.baseURL),
    )
  })
  it('can be tried, and tells what is wrong', async () => {
    const named = { ...openai, model: { ...openai.model, name: 'm-1' } }
    const { others } = await show({ settings: named })
    fireEvent.click(section('Model').getByRole('button', { name: 'Try it' }))
    expect(await section('Model').findByText('m-1 answers. It took 12 ms.')).toBeTruthy()
    others.mockImplementation(() => ({ ok: false, text: 'OpenAI did not accept the key.', ms: 0 }))
    fireEvent.click(section('Model').getByRole('button', { name: 'Try it' }))
    expect(await section('Model').findByText('OpenAI did not accept the key.')).toBeTruthy()
  })
})

describe('the key', () => {
  const openai = { ...someDefaults, model: { provider: 'openai' as const, baseURL: '', name: 'm-1' } }
  it('goes to Go once, is shown nowhere, and can be forgotten', async () => {
    let now: Record<string, string> = key
    const set = vi.fn((_args: { key: string; in: string }) => {
      now = { ...key, from: 'keychain', tail: 'WXYZ' }
      return now
    })
    await show({ settings: openai }, undefined, {
      'model.key.status': () => now,
      'model.key.set': set as never,
      'model.key.forget': () => key,
    })
    const model = section('Model')
    const box = (await model.findByLabelText('The key')) as HTMLInputElement
    expect(box.type).toBe('password')
    fireEvent.change(box, { target: { value: 'sk-secret-0123456789-WXYZ' } })
    fireEvent.click(model.getByRole('button', { name: 'Keep it' }))
    expect(await model.findByText('in the keychain, ends with WXYZ')).toBeTruthy()
    expect(set).toHaveBeenCalledExactlyOnceWith({ key: 'sk-secret-0123456789-WXYZ', in: 'keychain' })
    expect(document.body.innerHTML).not.toContain('sk-secret')
    fireEvent.click(model.getByRole('button', { name: 'Forget' }))
    expect(await model.findByText('None is set.')).toBeTruthy()
  })
  it('goes into a file only for a person who chose that', async () => {
    const set = vi.fn(() => ({ ...key, from: 'file', name: key.file }))
    await show({ settings: openai }, undefined, { 'model.key.set': set })
    const model = section('Model')
    fireEvent.change(await model.findByLabelText('The key'), { target: { value: 'k' } })
    fireEvent.click(model.getByLabelText(/In a file/))
    fireEvent.click(model.getByRole('button', { name: 'Keep it' }))
    await waitFor(() => expect(set).toHaveBeenCalledWith({ key: 'k', in: 'file' }))
  })
  it('in the environment is named and cannot be changed here', async () => {
    await show({ settings: openai }, undefined, {
      'model.key.status': () => ({ ...key, from: 'environment', name: 'OPENAI_API_KEY', tail: 'abcd' }),
    })
    expect(await section('Model').findByText('in the variable OPENAI_API_KEY, ends with abcd')).toBeTruthy()
    expect(section('Model').queryByRole('button', { name: 'Forget' })).toBeNull()
  })
})

describe('folders, servers and limits', () => {
  it('a folder is picked in the system’s dialog and gets a name that programs can use', async () => {
    const { state } = await show()
    fireEvent.click(screen.getByRole('button', { name: 'Add a folder…' }))
    await waitFor(() =>
      expect(state().settings.folders).toEqual([
        { path: '/home/ada/Bilder & mehr', name: 'Bilder - mehr', write: false },
      ]),
    )
    fireEvent.change(await screen.findByLabelText('What programs may do in Bilder - mehr'), {
      target: { value: 'write' },
    })
    await waitFor(() => expect(state().settings.folders[0]?.write).toBe(true))
    fireEvent.click(screen.getByRole('button', { name: 'Remove Bilder - mehr' }))
    await waitFor(() => expect(state().settings.folders).toEqual([]))
  })
  it('a server is added with its secrets, which are not shown again', async () => {
    const { state, ask } = await show()
    fireEvent.click(screen.getByRole('button', { name: 'Add a server…' }))
    fireEvent.change(screen.getByLabelText(/^Name/), { target: { value: 'notes' } })
    fireEvent.change(screen.getByLabelText(/^Command/), {
      target: { value: 'notes-mcp --folder "/home/ada/My notes"' },
    })
    fireEvent.change(screen.getByLabelText(/^Environment/), { target: { value: 'TOKEN=s3cret=\n' } })
    const form = within(screen.getByRole('form', { name: 'Add an MCP server' }))
    fireEvent.click(form.getByRole('button', { name: 'Add' }))
    await screen.findByText('with TOKEN (not shown)')
    await waitFor(() => expect(screen.queryByRole('form', { name: 'Add an MCP server' })).toBeNull())
    expect(state().settings.mcp[0]).toMatchObject({
      name: 'notes',
      command: 'notes-mcp',
      args: ['--folder', '/home/ada/My notes'],
      env: { TOKEN: null },
    })
    expect(document.body.innerHTML).not.toContain('s3cret')
    expect(ask).toBeTruthy()
  })
  it('a tool that says it only reads is confirmed by its definition', async () => {
    const server = {
      name: 'wiki',
      command: '',
      args: [],
      env: {},
      url: 'https://wiki.example',
      headers: {},
      readOnlyConfirmed: { old: 'a'.repeat(64) },
    }
    const definition = 'b'.repeat(64)
    const { state } = await show({ settings: { ...someDefaults, mcp: [server] } }, undefined, {
      'mcp.status': () => ({
        servers: [
          {
            name: 'wiki',
            state: 'ready',
            tools: [
              { tool: 'search', readOnlyHint: true, definition },
              { tool: 'old', readOnlyHint: true, definition },
              { tool: 'write', readOnlyHint: false, definition },
            ],
          },
        ],
      }),
    })
    expect(await screen.findByText(/has changed since you confirmed it/)).toBeTruthy()
    expect(screen.getAllByRole('checkbox', { hidden: true }).length).toBe(2)
    fireEvent.click(screen.getByLabelText('Only reads: do not ask about search'))
    await waitFor(() =>
      expect(state().settings.mcp[0]?.readOnlyConfirmed).toEqual({ old: 'a'.repeat(64), search: definition }),
    )
  })
  it('a limit is shown in units for people and kept in those of the file', async () => {
    const { state } = await show()
    const box = screen.getByLabelText('Time of a program, not while it waits for you') as HTMLInputElement
    expect(box.value).toBe('60')
    fireEvent.change(box, { target: { value: '1,5' } })
    fireEvent.blur(box)
    await waitFor(() => expect(state().settings.limits.wallClockMs).toBe(1500))
    fireEvent.click(await screen.findByRole('button', { name: /^back to 60/ }))
    await waitFor(() => expect(state().settings.limits.wallClockMs).toBe(60_000))
  })
})

describe('the theme', () => {
  it('is on the page, now and after each change', async () => {
    const { settings, become } = await show({ settings: { ...someDefaults, theme: 'dark' } })
    const root = document.createElement('html')
    followTheme(settings, root)
    expect(root.dataset.theme).toBe('dark')
    act(() => become({ settings: someDefaults }))
    await waitFor(() => expect(root.dataset.theme).toBeUndefined())
  })
})

describe('words', () => {
  it.each([
    ['a  b', ['a', 'b']],
    ['"a b" c', ['a b', 'c']],
    [`'a "b' c\\ d`, ['a "b', 'c d']],
    ['--x="a b"', ['--x=a b']],
    ['""', ['']],
    ['  ', []],
  ])('%s', (line, words) => expect(wordsOf(line)).toEqual(words))
  it('pairs keep what follows the first mark', () =>
    expect(pairsOf('A=b=c\n\n X = y', '=')).toEqual({ A: 'b=c', X: 'y' }))
})
