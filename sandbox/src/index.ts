// @faustine-ai/browser-sandbox: the core. Importing it touches nothing.

export type { CallContext, FunctionEntry, FunctionMap, Functions, HostFunction, JsonSchema } from './page/functions.js'
export { defineFunctions } from './page/functions.js'
export type { Approval, ResumeOptions, RunOptions, SandboxOptions } from './page/options.js'
export { type ToolOutput, toToolOutput } from './page/output.js'
export type { ApprovalRequest } from './page/program.js'
export type * from './page/result.js'
export type { Sandbox } from './page/sandbox.js'
export { createSandbox } from './page/sandbox.js'
