import type { Tool } from '@x/contract'
import { type AgentDefinition, findAgent, narrowTools } from '@x/subagent'

/**
 * The agent that the session itself is.
 *
 * @throws TypeError if there is none of this name.
 */
export function findMainAgent(
  definitions: readonly AgentDefinition[],
  name: string | undefined,
): AgentDefinition | undefined {
  if (name === undefined) return undefined
  const found = findAgent(definitions, name)
  if (found !== undefined) return found
  const known = definitions.map((one) => one.name).join(', ')
  throw new TypeError(`agent names ${name}, which does not exist; there are: ${known}`)
}

/** The tools that the session's own agent leaves it, with those that it was granted beside its list, and the types of agents it may start. */
export function narrowMain(
  pool: readonly Tool[],
  agent: AgentDefinition | undefined,
  granted: readonly string[] = [],
): { readonly tools: readonly Tool[]; readonly types: readonly string[] | undefined } {
  if (agent === undefined) return { tools: pool, types: undefined }
  const { tools } = agent
  const wanted = tools === undefined ? agent : { ...agent, tools: [...tools, ...granted] }
  const narrowed = narrowTools(pool, wanted, { isMainThread: true })
  return narrowed.ok ? { tools: narrowed.tools, types: narrowed.agentTypes } : { tools: [], types: undefined }
}
