import { type AgentDefinition, type AgentMap, builtInAgents, readAgentMap } from '@x/subagent'
import type { QueryOptions } from '../session-options.ts'

/** The agents of a session; a host may add some while it runs. */
export interface AgentRoster {
  /** One for each name; another array when it has changed. */
  readonly definitions: readonly AgentDefinition[]
  /**
   * Adds agents. One of the same name is replaced, unless it is managed.
   *
   * @throws TypeError for a definition that cannot be used; then none is added.
   */
  add(agents: AgentMap): void
  /** Those of before that no host has added. */
  readonly loaded: readonly AgentDefinition[]
  /** Takes other ones in their place; what a host has added stays. */
  reload(definitions: readonly AgentDefinition[]): void
}

/** Makes the roster of those agents that were loaded, else of those of the options and the built-in ones. */
export function createAgentRoster(
  options: QueryOptions,
  env: Readonly<Record<string, string | undefined>>,
): AgentRoster {
  let loaded = chooseDefinitions(options, env)
  let added: readonly AgentDefinition[] = []
  let definitions = loaded
  return {
    get definitions() {
      return definitions
    },
    get loaded() {
      return loaded
    },
    add(agents) {
      const { definitions: more, problems } = readAgentMap(agents, 'agents')
      const problem = problems.find(({ level }) => level === 'warning')
      if (problem !== undefined) throw new TypeError(`${problem.path}: ${problem.reason}`)
      added = merge(more, added)
      definitions = merge(added, loaded)
    },
    reload(next) {
      loaded = next
      definitions = merge(added, loaded)
    },
  }
}

function chooseDefinitions(
  { agentDefinitions, agents, canUseTool }: QueryOptions,
  env: Readonly<Record<string, string | undefined>>,
): readonly AgentDefinition[] {
  if (agentDefinitions !== undefined) return agentDefinitions
  return merge(readAgentMap(agents, 'agents').definitions, builtInAgents(env, canUseTool === undefined))
}

function merge(
  added: readonly AgentDefinition[],
  before: readonly AgentDefinition[],
): readonly AgentDefinition[] {
  const managed = before.filter(({ source }) => source === 'managed')
  const kept = added.filter(({ name }) => !managed.some((one) => one.name === name))
  const names = new Set(kept.map(({ name }) => name))
  return [...kept, ...before.filter(({ name }) => !names.has(name))]
}
