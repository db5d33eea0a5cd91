import type { TextBlock, ToolResultBlock, Usage } from '@x/contract'
import { type AgentReport, type AgentStatus, countCalls, countTokens, describeWork } from './agent-report.ts'
import { cutReport, type StoreReport } from './cut-report.ts'
import { scanReport } from './scan-report.ts'
import type { EndedWorktree } from './worktrees.ts'

/** What an Agent call gives back when the agent has ended. */
export interface AgentEnded {
  /** How it ended. */
  readonly status: AgentStatus
  /** Its id. */
  readonly agentId: string
  /** Its type. */
  readonly agentType: string
  /** The report, without the trailer that the model gets. */
  readonly content: readonly TextBlock[]
  /** The model it asked. */
  readonly resolvedModel: string
  /** How many calls it made. */
  readonly totalToolUseCount: number
  /** How long it took. */
  readonly totalDurationMs: number
  /** Tokens of its last request. */
  readonly totalTokens: number
  /** Token counts of its last request. */
  readonly usage: Usage
  /** Its calls by tool. */
  readonly toolStats: Readonly<Record<string, number>>
  /** What it was asked to do. */
  readonly prompt: string
  /** Its worktree, if that is still there. */
  readonly worktreePath?: string
  /** The branch there. */
  readonly worktreeBranch?: string
  /** Everything that is left of its work. */
  readonly report: AgentReport
}

/** What an Agent call gives back when nobody waits for the agent. */
export interface AgentLaunched {
  /** Tells it from an end. */
  readonly status: 'async_launched'
  /** Always. */
  readonly isAsync: true
  /** Its id. */
  readonly agentId: string
  /** The task's id in the registry. */
  readonly taskId: string
  /** The words of the call. */
  readonly description: string
  /** What it was asked to do. */
  readonly prompt: string
  /** Where its conversation grows; empty where it is in memory. */
  readonly outputFile: string
  /** The model it asks. */
  readonly resolvedModel: string
  /** Its name can be used in place of the id. */
  readonly name?: string
}

/** What an Agent call gives back. */
export type AgentOutput = AgentEnded | AgentLaunched

/** How long a report may be, and where the whole of a longer one goes. */
export interface ReportLimits {
  readonly maxChars: number
  readonly store: StoreReport
}

/** Makes the output of a call from what is left of its agent. */
export async function toOutput(
  report: AgentReport,
  prompt: string,
  limits: ReportLimits,
): Promise<AgentEnded> {
  const { agentId, agentType, status, model, toolStats, durationMs, usage, worktree } = report
  return {
    status,
    agentId,
    agentType,
    content: [{ type: 'text', text: await reportText(report, limits) }],
    resolvedModel: model,
    totalToolUseCount: countCalls(toolStats),
    totalDurationMs: durationMs,
    totalTokens: countTokens(usage),
    usage,
    toolStats,
    prompt,
    ...(worktree?.kept === true && placeOf(worktree)),
    report,
  }
}

/** The report as another agent reads it: harmless, not too long, and plain about how it came to an end. */
export async function reportText(report: AgentReport, { maxChars, store }: ReportLimits): Promise<string> {
  const { status, lastText, agentId } = report
  const said = lastText === '' ? describeWork(report) : lastText
  const whole = scanReport(status === 'failed' ? failureText(report) : said)
  const text = await cutReport(whole, { agentId, maxChars, store })
  if (status === 'failed') return text
  const note = endNote(report)
  return note === '' ? text : `${text}\n\n[${note}]`
}

function endNote({ status, error = '', lastText }: AgentReport): string {
  const detail = oneLine(error)
  const left = lastText === '' ? '' : ' The text above is the last that it wrote.'
  switch (status) {
    case 'completed':
      return ''
    case 'limit':
      return `The agent did not finish: ${detail}.${left}`
    case 'partial':
      return `The agent was cut off by an error and did not finish: ${detail}.${left}`
    case 'interrupted':
      return `The agent was stopped and did not finish.${left}`
    case 'failed':
      return failureText({ error: detail, isApiError: false })
  }
}

function failureText({
  error = 'unknown error',
  isApiError,
}: Pick<AgentReport, 'isApiError'> & { readonly error?: string }): string {
  return isApiError ? `Agent terminated early due to an API error: ${error}` : error
}

/** What others wrote, in one line of what the program says: harmless, and not too long. */
export function oneLine(text: string): string {
  const line = scanReport(text).replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '')
  return line.length > 500 ? `${line.slice(0, 500).toWellFormed()}…` : line
}

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

/** Says where a worktree is, or that it is gone. */
export function describeWorktree(worktree: EndedWorktree): string {
  const { path, branch, kept, why } = worktree
  if (!kept) return 'worktree: removed, it held no changes'
  const on = branch === undefined ? '' : ` (branch ${branch})`
  // The reasons name files, which an agent may name as it likes.
  return `worktree: ${path}${on}, kept${why === undefined ? '' : `: ${oneLine(why)}`}`
}

function placeOf({ path, branch }: EndedWorktree): Pick<AgentEnded, 'worktreePath' | 'worktreeBranch'> {
  return { worktreePath: path, ...(branch !== undefined && { worktreeBranch: branch }) }
}

const maxListed = 20

function listed(paths: readonly string[]): string {
  const more = paths.length - maxListed
  return `${paths.slice(0, maxListed).map(oneLine).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
