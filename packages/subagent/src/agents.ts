import { AbortReason, isAbortReason } from '@x/abort'
import { type AgentEnded, type AgentLaunched, type AgentOutput, toOutput } from './agent-output.ts'
import type { AgentReport } from './agent-report.ts'
import type { AgentsOptions } from './agents-options.ts'
import type { AgentDefinition } from './definition.ts'
import { blankReport, runToEnd } from './end-agent.ts'
import { definitionsOf } from './fork.ts'
import { createHost } from './host.ts'
import { launchAgent } from './launch-agent.ts'
import type { NoticeBox } from './notice-box.ts'
import { type AgentCall, planAgent } from './plan-agent.ts'
import { prepareAgent } from './prepare-agent.ts'
import { stopLive } from './roster.ts'
import { type AgentMessage, type Delivery, sendMessage } from './send-message.ts'

/** The agents of one session. */
export interface Agents {
  /** The definitions there are now. */
  readonly definitions: () => readonly AgentDefinition[]
  /** The types the main session may start; undefined: all. */
  readonly allowedTypes: () => readonly string[] | undefined
  /** Agents can run in the background. */
  readonly canRunInBackground: boolean
  /** Messages for the main conversation. */
  readonly notices: NoticeBox
  /** The ids of the agents at work. */
  readonly running: readonly string[]
  /**
   * Starts an agent. In the foreground it resolves at the agent's end, however that came; in the background once the agent runs.
   *
   * Rejects with the reason of the call's signal if that aborts while the agent is made ready.
   *
   * @throws AgentError if the agent must not start.
   */
  start(call: AgentCall): Promise<AgentOutput>
  /** Starts an agent and waits for its end, whatever call or definition say of the background. An abort is an end too. */
  run(call: AgentCall): Promise<AgentReport>
  /**
   * Writes to an agent, or from an agent to the main conversation; one that has ended goes on in the background.
   *
   * @throws AgentError if nobody is reached.
   */
  send(message: AgentMessage): Promise<Delivery>
  /** Stops an agent and waits until it is gone. One that a person stopped goes on only for a person. */
  stop(agentId: string, options?: { readonly isByUser?: boolean }): Promise<void>
  /** Ends every agent and waits until nothing of them is left. Twice is harmless. */
  close(): Promise<void>
}

/**
 * Makes the agents of one session. The tools that a model uses them by: `createAgentTool`, `createSendMessageTool`.
 *
 * @example
 * const agents = createAgents({ definitions: () => builtInAgents(), runAgent })
 * const report = await agents.run({ description: 'count files', prompt: 'How many files are there?', context })
 */
export function createAgents(options: AgentsOptions): Agents {
  const host = createHost(options)
  const { roster, controller } = host

  async function run(call: AgentCall): Promise<AgentReport> {
    const plan = { ...planAgent(host, call), isBackground: false }
    const { signal } = call.context.abortController
    const agent = await prepareAgent(host, plan).catch((error: unknown) => {
      if (signal.aborted || controller.signal.aborted || isAbortReason(error)) return undefined
      throw error
    })
    return agent === undefined ? blankReport(plan) : runToEnd(host, agent)
  }

  async function start(call: AgentCall): Promise<AgentEnded | AgentLaunched> {
    const plan = planAgent(host, call)
    const agent = await prepareAgent(host, plan)
    const { tasks } = options
    if (plan.isBackground && tasks !== undefined) return launchAgent(host, agent, tasks)
    const report = await runToEnd(host, agent)
    return toOutput(report, plan.prompt, host.reports)
  }

  return {
    definitions: () => definitionsOf(host),
    allowedTypes: () => options.allowedTypes?.(),
    canRunInBackground: options.tasks !== undefined,
    notices: host.notices,
    get running() {
      return [...roster.live.keys()]
    },
    start,
    run,
    send: (message) => sendMessage(host, message),
    async stop(agentId, { isByUser = false } = {}) {
      const live = roster.live.get(agentId)
      if (live === undefined) return
      stopLive(live, isByUser)
      await live.gone
    },
    async close() {
      const all = [...roster.live.values()].map(({ gone }) => gone)
      controller.abort(new AbortReason('host-stopped'))
      await Promise.all(all)
    },
  }
}
