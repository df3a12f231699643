// What a model reads when the packages' own agent loops run a program through
// our drivers. Only the model is scripted.
import { createBrowserCodeTool } from '@cloudflare/codemode/browser'
import type { createSandbox } from '@faustine-ai/browser-sandbox'
import { asExecutor, type ExecutorOptions } from '@faustine-ai/browser-sandbox/codemode'
import { asIsolateDriver, type DriverOptions } from '@faustine-ai/browser-sandbox/tanstack'
import { type AnyTextAdapter, chat, type StreamChunk, toolDefinition } from '@tanstack/ai'
import { createCodeMode } from '@tanstack/ai-code-mode'
import { generateText, jsonSchema, stepCountIs, tool } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { assert } from 'chai'
import { z } from 'zod'
import { shared } from '../fixture/sandbox.js'

const sandbox = shared as unknown as ReturnType<typeof createSandbox>
const waits = 'for a person to approve; it has not run'

/** Runs one program in TanStack's chat(), and gives what the model got to read of it. */
async function readInTanStack(typescriptCode: string, options: DriverOptions = {}) {
  const ran: unknown[] = []
  const tools = [
    toolDefinition({
      name: 'deleteThing',
      description: 'deletes',
      inputSchema: z.object({ id: z.number() }),
      needsApproval: true,
    }).server(async (input) => {
      ran.push(input)
      return { deleted: input.id }
    }),
  ]
  const { tool, systemPrompt } = createCodeMode({
    tools,
    driver: asIsolateDriver(sandbox, { marks: tools, ...options }),
  })
  let read: unknown
  const adapter = {
    kind: 'text',
    name: 'scripted',
    model: 'scripted',
    '~types': {},
    async *chatStream({ messages }: { messages: { role: string; content: unknown }[] }) {
      const last = messages.at(-1)
      const common = { threadId: 't', runId: 'r', model: 'scripted', timestamp: 0 }
      yield { type: 'RUN_STARTED', ...common }
      if (last?.role === 'tool') {
        read = JSON.parse(String(last.content))
        yield { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant', ...common }
        yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'read', ...common }
        yield { type: 'TEXT_MESSAGE_END', messageId: 'm', ...common }
        yield { type: 'RUN_FINISHED', finishReason: 'stop', ...common }
        return
      }
      const call = { toolCallId: 'c', toolCallName: 'execute_typescript', toolName: 'execute_typescript', ...common }
      yield { type: 'TOOL_CALL_START', ...call }
      yield { type: 'TOOL_CALL_ARGS', delta: JSON.stringify({ typescriptCode }), ...call }
      yield { type: 'TOOL_CALL_END', input: { typescriptCode }, ...call }
      yield { type: 'RUN_FINISHED', finishReason: 'tool_calls', ...common }
    },
  } as unknown as AnyTextAdapter
  const chunks: StreamChunk[] = []
  const stream = chat({
    adapter,
    messages: [{ role: 'user', content: 'delete 7' }],
    tools: [tool],
    systemPrompts: [systemPrompt],
  }) as AsyncIterable<StreamChunk>
  for await (const chunk of stream) chunks.push(chunk)
  return {
    read: read as { success: boolean; result?: Record<string, unknown>; error?: { name: string; message: string } },
    ran,
    chunks,
  }
}

