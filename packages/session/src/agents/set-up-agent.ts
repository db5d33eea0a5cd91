import type { ToolHooks } from '@x/contract'
import { createAsyncQueue } from '@x/executor'
import { formatMemory, type Memory } from '@x/memory'
import type { AgentExtras, AgentView } from '@x/subagent'
import { createMcpConnections, type McpConnections } from '@x/tools-mcp'
import type { SessionHooks } from '../hooks/session-hooks.ts'
import { createToolHooks } from '../hooks/tool-hooks.ts'
import { connectionOptions } from '../mcp/connection-options.ts'
import { createSessionMemory } from '../memory/session-memory.ts'
import { notice } from '../notice.ts'
import type { SessionSetup } from '../session-setup.ts'
import { describeMemory, memoryToolsOf } from './agent-memory.ts'
import { readAgentServers } from './agent-servers.ts'
import { describeGit } from './describe-git.ts'
import { preloadSkills } from './preload-skills.ts'

/** What is an agent's own while it works. */
export interface AgentParts {
  /** They are told whose events these are. */
  readonly hooks: SessionHooks
  readonly toolHooks: ToolHooks
  /** The call that started it. */
  readonly toolUseId: string
  /** When, as `performance.now` has it. */
  readonly startedAt: number
  /** What its conversation began with, as it is now, for when that has become a summary. */
  readonly again: (signal: AbortSignal) => Promise<readonly string[]>
  /** What hooks of its start have said. */
  readonly startContext: string[]
}

/** Makes what agents bring along: instruction files, skills, memory, MCP servers, hooks. Everything is released at their end. */
export function createSetUp(setup: SessionSetup, parts: Map<string, AgentParts>) {
  return async (agent: AgentView, signal: AbortSignal): Promise<AgentExtras> => {
    const skills = agent.isResumed ? [] : await preloadSkills(setup, agent.definition, signal)
    const memory = setup.options.memory?.fork()
    const hooks = openHooks(setup, agent)
    parts.set(agent.id, makeParts(setup, agent, { memory, hooks, signal }))
    const servers = openServers(setup, agent)
    const release = async (): Promise<void> => {
      parts.delete(agent.id)
      await servers?.close()
      await hooks[Symbol.asyncDispose]()
    }
    try {
      const system = await describeMemory(
        { ...setup, projectDir: agent.projectDir },
        agent.definition,
        signal,
      )
      await servers?.connect({ signal })
      const tools = servers?.tools() ?? []
      // One that goes on has read it already.
      const git = agent.isResumed ? [] : await gitFor(setup, agent, signal)
      const context = [...instructionsFor(agent, memory), ...git, ...skills]
      return { context, system, grantedTools: memoryToolsOf(setup, agent.definition), tools, release }
    } catch (error) {
      // Nobody else knows of what had begun.
      await release()
      throw error
    }
  }
}

interface Opened {
  readonly memory: Memory | undefined
  readonly hooks: SessionHooks
  readonly signal: AbortSignal
}

function makeParts(setup: SessionSetup, agent: AgentView, { memory, hooks, signal }: Opened): AgentParts {
  const { definition, permissionMode } = agent
  const ownMemory = createSessionMemory(memory, hooks, signal)
  const effort = setup.environment.effort ?? definition.effort ?? setup.effort
  const startContext: string[] = []
  return {
    hooks,
    startContext,
    toolUseId: agent.toolUseId,
    startedAt: performance.now(),
    toolHooks: createToolHooks({ ...setup, hooks, memory: ownMemory, effort, permissionMode }),
    async again(compactSignal) {
      // A fork has lost with its parent's words what they began with.
      const skips = !knowsProject(agent) && definition.isFork !== true
      const instructions = skips ? [] : await ownMemory.afterCompaction(compactSignal, { isAgent: true })
      // What could not be had was told when it began.
      const skills = await preloadSkills({ ...setup, news: createAsyncQueue() }, definition, compactSignal)
      return [...instructions.map(({ text }) => text), ...skills, ...startContext]
    },
  }
}

/** The hooks of the session as one agent meets them: they are told that it is the agent. Disposing ends what is the agent's own. */
function openHooks(setup: SessionSetup, agent: AgentView): SessionHooks {
  const hooks = extendHooks(setup, agent)
  const { id, type, cwd, permissionMode } = agent
  const who = { agent_id: id, agent_type: type, cwd, permission_mode: permissionMode }
  return {
    ...hooks,
    run: (event, input, signal) => hooks.run(event, { ...who, ...input }, signal),
    async [Symbol.asyncDispose]() {
      if (hooks !== setup.hooks) await hooks[Symbol.asyncDispose]()
    },
  }
}

/** The hooks of a definition count beside the session's while the agent runs; its Stop hooks are those of the agent's end. */
function extendHooks({ hooks }: SessionSetup, { definition }: AgentView): SessionHooks {
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
  if (memory === undefined || agent.isResumed || !knowsProject(agent)) return []
  const text = formatMemory(memory.files.filter(({ memoryType }) => memoryType !== 'Auto'))
  return text === '' ? [] : [text]
}

async function gitFor(
  { env }: SessionSetup,
  agent: AgentView,
  signal: AbortSignal,
): Promise<readonly string[]> {
  return knowsProject(agent) ? describeGit({ cwd: agent.cwd, env, signal }) : []
}

function knowsProject({ definition }: AgentView): boolean {
  return definition.skipsProjectContext !== true
}

/** Its own servers; what is wrong with them is told. */
function openServers(setup: SessionSetup, { definition }: AgentView): McpConnections | undefined {
  const { cwd, env, home, news } = setup
  const { servers, problems } = readAgentServers(definition, setup)
  for (const { message } of problems) news.push(notice(`The agent ${definition.name}: ${message}`, 'warning'))
  if (servers.length === 0) return undefined
  return createMcpConnections(servers, connectionOptions({ cwd, env, folder: home.folder }))
}
