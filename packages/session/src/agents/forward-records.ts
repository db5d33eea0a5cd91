import type { AssistantRecord, SessionRecord, UserRecord } from '@x/contract'

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
  return type === 'tool_progress' ? record : undefined
}

function withoutTexts(record: AssistantRecord): AssistantRecord | undefined {
  const { content } = record.message
  const calls = typeof content === 'string' ? [] : content.filter(({ type }) => type === 'tool_use')
  return calls.length === 0 ? undefined : { ...record, message: { ...record.message, content: calls } }
}

function hasResults({ message: { content } }: UserRecord): boolean {
  return typeof content !== 'string' && content.some(({ type }) => type === 'tool_result')
}

/** Whether a record only repeats what an agent's own records tell. */
export function repeatsAgent(record: SessionRecord): boolean {
  if (record.type !== 'tool_progress' || record.phase !== 'progress') return false
  const { data } = record
  return typeof data === 'object' && data !== null && 'type' in data && data.type === 'agent'
}