describe('tanstack: chat() with code mode in the page', () => {
  const code = 'const gone: { deleted: number } = await external_deleteThing({ id: 7 })\nreturn gone'

  it('the model reads that a call waits, and what it is', async () => {
    const { read, ran } = await readInTanStack(code, { approval: { mode: 'collect' } })
    assert.isTrue(read.success)
    assert.equal(read.result?.status, 'pending')
    assert.deepEqual(read.result?.pending, [{ fn: 'external_deleteThing', input: { id: 7 }, waits }])
    assert.deepEqual(ran, [])
  })

  it('the model reads the result once the person has approved', async () => {
    const { read, ran } = await readInTanStack(code, {
      approval: { mode: 'collect', onApproval: () => ({ all: 'approve' }) },
    })
    assert.deepEqual(read.result, { deleted: 7 })
    assert.deepEqual(ran, [{ id: 7 }])
  })

  it('the model reads why nothing ran when nobody is asked', async () => {
    const { read, ran } = await readInTanStack(code)
    assert.isFalse(read.success)
    assert.equal(read.error?.name, 'ApprovalRejected')
    assert.deepEqual(ran, [])
  })

  it('logs and calls are events of the chat', async () => {
    const { chunks } = await readInTanStack('console.warn("careful"); return await external_deleteThing({ id: 7 })', {
      approval: { mode: 'pause', onApproval: () => 'approve' },
    })
    const custom = chunks.filter(({ type }) => type === 'CUSTOM') as unknown as {
      name: string
      value: { level?: string }
    }[]
    assert.includeMembers(
      custom.map(({ name, value }) => (value.level ? `${name} ${value.level}` : name)),
      ['code_mode:execution_started', 'code_mode:external_call', 'code_mode:external_result', 'code_mode:console warn'],
    )
  })
})

/** Runs one program in the AI SDK's generateText, and gives what the model got to read of it. */
async function readInAiSdk(code: string, options: ExecutorOptions) {
  const ran: unknown[] = []
  const { description, inputSchema, execute } = createBrowserCodeTool({
    tools: {
      deleteThing: {
        description: 'deletes',
        inputSchema: { type: 'object', properties: { id: { type: 'number' } } },
        execute: async (input) => {
          ran.push(input)
          return { deleted: input.id }
        },
      },
    },
    executor: asExecutor(sandbox, { marks: ['deleteThing'], ...options }),
  })
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  }
  const common = { usage, warnings: [] }
  const model = new MockLanguageModelV4({
    doGenerate: [
      {
        content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'codemode', input: JSON.stringify({ code }) }],
        finishReason: { unified: 'tool-calls', raw: undefined },
        ...common,
      },
      { content: [{ type: 'text', text: 'read' }], finishReason: { unified: 'stop', raw: undefined }, ...common },
    ],
  })
  await generateText({
    model,
    prompt: 'delete 7',
    tools: { codemode: tool({ description, inputSchema: jsonSchema<{ code: string }>(inputSchema), execute }) },
    stopWhen: stepCountIs(3),
  })
  const message = model.doGenerateCalls[1]?.prompt.at(-1)
  const part = message?.role === 'tool' ? message.content[0] : undefined
  return { output: part?.type === 'tool-result' ? part.output : undefined, ran }
}

describe('codemode: generateText of the AI SDK in the page', () => {
  const code = 'async () => codemode.deleteThing({ id: 7 })'

  it('the model reads that a call waits, as a value', async () => {
    const { output, ran } = await readInAiSdk(code, { approval: { mode: 'collect' } })
    assert.equal(output?.type, 'json')
    const { result } = (output as unknown as { value: { result: Record<string, unknown> } }).value
    assert.equal(result.status, 'pending')
    assert.deepEqual(result.pending, [{ fn: 'codemode.deleteThing', input: [{ id: 7 }], waits }])
    assert.deepEqual(ran, [])
  })

  it('the model reads the result once the person has approved', async () => {
    const { output, ran } = await readInAiSdk(code, { approval: { mode: 'pause', onApproval: () => 'approve' } })
    assert.deepEqual((output as unknown as { value: unknown }).value, { result: { deleted: 7 } })
    assert.deepEqual(ran, [{ id: 7 }])
  })

  it('the model reads an error when nobody is asked', async () => {
    const { output, ran } = await readInAiSdk(code, {})
    assert.equal(output?.type, 'error-text')
    assert.match(String((output as unknown as { value: string }).value), /ApprovalRejected.*codemode\.deleteThing/)
    assert.deepEqual(ran, [])
  })
})
