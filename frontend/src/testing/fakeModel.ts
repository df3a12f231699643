/** A model server on the chat-completions wire, as app/model speaks it. */

import { vi } from 'vitest'

export interface Said {
  text?: string
  code?: string
  /** The tool that is called, in place of runCode. */
  tool?: string
  /** Arguments for runCode as they are, in place of those that carry the code. */
  raw?: string
}
interface WireRequest {
  messages: { role: string; content: unknown; tool_calls?: unknown[]; tool_call_id?: string }[]
  tools: unknown[]
  model: string
}

const sse = (
  { text, code, raw, tool = 'runCode' }: Said,
  n: number,
  signal: AbortSignal | null | undefined,
  hold: boolean,
): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder()
  const chunk = (delta: object, finish_reason: string | null = null): string =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
  const call = (part: object): string => chunk({ tool_calls: [{ index: 0, ...part }] })
  const args = raw ?? (code === undefined ? undefined : JSON.stringify({ code }))
  const pieces = [
    chunk({ role: 'assistant', content: '' }),
    ...(text ?? '').split(/(?<= )/).map((content) => chunk({ content })),
    ...(args === undefined
      ? []
      : [
          call({ id: `call_${n}`, type: 'function', function: { name: tool, arguments: '' } }),
          call({ function: { arguments: args.slice(0, 9) } }),
          call({ function: { arguments: args.slice(9) } }),
        ]),
    ...(hold ? [] : [chunk({}, args === undefined ? 'stop' : 'tool_calls'), 'data: [DONE]\n\n']),
  ]
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(encoder.encode(piece))
      if (!hold) controller.close()
      signal?.addEventListener('abort', () => hold && controller.error(signal.reason))
    },
  })
}

/**
 * A fetch that answers each request with what `answer` says to it: what the
 * model says, a held stream, or a whole Response.
 */
export const fakeModel = (answer: (request: WireRequest, n: number) => Said | Response | { hold: Said }) => {
  const requests: WireRequest[] = []
  const send = vi.fn(async (_input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request: WireRequest = JSON.parse(String(init?.body))
    requests.push(request)
    const said = answer(request, requests.length)
    if (said instanceof Response) return said
    const body =
      'hold' in said
        ? sse(said.hold, requests.length, init?.signal, true)
        : sse(said, requests.length, init?.signal, false)
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  })
  return { send, requests }
}

/** An error as OpenAI's servers shape it. */
export const wireError = (status: number, message: string): Response =>
  new Response(JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code: null } }), {
    status,
    headers: { 'content-type': 'application/json' },
  })
