import { z } from 'zod/mini'

export const providers = ['offline', 'anthropic', 'openai', 'compatible'] as const
export const limitNames = [
  'wallClockMs',
  'busyMs',
  'calls',
  'inFlight',
  'sourceBytes',
  'inputBytes',
  'outputBytes',
  'logLines',
  'logBytes',
] as const

/** Names, and values that are null where Go keeps them and does not show them. */
const hidden = z.record(z.string(), z.nullable(z.string()))

const server = z.object({
  name: z.string(),
  command: z.string(),
  args: z.array(z.string()),
  env: hidden,
  url: z.string(),
  headers: hidden,
  /** Tools that the person holds for read-only, with the digest of their definition. */
  readOnlyConfirmed: z.record(z.string(), z.string()),
})
const folder = z.object({ path: z.string(), name: z.string(), write: z.boolean() })

/** Everything that a person decides, as Go has it. */
export const settings = z.object({
  model: z.object({ provider: z.enum(providers), baseURL: z.string(), name: z.string() }),
  folders: z.array(folder),
  hosts: z.array(z.string()),
  mcp: z.array(server),
  limits: z.object(
    Object.fromEntries(limitNames.map((name) => [name, z.number()])) as Record<LimitName, z.ZodMiniNumber>,
  ),
  approval: z.enum(['each', 'batch', 'never']),
  tighten: z.array(z.string()),
  theme: z.enum(['system', 'light', 'dark']),
})
const problem = z.object({
  line: z.number(),
  column: z.number(),
  severity: z.enum(['error', 'warning']),
  text: z.string(),
})

/** What is in force, where it comes from, and what is wrong with the file. */
export const state = z.object({
  revision: z.number(),
  path: z.string(),
  exists: z.boolean(),
  /** Of a demo; changes are refused. */
  fixed: z.boolean(),
  inForce: z.enum(['file', 'defaults', 'last good', 'strictest']),
  settings,
  defaults: settings,
  problems: z.array(problem),
})
const loosening = z.object({ field: z.string(), text: z.string() })
export const changed = z.object({ applied: z.boolean(), loosened: z.array(loosening), state })

export type LimitName = (typeof limitNames)[number]
export type Settings = z.infer<typeof settings>
export type Folder = z.infer<typeof folder>
export type Server = z.infer<typeof server>
export type Problem = z.infer<typeof problem>
export type SettingsState = z.infer<typeof state>
/** One way in which a change lets the app do more, tell more, or ask less. */
export type Loosening = z.infer<typeof loosening>
