import { z } from 'zod'
import type { Ask } from '../bridge/bridge'
import { BridgeError } from '../bridge/bridgeError'

const listed = z.object({
  models: z.array(z.object({ id: z.string(), name: z.string().optional() })),
  problem: z.string().optional(),
})
const checked = z.object({ ok: z.boolean(), text: z.string(), ms: z.number() })
const keyStatus = z.object({
  from: z.enum(['none', 'environment', 'file', 'keychain']),
  /** Of the variable or the file. */
  name: z.string(),
  /** The last four characters of a long key. */
  tail: z.string(),
  problem: z.string(),
  file: z.string(),
  env: z.string(),
})
const picked = z.object({ path: z.string() })
const tool = z.object({
  /** As the server calls it. */
  tool: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  readOnlyHint: z.boolean().optional(),
  confirmed: z.boolean().optional(),
  marked: z.boolean().optional(),
  definition: z.string().optional(),
  problem: z.string().nullish(),
})
const serverStatus = z.object({
  name: z.string(),
  state: z.string(),
  problem: z.string().nullish(),
  server: z.object({ name: z.string(), version: z.string() }).partial().nullish(),
  tools: z.array(tool).nullish(),
  problems: z.array(z.string()).nullish(),
})
const servers = z.object({ revision: z.number().optional(), servers: z.array(serverStatus).nullish() })

export type ModelList = z.infer<typeof listed>
export type ModelCheck = z.infer<typeof checked>
export type KeyStatus = z.infer<typeof keyStatus>
export type ServerStatus = z.infer<typeof serverStatus>
export type ServerTool = z.infer<typeof tool>

/** The operations about model, keys, folders and servers, typed. Each rejects with a sentence. */
export const createSettingsOperations = (ask: Ask) => {
  const get = async <T>(shape: z.ZodType<T>, op: string, args: unknown, signal?: AbortSignal): Promise<T> => {
    const result = shape.safeParse(await ask(op, args, signal))
    if (result.success) return result.data
    throw new BridgeError('Internal', `The app's answer to “${op}” has an unexpected shape: ${result.error.message}`)
  }
  return {
    listModels: (signal?: AbortSignal) => get(listed, 'model.list', {}, signal),
    checkModel: (signal?: AbortSignal) => get(checked, 'model.check', {}, signal),
    keyStatus: (signal?: AbortSignal) => get(keyStatus, 'model.key.status', {}, signal),
    /** The key goes to Go and is never given back. */
    setKey: (key: string, place: 'keychain' | 'file') => get(keyStatus, 'model.key.set', { key, in: place }),
    forgetKey: () => get(keyStatus, 'model.key.forget', {}),
    /** '' when the person chose none. */
    pickFolder: async () => (await get(picked, 'folder.pick', { title: 'Choose a folder that programs may see' })).path,
    servers: async (signal?: AbortSignal) => get(servers, 'mcp.status', {}, signal),
    serversAfter: async (since: number, signal: AbortSignal) => get(servers, 'mcp.watch', { since }, signal),
    restartServer: async (name: string) => void (await ask('mcp.restart', { name })),
  }
}

export type SettingsOperations = ReturnType<typeof createSettingsOperations>
