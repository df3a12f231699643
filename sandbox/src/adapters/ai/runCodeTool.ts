// The tool that runs a model's program. With a sandbox it executes, in
// streamText and generateText as well as in a chat's page; without one it is
// the definition that a server sends to the model.

import { jsonSchema, type Tool, type ToolExecutionOptions } from 'ai'
import {
  type ApprovalRequest,
  type Decisions,
  defineFunctions,
  type FunctionMap,
  type Functions,
  type Limits,
  type PendingCall,
  type Result,
  type RunEvent,
  type Sandbox,
  toToolOutput,
} from '../../index.js'
import { type AdapterApproval, type CardContext, runAsking } from '../ask/approval.js'
import { makeTurns } from './turns.js'

/** What the model reads of a result. */
export type ToolOutput = ReturnType<typeof toToolOutput>

/** The model's tool call that a question belongs to. */
interface OfToolCall {
  toolCallId: string
}

/** What happens to marked calls. Questions of programs that run side by side come one after the other. */
export type CodeToolApproval =
  /** A marked call throws ApprovalRejected into the program. */
  | { mode?: 'deny' }
  /** The program stops at each marked call; only the answer 'approve' approves. */
  | { mode: 'pause'; onApproval: (request: ApprovalRequest, call: OfToolCall) => unknown }
  /**
   * Marked calls wait together. The card gets them all, answers with decisions
   * about every one, and is asked again for each round. Without a card, or when
   * it answers nothing, the model reads that they wait and have not run. A card
   * that throws rejects them all; one that leaves a row out fails the tool.
   */
  | {
      mode: 'collect'
      onApproval?: (
        pending: PendingCall[],
        context: CardContext & OfToolCall,
      ) => Decisions | undefined | Promise<Decisions | undefined>
    }

export interface RunCodeOptions {
  /** Where programs run. Without it the tool is a definition only, for the server. */
  sandbox?: Sandbox
  functions: Functions | FunctionMap
  /** `deny` by default. */
  approval?: CodeToolApproval
  /**
   * What the model reads about the tool. By default one sentence, and the
   * functions with their JSON Schemas. `describeFunctions` of `/prompt` gives
   * TypeScript declarations and fuller instructions.
   */
  description?: string
  /** Limits of each run. */
  limits?: Partial<Limits>
  /** Most characters of an output, as JSON; 20 000 by default. */
  maxChars?: number
  onEvent?: (event: RunEvent, toolCallId: string) => void
  /** The whole result, before the model gets `toToolOutput(result)` of it. */
  onResult?: (result: Result, toolCallId: string) => void
}

// biome-ignore lint/suspicious/noExplicitAny: the tool takes any context and uses none
type CodeTool = Tool<{ code: string }, ToolOutput, any>
/** The tool that runs. */
export type RunCodeTool = CodeTool & {
  execute: (
    input: { code: string },
    options: Pick<ToolExecutionOptions<unknown>, 'toolCallId' | 'abortSignal'>,
  ) => Promise<ToolOutput>
}

const describe = (functions: Functions): string =>
  `Runs a program: the body of an async JavaScript function, without import, network and page. Return what you need to know. It can await these functions, each with one input. Where calls wait for approval, make them in a plain loop that reads nothing of their results; a rejected one throws ApprovalRejected.${Object.entries(
    functions,
  )
    .map(([name, { title, description, approval, input, output }]) =>
      [
        `\n\nsdk.${name}(input)`,
        title,
        description,
        approval && `${approval === true ? 'Waits' : 'May wait'} for approval.`,
        (input ?? output) !== undefined && JSON.stringify({ input, output }),
      ]
        .filter(Boolean)
        .join('\n'),
    )
    .join('')}`

/**
 * A tool for AI SDK 7 whose input is `{ code }` and whose output is
 * `toToolOutput` of the result. It resolves for everything a program does; it
 * rejects only for the host's mistakes, such as a sandbox that was disposed.
 */
export function runCodeTool(options: RunCodeOptions & { sandbox: Sandbox }): RunCodeTool
export function runCodeTool(options: RunCodeOptions): CodeTool
export function runCodeTool(options: RunCodeOptions): CodeTool {
  const { sandbox, approval = {}, description, limits = {}, maxChars = 20_000, onEvent, onResult } = options
  const functions = defineFunctions(options.functions)
  const definition = {
    description: description ?? describe(functions),
    inputSchema: jsonSchema<{ code: string }>({
      type: 'object',
      properties: { code: { type: 'string' } },
      required: ['code'],
    }),
  }
  // Its type asks for a schema of outputs where there is no `execute`; nobody needs one.
  if (!sandbox) return definition as CodeTool
  const inTurn = makeTurns()
  const { onApproval } = approval as { onApproval?: (rows: unknown, context: unknown) => unknown }

  return {
    ...definition,
    async execute({ code }: { code: string }, call: Parameters<RunCodeTool['execute']>[1]) {
      const { toolCallId, abortSignal: signal = new AbortController().signal } = call
      let result = await runAsking(
        sandbox,
        { code, functions, limits, ...(onEvent && { onEvent: (event) => onEvent(event, toolCallId) }) },
        (onApproval
          ? {
              ...approval,
              onApproval: (rows: { signal?: AbortSignal }, context?: CardContext) =>
                inTurn((context ?? rows).signal as AbortSignal, () => onApproval(rows, { ...context, toolCallId })),
            }
          : approval) as AdapterApproval,
        signal,
      )
      // The core knows what a run had done by the time it was stopped.
      if (result.status === 'pending' && signal.aborted) result = await result.resume({ all: 'reject' }, { signal })
      onResult?.(result, toolCallId)
      return toToolOutput(result, { maxChars })
    },
  } as RunCodeTool
}
