import { type AgentReport, describeWork } from './agent-report.ts'
import { cutReport, type StoreReport } from './cut-report.ts'
import { scanReport } from './scan-report.ts'
import type { EndedWorktree } from './worktrees.ts'

/** How long a report may be, and where the whole of a longer one goes. */
export interface ReportLimits {
  readonly maxChars: number
  readonly store: StoreReport
}

/** The report as another agent reads it: harmless, not too long, and plain about how it came to an end. */
export async function reportText(report: AgentReport, { maxChars, store }: ReportLimits): Promise<string> {
  const { status, lastText, agentId } = report
  const said = lastText === '' ? describeWork(report) : lastText
  const whole = scanReport(status === 'failed' ? failureText(report) : said)
  const text = await cutReport(whole, { agentId, maxChars, store })
  const note = endNote(report)
  return note === '' ? text : `${text}\n\n[${note}]`
}

function endNote({ status, error = '', lastText }: AgentReport): string {
  const detail = oneLine(error)
  const left = lastText === '' ? '' : ' The text above is the last that it wrote.'
  switch (status) {
    case 'completed':
    case 'failed':
      return ''
    case 'limit':
      return `The agent did not finish: ${detail}.${left}`
    case 'partial':
      return `The agent was cut off by an error and did not finish: ${detail}.${left}`
    case 'interrupted':
      return `The agent was stopped and did not finish.${left}`
  }
}

function failureText({ error = 'unknown error', isApiError }: AgentReport): string {
  return isApiError ? `Agent terminated early due to an API error: ${error}` : error
}

/** What others wrote, in one line of what the program says: harmless, and not too long. */
export function oneLine(text: string): string {
  const line = scanReport(text).replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '')
  return line.length > 500 ? `${line.slice(0, 500).toWellFormed()}…` : line
}

/** Says where a worktree is, or that it is gone. */
export function describeWorktree(worktree: EndedWorktree): string {
  const { path, branch, kept, why } = worktree
  if (!kept) return 'worktree: removed, it held no changes'
  const on = branch === undefined ? '' : ` (branch ${branch})`
  // The reasons name files, which an agent may name as it likes.
  return `worktree: ${path}${on}, kept${why === undefined ? '' : `: ${oneLine(why)}`}`
}
