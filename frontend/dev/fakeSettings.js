// Go's side of the settings, for fakeBridge.js. What the address says:
//   ?settings=full      something of everything, in place of the defaults
//   ?settings=broken    the file has mistakes
//   ?settings=model     a provider is chosen, and has no key yet
//   ?chain=none         there is no keychain

window.settingsOperations = (asked, Refusal) => {
  const hidden = (pairs) => Object.fromEntries(Object.keys(pairs).map((name) => [name, null]))
  const limits = {
    wallClockMs: 60000,
    busyMs: 10000,
    calls: 256,
    inFlight: 32,
    sourceBytes: 262144,
    inputBytes: 1048576,
    outputBytes: 4194304,
    logLines: 1000,
    logBytes: 262144,
  }
  const defaults = {
    model: { provider: 'offline', baseURL: '', name: '' },
    folders: [],
    hosts: [],
    mcp: [],
    limits,
    approval: 'batch',
    tighten: [],
    theme: 'system',
  }
  const full = {
    ...defaults,
    model: { provider: 'compatible', baseURL: 'http://127.0.0.1:11434/v1', name: 'llama3.2:latest' },
    folders: [
      { path: '/home/ada/Documents/Invoices', name: 'invoices', write: true },
      {
        path: '/home/ada/Projects/a-folder-with-a-very-long-name/and/another/one/below/it/so-that-it-cannot-fit',
        name: 'project',
        write: false,
      },
    ],
    hosts: ['api.example.com', '*.wikipedia.org'],
    mcp: [
      {
        name: 'wiki',
        command: '',
        args: [],
        env: {},
        url: 'https://wiki.example.com/mcp',
        headers: { Authorization: null },
        readOnlyConfirmed: { search: 'a'.repeat(64) },
      },
      {
        name: 'notes',
        command: 'notes-mcp',
        args: ['--folder', '/home/ada/Notes'],
        env: { NOTES_TOKEN: null },
        url: '',
        headers: {},
        readOnlyConfirmed: {},
      },
    ],
    limits: { ...limits, calls: 512 },
    approval: 'each',
    tighten: ['files.read', 'web.*'],
  }
  const how = asked.get('settings')
  let state = {
    revision: 1,
    path: '/home/ada/.config/countersign/settings.jsonc',
    exists: how !== null,
    fixed: false,
    inForce: how === 'broken' ? 'last good' : how ? 'file' : 'defaults',
    settings:
      how === 'full' || how === 'broken'
        ? full
        : how === 'model'
          ? { ...defaults, model: { provider: 'anthropic', baseURL: '', name: '' } }
          : defaults,
    defaults,
    problems:
      how === 'broken'
        ? [
            {
              line: 12,
              column: 3,
              severity: 'error',
              text: 'there is no setting "hsots"; did you mean "hosts"?',
            },
            {
              line: 21,
              column: 15,
              severity: 'error',
              text: 'limits.calls: expected a whole number from 1 to 1000000, got "many"',
            },
          ]
        : how === 'full'
          ? [
              {
                line: 9,
                column: 14,
                severity: 'warning',
                text: 'folders[1].path: there is no folder /home/ada/Projects/… at the moment; functions get an error until it is there',
              },
            ]
          : [],
  }
  const waiting = new Set()
  const become = (more) => {
    state = { ...state, ...more, revision: state.revision + 1 }
    for (const wake of [...waiting]) wake()
    waiting.clear()
  }
  /** A rough copy of what Go finds; enough to see the question. */
  const loosens = (before, after) => [
    ...(after.model.provider !== 'offline' &&
    JSON.stringify([after.model.provider, after.model.baseURL]) !==
      JSON.stringify([before.model.provider, before.model.baseURL])
      ? [
          {
            field: 'model',
            text: `What you write, and what programs give back, is sent to ${after.model.baseURL || `https://api.${after.model.provider}.com/v1`}.`,
          },
        ]
      : []),
    ...after.folders
      .filter(({ path, write }) => !before.folders.some((old) => old.path === path && (old.write || !write)))
      .map(({ path, write }) => ({
        field: 'folders',
        text: write
          ? `Programs may change what is in ${path} when you approve.`
          : `Programs may read everything in ${path}.`,
      })),
    ...after.hosts
      .filter((host) => !before.hosts.includes(host))
      .map((host) => ({ field: 'hosts', text: `Programs may fetch from ${host} without asking.` })),
    ...after.mcp
      .filter(({ name }) => !before.mcp.some((old) => old.name === name))
      .map(({ name, url, command }) => ({
        field: 'mcp',
        text: `The MCP server ${name} is started or reached, and its tools are offered: ${url || command}`,
      })),
    ...Object.keys(limits)
      .filter((name) => after.limits[name] > before.limits[name])
      .map((name) => ({
        field: `limits.${name}`,
        text: `The limit ${name} rises from ${before.limits[name]} to ${after.limits[name]}.`,
      })),
  ]
  let key = { from: 'none', name: '', tail: '' }
  const keyStatus = () => ({
    ...key,
    problem: asked.get('chain') === 'none' ? 'the keychain cannot be used: there is no session bus' : '',
    file: '/home/ada/.config/countersign/keys.json',
    env: `COUNTERSIGN_API_KEY_${state.settings.model.provider.toUpperCase()}`,
  })
  const tool = (name, more) => ({
    tool: name,
    name: `wiki.${name}`,
    title: name,
    description: `What ${name} does, in the words of the server.`,
    readOnlyHint: false,
    confirmed: false,
    marked: true,
    definition: 'a'.repeat(64),
    problem: '',
    ...more,
  })
  return {
    'settings.read': async () => state,
    'settings.watch': async ({ since }, signal) => {
      while (state.revision === since)
        await new Promise((resolve, reject) => {
          waiting.add(resolve)
          signal.addEventListener('abort', () => reject(new Refusal('Cancelled', 'stopped')))
        })
      return state
    },
    'settings.reload': async () => state,
    'settings.aside': async () => {
      become({ problems: [], inForce: 'file' })
      return state
    },
    'settings.change': async ({ settings, confirmed }) => {
      const loosened = loosens(state.settings, settings)
      if (loosened.length > 0 && !confirmed) return { applied: false, loosened, state }
      const mcp = settings.mcp.map((s) => ({ ...s, env: hidden(s.env), headers: hidden(s.headers) }))
      become({ settings: { ...settings, mcp }, exists: true, inForce: 'file' })
      return { applied: true, loosened, state }
    },
    'model.key.status': async () => keyStatus(),
    'model.key.set': async ({ key: text, in: place }) => {
      key = {
        from: place,
        name: place === 'file' ? keyStatus().file : '',
        tail: text.length < 16 ? '' : text.slice(-4),
      }
      return keyStatus()
    },
    'model.key.forget': async () => {
      key = { from: 'none', name: '', tail: '' }
      return keyStatus()
    },
    'model.list': async () => ({
      models: ['llama3.2:latest', 'mistral:7b', 'qwen3:14b'].map((id) => ({ id })),
    }),
    'model.check': async () => ({ ok: true, text: `${state.settings.model.name} answers.`, ms: 340 }),
    'folder.pick': async () => ({ path: '/home/ada/Pictures' }),
    'mcp.status': async () => ({
      servers: state.settings.mcp.map(({ name, url }) =>
        name === 'wiki'
          ? {
              name,
              kind: 'http',
              state: 'ready',
              server: { name: 'Wiki', version: '2.1.0' },
              tools: [
                tool('search', { readOnlyHint: true, confirmed: true, marked: false }),
                tool('read', { readOnlyHint: true }),
                tool('write', {}),
              ],
              problems: [],
            }
          : {
              name,
              kind: url ? 'http' : 'stdio',
              state: 'waiting',
              problem: 'notes-mcp: executable file not found in $PATH',
              retryAt: new Date(Date.now() + 30_000).toISOString(),
              tools: [],
              problems: [],
              stderr: '',
            },
      ),
    }),
    'mcp.watch': (_args, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Refusal('Cancelled', '')))),
    'mcp.restart': async () => ({}),
  }
}
