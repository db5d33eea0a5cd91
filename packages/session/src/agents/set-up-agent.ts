import { join } from 'node:path'
import type { ToolHooks } from '@x/contract'
import { formatMemory, type Memory } from '@x/memory'
import type { AgentExtras, AgentView } from '@x/subagent'
import { createMcpConnections, type McpConnections, readMcpLimits } from '@x/tools-mcp'
import { notice, type SessionHooks } from '../hooks/session-hooks.ts'
import { createToolHooks } from '../hooks/tool-hooks.ts'
import { createSessionMemory } from '../memory/session-memory.ts'
import type { SessionSetup } from '../session-setup.ts'
import { describeMemory, memoryToolsOf } from './agent-memory.ts'
import { readAgentServers } from './agent-servers.ts'
import { describeGit } from './describe-git.ts'
import { preloadSkills } from './preload-skills.ts'

/** What is an agent's own while it works. */
export interface AgentParts {
  readonly hooks: SessionHooks
  readonly toolHooks: ToolHooks
}

/** Makes what agents bring along: instruction files, skills, memory, MCP servers, hooks. Everything is released at their end. */
export function createSetUp(setup: SessionSetup, parts: Map<string, AgentParts>) {
  return async (agent: AgentView, signal: AbortSignal): Promise<AgentExtras> => {
    const skills = agent.isResumed ? [] : await preloadSkills(setup, agent.definition, signal)
    const memory = setup.options.memory?.fork()
    const hooks = openHooks(setup, agent)
    const ownMemory = createSessionMemory(memory, hooks, signal)
    const effort = setup.environment.effort ?? agent.definition.effort ?? setup.effort
    parts.set(agent.id, { hooks, toolHooks: createToolHooks({ ...setup, hooks, memory: ownMemory, effort }) })
    const servers = openServers(setup, agent)
    const release = async (): Promise<void> => {
      parts.delete(agent.id)
      await servers?.close()
      if (hooks !== setup.hooks) await hooks[Symbol.asyncDispose]()
    }
    try {
      const system = await describeMemory(setup, agent.definition, signal)
      await servers?.connect({ signal })
      const tools = servers?.tools() ?? []
      const context = [...instructionsFor(agent, memory), ...(await gitFor(setup, agent, signal)), ...skills]
      return { context, system, grantedTools: memoryToolsOf(setup, agent.definition), tools, release }
    } catch (error) {
      // Nobody else knows of what had begun.
      await release()
      throw error
    }
  }
}

/** The hooks of a definition count beside the session's while the agent runs; its Stop hooks are those of the agent's end. */
function openHooks({ hooks }: SessionSetup, { definition }: AgentView): SessionHooks {
  const { hooks: own, path } = definition
  if (own === undefined) return hooks
  const { Stop: stop, ...others } = own
  const renamed =
    stop === undefined ? others : { ...others, SubagentStop: joined(others['SubagentStop'], stop) }
  return hooks.extend({ hooks: renamed, origin: 'agent', ...(path === undefined ? {} : { file: path }) })
}

function joined(one: unknown, other: unknown): unknown {
  return Array.isArray(one) && Array.isArray(other) ? [...one, ...other] : (other ?? one)
}

function instructionsFor(agent: AgentView, memory: Memory | undefined): readonly string[] {
  if (memory === undefined || !wantsProject(agent)) return []
  const text = formatMemory(memory.files.filter(({ memoryType }) => memoryType !== 'Auto'))
  return text === '' ? [] : [text]
}

async function gitFor(
  { env }: SessionSetup,
  agent: AgentView,
  signal: AbortSignal,
): Promise<readonly string[]> {
  return wantsProject(agent) ? describeGit({ cwd: agent.cwd, env, signal }) : []
}

/** It begins, and is one that is told of the project. */
function wantsProject({ definition, isResumed }: AgentView): boolean {
  return !isResumed && definition.skipsProjectContext !== true
}

/** Its own servers; what is wrong with them is told. */
function openServers(setup: SessionSetup, { definition }: AgentView): McpConnections | undefined {
  const { cwd, env, home, news } = setup
  const { servers, problems } = readAgentServers(definition, setup)
  for (const { message } of problems) news.push(notice(`The agent ${definition.name}: ${message}`, 'warning'))
  if (servers.length === 0) return undefined
  return createMcpConnections(servers, {
    cwd,
    env,
    limits: { ...readMcpLimits(env), maxNameLength: 128 },
    blobFolder: join(home.folder, 'tool-results'),
  })
}
