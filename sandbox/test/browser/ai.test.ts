// SPEC §9, /ai: a real useChat, and what the model reads.
import { runCodeTool } from '@faustine-ai/browser-sandbox/ai'
import { generateText } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { assert } from 'chai'
import { calls, leaveAll, makeRoom, type RoomOptions, says } from '../fixture/chat.js'
import { makeHost } from '../fixture/host.js'
import { shared } from '../fixture/sandbox.js'

type Rows = { callId: string; fn: string; input: unknown; title?: string }[]
type Collect = Extract<NonNullable<RoomOptions['approval']>, { mode: 'collect' }>
const collect = (onApproval?: Collect['onApproval']): Collect =>
  onApproval ? { mode: 'collect', onApproval } : { mode: 'collect' }

const removeThree = `
const gone = [], kept = []
for (const id of [1, 2, 3]) {
  try { await sdk.notes.remove({ id }); gone.push(id) } catch (e) { kept.push([id, e.name, e.message]) }
}
return { gone, kept }`

/** A promise and its resolver. */
const later = <T = void>() => {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

describe('/ai in useChat', () => {
  afterEach(leaveAll)

  for (const by of ['chat', 'hook'] as const) {
    describe(by === 'chat' ? 'with a Chat of its own' : 'with the chat that useChat makes', () => {
      it('reads only: the program runs in the page, and the model reads what it returned', async () => {
        const room = makeRoom({
          by,
          script: [calls('a', 'console.log("hello"); return (await sdk.notes.list()).length'), says('five')],
        })
        await room.until(() => true)
        void room.chat().sendMessage({ text: 'how many notes?' })
        await room.until(() => room.parts().some((part) => part.text === 'five') && room.chat().status === 'ready')
        assert.deepEqual(room.host.ran(), ['notes.list'])
        const read = room.read('a') as { status: string; value: unknown; logs: string[]; calls: string[] }
        assert.equal(read.status, 'ok')
        assert.equal(read.value, 5)
        assert.deepEqual(read.logs, ['hello'])
        assert.match(read.calls[0] ?? '', /^1 notes\.list: ok/)
        assert.equal(room.prompts().length, 2)
      })

      it('collect: one card with all rows, and what was approved runs', async () => {
        const cards: Rows[] = []
        const room = makeRoom({
          by,
          script: [calls('a', removeThree), says('done')],
          approval: collect(async (pending, { toolCallId, result, signal }) => {
            cards.push(pending)
            assert.equal(toolCallId, 'a')
            assert.isFalse(signal.aborted)
            assert.isDefined(result.continuation)
            assert.deepEqual(room.host.ran(), [])
            return { all: 'approve' }
          }),
        })
        await room.until(() => true)
        void room.chat().sendMessage({ text: 'remove them' })
        await room.until(() => room.parts().some((part) => part.text === 'done'))
        assert.equal(cards.length, 1)
        assert.deepEqual(
          cards[0]?.map(({ fn, input, title }) => [fn, input, title]),
          [1, 2, 3].map((id) => ['notes.remove', { id }, 'Remove a note']),
        )
        assert.deepEqual(room.host.inputs('notes.remove'), [{ id: 1 }, { id: 2 }, { id: 3 }])
        assert.deepInclude(room.read('a') as object, { status: 'ok', value: { gone: [1, 2, 3], kept: [] } })
      })

      it('stop() in mid-run ends the run, answers the part, and sends nothing', async () => {
        const host = makeHost()
        const room = makeRoom({
          by,
          host,
          script: [calls('a', 'await sdk.notes.get({ id: 1 }); await sdk.hang(); return 1'), says('again')],
        })
        await room.until(() => true)
        void room.chat().sendMessage({ text: 'go' })
        await room.until(
          () =>
            host.ran().includes('hang') ||
            (room.part('a')?.state === 'input-available' && room.chat().status === 'ready'),
        )
        while (!host.ran().includes('hang')) await Promise.resolve(new Promise((next) => requestAnimationFrame(next)))
        const stopped = room.chat().stop()
        await room.until(() => room.part('a')?.state !== 'input-available')
        await stopped
        await room.until(() => room.part('a')?.output)
        const output = room.part('a')?.output as { status: string; calls: string[] }
        assert.equal(output.status, 'aborted')
        assert.match(output.calls.join('\n'), /1 notes\.get: ok[\s\S]*2 hang: cancelled/)
        assert.equal(room.prompts().length, 1, 'nothing was sent')
        // The chat can go on: no tool call is left open.
        void room.chat().sendMessage({ text: 'and now?' })
        await room.until(() => room.parts().some((part) => part.text === 'again'))
        assert.equal((room.read('a') as { status: string }).status, 'aborted')
      })
    })
  }

  it('collect with partial rejection: some run, the others throw with the reason', async () => {
    const room = makeRoom({
      script: [calls('a', removeThree), says('done')],
      approval: collect((pending) => ({
        approve: [pending[0]?.callId ?? ''],
        reject: pending.slice(1).map(({ callId }) => callId),
        reasons: { [pending[1]?.callId ?? '']: 'I need that one' },
      })),
    })
    await room.until(() => true)
    void room.chat().sendMessage({ text: 'remove them' })
    await room.until(() => room.parts().some((part) => part.text === 'done'))
    assert.deepEqual(room.host.inputs('notes.remove'), [{ id: 1 }])
    const { value } = room.read('a') as { value: { gone: number[]; kept: [number, string, string][] } }
    assert.deepEqual(value.gone, [1])
    assert.deepEqual(
      value.kept.map(([id, name]) => [id, name]),
      [
        [2, 'ApprovalRejected'],
        [3, 'ApprovalRejected'],
      ],
    )
    assert.match(value.kept[0]?.[2] ?? '', /I need that one/)
  })

  it('collect asks again for each round', async () => {
    let cards = 0
    const room = makeRoom({
      script: [
        calls(
          'a',
          'const { next } = await sdk.notes.remove({ id: 1 }); await sdk.notes.remove({ id: next }); return next',
        ),
        says('done'),
      ],
      approval: collect((pending) => {
        cards++
        assert.equal(pending.length, 1)
        return { all: 'approve' }
      }),
    })
    await room.until(() => true)
    void room.chat().sendMessage({ text: 'x' })
    await room.until(() => room.parts().some((part) => part.text === 'done'))
    assert.equal(cards, 2)
    assert.deepEqual(room.host.inputs('notes.remove'), [{ id: 1 }, { id: 2 }])
  })

  for (const [claim, approval] of [
    ['no card', collect()],
    ['a card that decides nothing', collect(() => undefined)],
  ] as const) {
    it(`collect with ${claim}: the model reads that the calls wait and have not run`, async () => {
      const room = makeRoom({ script: [calls('a', removeThree), says('ok')], approval })
      await room.until(() => true)
      void room.chat().sendMessage({ text: 'x' })
      await room.until(() => room.parts().some((part) => part.text === 'ok'))
      assert.deepEqual(room.host.ran(), [])
      const read = room.read('a') as { status: string; pending: { fn: string; input: unknown; waits: string }[] }
      assert.equal(read.status, 'pending')
      assert.deepEqual(read.pending[2], {
        fn: 'notes.remove',
        input: { id: 3 },
        waits: 'for a person to approve; it has not run',
      })
    })
  }

  it('a card that throws rejects everything', async () => {
    const room = makeRoom({
      script: [calls('a', removeThree), says('ok')],
      approval: collect(() => {
        throw new Error('no display')
      }),
    })
    await room.until(() => true)
    void room.chat().sendMessage({ text: 'x' })
    await room.until(() => room.parts().some((part) => part.text === 'ok'))
    assert.deepEqual(room.host.ran(), [])
    const { value } = room.read('a') as { value: { kept: string[][] } }
    assert.equal(value.kept.length, 3)
    assert.match(value.kept[0]?.[2] ?? '', /no display/)
  })

  it('a card that leaves a row out runs nothing: the tool fails and says why', async () => {
    const room = makeRoom({
      script: [calls('a', removeThree), says('ok')],
      approval: collect((pending) => ({ approve: [pending[0]?.callId ?? ''] })),
    })
    await room.until(() => true)
    void room.chat().sendMessage({ text: 'x' })
    await room.until(() => room.parts().some((part) => part.text === 'ok'))
    assert.deepEqual(room.host.ran(), [])
    assert.equal(room.part('a')?.state, 'output-error')
    assert.match(room.part('a')?.errorText ?? '', /TypeError.*left undecided/)
  })

  it('deny is the default: a marked call throws', async () => {
    const room = makeRoom({ script: [calls('a', removeThree), says('ok')] })
    await room.until(() => true)
    void room.chat().sendMessage({ text: 'x' })
    await room.until(() => room.parts().some((part) => part.text === 'ok'))
    assert.deepEqual(room.host.ran(), [])
    const { value } = room.read('a') as { value: { kept: string[][] } }
    assert.deepEqual(
      value.kept.map(([, name]) => name),
      ['ApprovalRejected', 'ApprovalRejected', 'ApprovalRejected'],
    )
  })

  it('pause asks call by call', async () => {
    const asked: unknown[] = []
    const room = makeRoom({
      script: [calls('a', removeThree), says('ok')],
      approval: {
        mode: 'pause',
        onApproval: (request, { toolCallId }) => {
          asked.push([request.fn, request.input, toolCallId])
          return (request.input as { id: number }).id === 2 ? { decision: 'reject', reason: 'not that' } : 'approve'
        },
      },
    })
    await room.until(() => true)
    void room.chat().sendMessage({ text: 'x' })
    await room.until(() => room.parts().some((part) => part.text === 'ok'))
    assert.deepEqual(
      asked,
      [1, 2, 3].map((id) => ['notes.remove', { id }, 'a']),
    )
    assert.deepEqual(room.host.inputs('notes.remove'), [{ id: 1 }, { id: 3 }])
  })

  it('an error reaches the model with its line', async () => {
    const room = makeRoom({ script: [calls('a', 'const a = 1\n\nnull.x'), says('ok')] })
    await room.until(() => true)
    void room.chat().sendMessage({ text: 'x' })
    await room.until(() => room.parts().some((part) => part.text === 'ok'))
    const read = room.read('a') as { status: string; error: { name: string; message: string; line: number } }
    assert.equal(read.status, 'error')
    assert.equal(read.error.name, 'TypeError')
    assert.equal(read.error.line, 3)
    assert.match(read.error.message, /\(line 3\)/)
  })

  it('an input that is no program fails the tool, not the chat', async () => {
    const room = makeRoom({
      dynamic: true,
      script: [calls('a', '', { input: { code: 7 } }), calls('b', '', { input: {} }), says('ok')],
    })
    await room.until(() => true)
    void room.chat().sendMessage({ text: 'x' })
    await room.until(() => room.parts().some((part) => part.text === 'ok'))
    assert.match(room.part('a')?.errorText ?? '', /TypeError/)
    assert.match(room.part('b')?.errorText ?? '', /TypeError/)
  })

  it('stop() while a card is open closes it: nothing runs, and a late answer has no effect', async () => {
    const open = later<AbortSignal>()
    const answer = later<{ all: 'approve' }>()
    const room = makeRoom({
      script: [calls('a', removeThree), says('again')],
      approval: collect((_, { signal }) => {
        open.resolve(signal)
        return answer.promise
      }),
    })
    await room.until(() => true)
    void room.chat().sendMessage({ text: 'x' })
    const signal = await open.promise
    const closed = later()
    signal.addEventListener('abort', () => closed.resolve())
    await room.chat().stop()
    await closed.promise
    await room.until(() => room.part('a')?.output)
    answer.resolve({ all: 'approve' })
    assert.equal(room.part('a')?.output?.status, 'aborted')
    assert.equal(room.prompts().length, 1)
    void room.chat().sendMessage({ text: 'and now?' })
    await room.until(() => room.parts().some((part) => part.text === 'again'))
    assert.deepEqual(room.host.ran(), [])
  })

  it('stop() and a new message in one go: the model gets an answered tool call', async () => {
    const host = makeHost()
    const room = makeRoom({ host, script: [calls('a', 'await sdk.hang()'), says('again')] })
    await room.until(() => true)
    void room.chat().sendMessage({ text: 'x' })
    await room.until(() => room.part('a')?.state === 'input-available' && room.chat().status === 'ready')
    void room.chat().stop()
    void room.chat().sendMessage({ text: 'something else' })
    await room.until(() => room.parts().some((part) => part.text === 'again'))
    assert.match(String(room.read('a')), /Stopped by the person/)
  })

  it('stop() while the answer still streams ends stream and run', async () => {
    const hold = later()
    const host = makeHost()
    const running = later()
    const room = makeRoom({
      host,
      hold: hold.promise,
      script: [calls('a', 'await sdk.hang()'), says('again')],
      onEvent: (event) => event.type === 'call' && running.resolve(),
    })
    await room.until(() => true)
    void room.chat().sendMessage({ text: 'x' })
    await running.promise
    await room.until(() => room.chat().status === 'streaming')
    await room.chat().stop()
    await room.until(() => room.part('a')?.output && room.chat().status === 'ready')
    assert.equal(room.part('a')?.output?.status, 'aborted')
    hold.resolve()
  })

  it('two tool calls in one answer: both run, cards one after the other, one answer of the model', async () => {
    let open = 0
    let most = 0
    const cards: string[] = []
    const waiting = new Set<string>()
    const bothWait = later()
    const room = makeRoom({
      script: [
        [
          ...calls('a', 'await sdk.notes.remove({ id: 1 }); return "first"'),
          ...calls('b', 'await sdk.notes.remove({ id: 2 }); return "second"'),
        ],
        says('both'),
      ],
      onEvent: (event, toolCallId) => {
        if (event.type === 'status' && event.status === 'pending') waiting.add(toolCallId)
        if (waiting.size === 2) bothWait.resolve()
      },
      approval: collect(async (_, { toolCallId }) => {
        most = Math.max(most, ++open)
        await bothWait.promise
        // The other program's card would be asked for in this time.
        await new Promise((next) => requestAnimationFrame(next))
        open--
        cards.push(toolCallId)
        return { all: 'approve' }
      }),
    })
    await room.until(() => true)
    void room.chat().sendMessage({ text: 'x' })
    await room.until(() => room.parts().some((part) => part.text === 'both'))
    assert.equal(most, 1)
    assert.sameMembers(cards, ['a', 'b'])
    assert.deepInclude(room.read('a') as object, { status: 'ok', value: 'first' })
    assert.deepInclude(room.read('b') as object, { status: 'ok', value: 'second' })
    assert.equal(room.prompts().length, 2)
  })

  for (const by of ['chat', 'hook'] as const) {
    it(`a part that a reload left open is answered and not run again (${by})`, async () => {
      const room = makeRoom({
        by,
        script: [says('I look first')],
        messages: [
          { id: '1', role: 'user', parts: [{ type: 'text', text: 'x' }] },
          {
            id: '2',
            role: 'assistant',
            parts: [
              { type: 'step-start' },
              {
                type: 'tool-runCode',
                toolCallId: 'a',
                state: 'input-available',
                input: { code: 'await sdk.mail.send()' },
              },
              {
                type: 'dynamic-tool',
                toolName: 'runCode',
                toolCallId: 'b',
                state: 'input-available',
                input: { code: 'await sdk.echo()' },
              },
            ] as never,
          },
        ],
      })
      await room.until(() => room.parts().some((part) => part.text === 'I look first'))
      assert.deepEqual(room.host.ran(), [])
      assert.match(String(room.read('a')), /reloaded/)
      assert.match(String(room.read('b')), /reloaded/)
      assert.equal(room.part('a')?.state, 'output-error')
    })
  }

  it('a call that a replayed stream brings again is answered again, and not run again', async () => {
    const room = makeRoom({
      script: [calls('a', 'return await sdk.echo(7)'), says('ok'), says('again')],
    })
    await room.until(() => true)
    void room.chat().sendMessage({ text: 'x' })
    await room.until(() => room.parts().some((part) => part.text === 'ok') && room.chat().status === 'ready')
    const output = room.part('a')?.output
    room.chat().setMessages((messages) =>
      messages.map((message) => ({
        ...message,
        parts: message.parts
          .filter((part) => part.type !== 'text' || message.role === 'user')
          .map((part) =>
            'toolCallId' in part ? ({ ...part, state: 'input-streaming', output: undefined } as never) : part,
          ),
      })),
    )
    await room.until(() => room.part('a')?.state === 'input-streaming')
    const toolCall = { toolCallId: 'a', toolName: 'runCode', input: { code: 'return await sdk.echo(7)' } }
    room.tools.onToolCall({ toolCall })
    room.tools.onToolCall({ toolCall })
    await room.until(() => room.part('a')?.state === 'output-available')
    assert.deepEqual(room.part('a')?.output, output)
    assert.deepEqual(room.host.ran(), ['echo'])
  })

  it('a part left open stays so where its stream is going to be resumed', async () => {
    const room = makeRoom({
      open: 'leave',
      script: [says('ok')],
      messages: [
        {
          id: '1',
          role: 'assistant',
          parts: [
            { type: 'tool-runCode', toolCallId: 'a', state: 'input-available', input: { code: 'return 1' } } as never,
          ],
        },
      ],
    })
    await room.until(() => true)
    await shared.run({ code: 'return 1', functions: {} })
    assert.equal(room.part('a')?.state, 'input-available')
    // The replayed stream brings the call again, and this page has not run it yet.
    room.tools.onToolCall({ toolCall: { toolCallId: 'a', toolName: 'runCode', input: { code: 'return 1' } } })
    await room.until(() => room.part('a')?.output)
    assert.deepInclude(room.part('a')?.output as object, { status: 'ok', value: 1 })
    await room.until(() => room.parts().some((part) => part.text === 'ok'))
  })

  it('a dynamic tool call is handled by its name', async () => {
    const room = makeRoom({ dynamic: true, script: [calls('a', 'return 7'), says('ok')] })
    await room.until(() => true)
    void room.chat().sendMessage({ text: 'x' })
    await room.until(() => room.parts().some((part) => part.text === 'ok'))
    assert.equal(room.part('a')?.type, 'dynamic-tool')
    assert.deepInclude(room.read('a') as object, { status: 'ok', value: 7 })
  })

  it('a provider-executed call of that name is left to the provider', async () => {
    const room = makeRoom({
      script: [
        [
          ...calls('p', 'return 1', { providerExecuted: true, dynamic: true }),
          { type: 'tool-result', toolCallId: 'p', toolName: 'runCode', result: { by: 'provider' }, dynamic: true },
          ...says('done there'),
        ],
      ],
    })
    await room.until(() => true)
    void room.chat().sendMessage({ text: 'x' })
    await room.until(() => room.parts().some((part) => part.text === 'done there') && room.chat().status === 'ready')
    assert.deepEqual(room.part('p')?.output as unknown, { by: 'provider' })
    assert.equal(room.prompts().length, 1)
    const input = { code: 'await sdk.echo(1)' }
    room.tools.onToolCall({ toolCall: { toolCallId: 'q', toolName: 'runCode', input, providerExecuted: true } })
    await shared.run({ code: 'return 1', functions: {} })
    assert.deepEqual(room.host.ran(), [])
  })

  it('onToolCall before attach is the host’s mistake, and says so', () => {
    const { tools } = makeRoom({ by: 'hook', script: [] })
    assert.throws(() => tools.onToolCall({ toolCall: { toolCallId: 'x', toolName: 'runCode', input: {} } }), /attach/)
    tools.onToolCall({ toolCall: { toolCallId: 'x', toolName: 'other', input: {} } })
    tools.onToolCall({ toolCall: { toolCallId: 'x', toolName: 'toString', input: {} } })
  })

  it('a sandbox that was disposed fails the tool and says so', async () => {
    const { createSandbox } = await import('@faustine-ai/browser-sandbox')
    const sandbox = createSandbox({ frame: { url: '/sandbox.html' } })
    sandbox.dispose()
    const room = makeRoom({ sandbox: sandbox as never, script: [calls('a', 'return 1'), says('ok')] })
    await room.until(() => true)
    void room.chat().sendMessage({ text: 'x' })
    await room.until(() => room.parts().some((part) => part.text === 'ok'))
    assert.match(room.part('a')?.errorText ?? '', /disposed/)
  })
})

describe('/ai in generateText', () => {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  }
  const ask = (code: string) =>
    new MockLanguageModelV4({
      doGenerate: {
        content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'runCode', input: JSON.stringify({ code }) }],
        finishReason: { unified: 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      },
    })

  it('the tool executes where it is called', async () => {
    const host = makeHost()
    const results: string[] = []
    const runCode = runCodeTool({
      sandbox: shared as never,
      functions: host.functions,
      onResult: (result, id) => results.push(`${id} ${result.status}`),
    })
    const { toolResults } = await generateText({
      model: ask('return new Map([[1, 2n]])'),
      tools: { runCode },
      prompt: 'x',
    })
    assert.deepInclude(toolResults[0]?.output as object, { status: 'ok' })
    assert.match(JSON.stringify(toolResults[0]?.output), /Map/)
    assert.deepEqual(results, ['a ok'])
  })

  it('the abort signal of the SDK ends the run', async () => {
    const stop = new AbortController()
    const outputs: string[] = []
    const runCode = runCodeTool({
      sandbox: shared as never,
      functions: makeHost().functions,
      onEvent: (event) => event.type === 'call' && stop.abort(),
      onResult: ({ status }) => outputs.push(status),
    })
    await generateText({
      model: ask('await sdk.hang()'),
      tools: { runCode },
      prompt: 'x',
      abortSignal: stop.signal,
    }).catch(() => {})
    assert.deepEqual(outputs, ['aborted'])
  })

  it('without a sandbox it is a definition that describes every function', () => {
    const definition = runCodeTool({
      functions: makeHost({
        'orders.list': {
          call: () => 1,
          input: { type: 'object', properties: { status: { enum: ['open'] } } },
          description: 'Lists orders.',
        } as never,
      }).functions,
    })
    assert.notProperty(definition, 'execute')
    const text = String(definition.description)
    assert.include(text, 'sdk.orders.list(input)\nLists orders.\n{"input":{"type":"object"')
    assert.match(text, /sdk\.notes\.remove\(input\)\nRemove a note\nWaits for approval\.\n\nsdk/)
    assert.equal(runCodeTool({ functions: {}, description: 'mine' }).description, 'mine')
  })
})
