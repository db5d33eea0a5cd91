import type { ToolResultBlock } from '@x/contract'
import type { AgentEnded, AgentLaunched, AgentOutput } from './agent-output.ts'
import { describeWorktree, oneLine } from './report-text.ts'

/** Says an output to the model: the report, then what is good to know about its agent. */
export function toResult(output: AgentOutput, toolUseId: string): ToolResultBlock {
  const content =
    output.status === 'async_launched'
      ? [{ type: 'text' as const, text: launchText(output) }]
      : [...output.content, { type: 'text' as const, text: trailer(output) }]
  return { type: 'tool_result', tool_use_id: toolUseId, content }
}

function launchText({ agentId, taskId, outputFile, name, description }: AgentLaunched): string {
  const to = name === undefined ? agentId : `${agentId} or ${name}`
  return [
    `Agent "${description}" runs in the background.`,
    `agentId: ${agentId} (to write to it: SendMessage with to: ${to})`,
    `task_id: ${taskId}`,
    ...(outputFile === '' ? [] : [`output_file: ${outputFile}`]),
    'You will be told when it has ended. Until then you know nothing of its results: do not guess them, and do not do its work yourself.',
  ].join('\n')
}

function trailer({ agentId, totalTokens, totalToolUseCount, totalDurationMs, report }: AgentEnded): string {
  const { worktree, filesChanged, transcriptPath, status } = report
  return [
    ...(report.resume === undefined
      ? []
      : [`agentId: ${agentId} (to go on with it: SendMessage with to: ${agentId})`]),
    ...(worktree === undefined ? [] : [describeWorktree(worktree)]),
    ...(filesChanged.length === 0 ? [] : [`files changed: ${listed(filesChanged)}`]),
    ...(status === 'completed' || transcriptPath === undefined ? [] : [`transcript: ${transcriptPath}`]),
    `<usage>total_tokens: ${totalTokens}, tool_uses: ${totalToolUseCount}, duration_ms: ${totalDurationMs}</usage>`,
  ].join('\n')
}

const maxListed = 20

function listed(paths: readonly string[]): string {
  const more = paths.length - maxListed
  return `${paths.slice(0, maxListed).map(oneLine).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
