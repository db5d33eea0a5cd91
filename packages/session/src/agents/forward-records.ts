import type {
  AssistantRecord,
  SessionRecord,
  SystemRecord,
  ToolProgressRecord,
  UserRecord,
} from '@x/contract'
import type { AgentView } from '@x/subagent'

/** Which agent's records, and how much of them. */
export interface ForwardOptions {
  readonly agent: Pick<AgentView, 'id' | 'type' | 'toolUseId' | 'isResumed'>
  /** Texts and thoughts too, not only calls and their results. */
  readonly withText: boolean
  /** Where the call stands that started the agent, and how long ago. */
  readonly place: () => { readonly parentToolUseId: string | null; readonly elapsedMs: number }
}

/** What the main stream shows of an agent's record; undefined: nothing. */
export function forwardable(record: SessionRecord, options: ForwardOptions): SessionRecord | undefined {
  const { type } = record
  const { withText, agent } = options
  if (type === 'assistant') return withText ? record : withoutTexts(record)
  if (type === 'user') return withText || hasResults(record) ? record : undefined
  if (type === 'system') return forwardableSystem(record, options)
  if (type !== 'tool_progress' || repeatsAgent(record)) return undefined
  return { ...record, subagent_type: agent.type }
}

function forwardableSystem(record: SystemRecord, options: ForwardOptions): SessionRecord | undefined {
  if (record.subtype === 'permission_denied') return { ...record, agent_id: options.agent.id }
  return record.subtype === 'api_retry' ? retryRecord(record, options) : undefined
}

/** A retry is none of the main conversation: it is progress of the call that waits for the agent. */
function retryRecord(
  { type: _type, subtype: _subtype, parent_tool_use_id: _call, ...retry }: SystemRecord,
  { agent, place }: ForwardOptions,
): ToolProgressRecord {
  const { parentToolUseId, elapsedMs } = place()
  return {
    type: 'tool_progress',
    tool_use_id: agent.toolUseId,
    tool_name: agent.isResumed ? 'SendMessage' : 'Agent',
    parent_tool_use_id: parentToolUseId,
    elapsed_time_seconds: Math.round(elapsedMs) / 1_000,
    subagent_type: agent.type,
    subagent_retry: retry,
  }
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
  if (record.type !== 'tool_progress') return false
  const { data } = record
  return typeof data === 'object' && data !== null && 'type' in data && data.type === 'agent'
}
