import type { AssistantRecord, SessionRecord, ToolProgressRecord, UserRecord } from '@x/contract'
import type { AgentProgress } from '@x/subagent'

/** Which agent's records, and how much of them. */
export interface ForwardOptions {
  readonly agentId: string
  /** Texts and thoughts too, not only calls and their results. */
  readonly withText: boolean
}

/** What the main stream shows of an agent's record; undefined: nothing. */
export function forwardable(
  record: SessionRecord,
  { agentId, withText }: ForwardOptions,
): SessionRecord | undefined {
  const { type } = record
  if (type === 'assistant') return withText ? record : withoutTexts(record)
  if (type === 'user') return withText || hasResults(record) ? record : undefined
  if (type === 'system')
    return record.subtype === 'permission_denied' ? { ...record, agent_id: agentId } : undefined
  return type === 'tool_progress' ? withoutRepeats(record) : undefined
}

function withoutTexts(record: AssistantRecord): AssistantRecord | undefined {
  const { content } = record.message
  const calls = typeof content === 'string' ? [] : content.filter(({ type }) => type === 'tool_use')
  return calls.length === 0 ? undefined : { ...record, message: { ...record.message, content: calls } }
}

function hasResults({ message: { content } }: UserRecord): boolean {
  return typeof content !== 'string' && content.some(({ type }) => type === 'tool_result')
}

/**
 * A record as the stream shows it. The progress of an Agent call repeats what the agent's own records tell, and is left out
 * (undefined); but for a request of the agent that is tried again, which nothing else tells.
 */
export function withoutRepeats(record: SessionRecord): SessionRecord | undefined {
  if (record.type !== 'tool_progress') return record
  const { data, ...rest } = record
  if (!isAgentProgress(data)) return record
  const retry = retryIn(data.record)
  return retry && { ...rest, subagent_type: data.agentType, subagent_retry: retry }
}

function isAgentProgress(data: unknown): data is AgentProgress {
  return typeof data === 'object' && data !== null && 'type' in data && data.type === 'agent'
}

function retryIn(record: SessionRecord): ToolProgressRecord['subagent_retry'] {
  if (record.type !== 'system' || record.subtype !== 'api_retry') return undefined
  const { type: _type, subtype: _subtype, parent_tool_use_id: _place, ...retry } = record
  return retry
}
