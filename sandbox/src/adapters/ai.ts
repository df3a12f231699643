// AI SDK 7 (`ai`): one tool that runs programs, and tools that run in the page
// of a chat. ai/clientTools.ts opens with what the chat demands of them.

export { type AttachableChat, type ClientToolCall, type ClientTools, clientTools } from './ai/clientTools.js'
export {
  type CodeToolApproval,
  type RunCodeOptions,
  type RunCodeTool,
  runCodeTool,
  type ToolOutput,
} from './ai/runCodeTool.js'
export type { CardContext } from './ask/approval.js'
