import type { TaskEnd, TaskRegistry } from '@x/contract'
import type { AgentLaunched } from './agent-output.ts'
import { type AgentReport, toTaskUsage } from './agent-report.ts'
import { runToEnd } from './end-agent.ts'
import type { Host } from './host.ts'
import type { PreparedAgent } from './prepare-agent.ts'
import { describeWorktree, oneLine, type ReportLimits, reportText } from './report-text.ts'
import { senderOf, stopLive } from './roster.ts'

/** Lets an agent run on as a task, and says where to find it. */
export function launchAgent(host: Host, agent: PreparedAgent, tasks: TaskRegistry): AgentLaunched {
  const { plan, live, sidechain } = agent
  const { agentId, description, name, context } = plan
  const taskId = tasks.nextId('agent')
  const owner = senderOf(context)
  const outputFile = sidechain.path ?? ''
  const ended = runToEnd(host, agent).then((report) => toTaskEnd(report, host.reports))
  tasks.add({
    id: taskId,
    aliases: name === undefined ? [agentId] : [agentId, name],
    type: 'local_agent',
    description,
    toolUseId: context.toolUseId,
    agent: { type: plan.definition.name, depth: plan.depth },
    ...(owner !== undefined && { agentId: owner }),
    outputFile,
    startedAtMs: Date.now(),
    ended,
    async stop({ isByUser = false } = {}) {
      stopLive(live, isByUser)
      await ended
    },
  })
  return {
    status: 'async_launched',
    isAsync: true,
    agentId,
    taskId,
    description,
    prompt: plan.prompt,
    outputFile,
    canReadOutputFile: outputFile !== '' && context.options.tools.some(({ name }) => name === 'Read'),
    resolvedModel: plan.model,
    ...(name !== undefined && { name }),
  }
}

/** What the model is told at the end: the text, and an error or a stop by its name. */
async function toTaskEnd(report: AgentReport, limits: ReportLimits): Promise<TaskEnd> {
  const who = `Agent "${oneLine(report.description)}" (agentId: ${report.agentId})`
  const result = await reportText(report, limits)
  const where = report.worktree?.kept === true ? `. Its ${describeWorktree(report.worktree)}` : ''
  const usage = toTaskUsage(report)
  switch (report.status) {
    case 'completed':
      return { status: 'completed', summary: `${who} completed${where}`, result, usage }
    case 'interrupted':
      return { status: 'killed', summary: `${who} was stopped${where}`, result, usage }
    default: {
      const why = oneLine(report.error ?? 'unknown error')
      return { status: 'failed', summary: `${who} failed: ${why}${where}`, result, usage }
    }
  }
}
