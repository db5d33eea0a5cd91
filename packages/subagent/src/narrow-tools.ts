import type { Tool } from '@x/contract'
import type { AgentDefinition } from './definition.ts'
import { parseToolPattern, type ToolPattern } from './tool-list.ts'
import { backgroundTools, builtInTools, mainOnlyTools } from './tool-names.ts'

/** What the narrowing depends on beside the definition. */
export interface NarrowOptions {
  /** Nobody waits for the agent. @default false */
  readonly isBackground?: boolean
  /** The layer the agent runs in; 1 below the main session. @default 1 */
  readonly depth?: number
  /** Agents of this layer start no others. @default 3 */
  readonly maxDepth?: number
  /** Its permission mode. @default 'default' */
  readonly permissionMode?: string
  /** It is the session itself (`--agent`): nothing is taken away but by its own lists. @default false */
  readonly isMainThread?: boolean
}

/** The tools of an agent, or why it must not start. */
export type NarrowedTools =
  | {
      /** Tells the answers apart. */
      readonly ok: true
      /** In the order of the pool. */
      readonly tools: readonly Tool[]
      /** The agent types it may start, where its list says so; counts in the main thread only. */
      readonly agentTypes?: readonly string[]
    }
  | {
      /** Tells the answers apart. */
      readonly ok: false
      /** For the model: which entries came to nothing, and why. */
      readonly message: string
    }

/**
 * Picks an agent's tools from its parent's: first what no agent has, then `disallowedTools`, then `tools`.
 *
 * Patterns are names, old names, `mcp__SERVER`, `mcp__SERVER__*`, and `mcp__*` in `disallowedTools`. A list that comes to
 * nothing is refused, unless it is empty or `disallowedTools` took everything away. Pure.
 */
export function narrowTools(
  pool: readonly Tool[],
  definition: Pick<AgentDefinition, 'name' | 'tools' | 'disallowedTools'>,
  options: NarrowOptions = {},
): NarrowedTools {
  const wanted = definition.tools?.map(parseToolPattern)
  const denied = (definition.disallowedTools ?? []).map(parseToolPattern)
  const isWanted = (tool: Tool): boolean => wanted?.some((pattern) => fits(pattern, tool)) ?? true
  const available = pool.filter((tool) => isAvailable(tool, options) && isWanted(tool))
  const isMistaken = wanted !== undefined && wanted.length > 0 && available.length === 0
  if (isMistaken) return { ok: false, message: describeNothing(definition, pool) }
  const tools = available.filter((tool) => !denied.some((pattern) => fits(pattern, tool, true)))
  const agentTypes = options.isMainThread === true ? allowedTypes(wanted, pool) : undefined
  return { ok: true, tools, ...(agentTypes && { agentTypes }) }
}

/** What an agent may have at all, whatever its lists say. */
function isAvailable(tool: Tool, options: NarrowOptions): boolean {
  const { isBackground = false, permissionMode, isMainThread = false } = options
  const { name } = tool
  if (isMainThread) return true
  if (mainOnlyTools.has(name)) return false
  if (name === 'ExitPlanMode') return permissionMode === 'plan'
  if (name === 'Agent') return mayStartAgents(options)
  return !isBackground || !builtInTools.has(name) || backgroundTools.has(name)
}

function mayStartAgents({ depth = 1, maxDepth = 3 }: NarrowOptions): boolean {
  return depth < maxDepth
}

function fits({ name }: ToolPattern, tool: Tool, isDenial = false): boolean {
  if (name === tool.name || tool.aliases?.includes(name) === true) return true
  if (name === '*') return true
  if (!name.startsWith('mcp__') || !tool.name.startsWith('mcp__')) return false
  if (name === 'mcp__*') return isDenial
  const server = name.replace(/__\*$/, '')
  return tool.name.startsWith(`${server}__`) && !server.slice('mcp__'.length).includes('__')
}

/** Several entries add up; one without a list allows every type. */
function allowedTypes(
  wanted: readonly ToolPattern[] | undefined,
  pool: readonly Tool[],
): readonly string[] | undefined {
  const agent = pool.find((tool) => tool.name === 'Agent')
  const entries = agent === undefined ? [] : (wanted?.filter((one) => fits(one, agent)) ?? [])
  if (entries.length === 0 || entries.some(({ args }) => args === undefined)) return undefined
  return entries.flatMap(({ args = [] }) => args)
}

function describeNothing(
  { name, tools = [] }: Pick<AgentDefinition, 'name' | 'tools'>,
  pool: readonly Tool[],
): string {
  const groups = new Map<string, string[]>()
  for (const entry of tools) {
    const kind = kindOf(parseToolPattern(entry), pool)
    groups.set(kind, [...(groups.get(kind) ?? []), entry])
  }
  const texts = [...groups].map(([kind, entries]) => `${kind} [${entries.join(', ')}]`)
  return `Agent '${name}' would be spawned with zero tools — refusing. Its tools list resolved to nothing: ${texts.join('; ')}. Correct the list, or leave it out to give the agent every tool.`
}

function kindOf(pattern: ToolPattern, pool: readonly Tool[]): string {
  if (pool.some((tool) => fits(pattern, tool)) || mainOnlyTools.has(pattern.name))
    return 'not available to subagents'
  const isKnown = pattern.name.startsWith('mcp__') || builtInTools.has(pattern.name)
  return isKnown ? 'matching nothing in this session' : 'unrecognized'
}
