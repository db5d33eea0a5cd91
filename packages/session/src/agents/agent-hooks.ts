import type { HookOutcome } from '@x/contract'
import type { AgentStart, AgentStopView, AgentView } from '@x/subagent'
import { describeTasks, toOutcome } from '../hooks/query-hooks.ts'
import type { SessionSetup } from '../session-setup.ts'
import type { AgentParts } from './set-up-agent.ts'

type Parts = ReadonlyMap<string, AgentParts>

/** Runs the SubagentStart hooks; what they say goes to the agent before its first prompt. */
export function startHook({ hooks }: SessionSetup, parts: Parts) {
  return async (agent: AgentView, signal: AbortSignal): Promise<AgentStart | undefined> => {
    const own = parts.get(agent.id)
    const { run } = own?.hooks ?? hooks
    const result = await run('SubagentStart', describe(agent), signal)
    if (result === undefined) return undefined
    const context = result.context.map((text) => `SubagentStart hook: ${text}`)
    own?.startContext.push(...context)
    return { context }
  }
}

/** Runs the SubagentStop hooks when an agent has finished; a block sends it on. */
export function stopHook({ hooks, tasks, home }: SessionSetup, parts: Parts) {
  return async ({ agent, lastText, isActive, signal }: AgentStopView): Promise<HookOutcome | undefined> => {
    const { run } = parts.get(agent.id)?.hooks ?? hooks
    const result = await run(
      'SubagentStop',
      {
        ...describe(agent),
        stop_hook_active: isActive,
        agent_transcript_path: agent.transcriptPath ?? '',
        transcript_path: home.transcriptPath,
        last_assistant_message: lastText,
        background_tasks: describeTasks(tasks),
        session_crons: [],
      },
      signal,
    )
    return result === undefined ? undefined : toOutcome(result, 'SubagentStop hook feedback')
  }
}

function describe({ id, type, cwd }: AgentView) {
  return { agent_id: id, agent_type: type, cwd }
}
