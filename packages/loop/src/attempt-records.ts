import type { AssistantRecord, DecisionReason, JsonObject, SessionRecord } from '@x/contract'
import type { ExecutorEvent, ToolResultEvent } from '@x/executor'
import type { Attempt } from './attempt.ts'
import { callsOf } from './calls-of.ts'
import { noteRecord, systemRecord } from './records.ts'
import type { QueryState } from './state.ts'

/** Which blocks of a message a record shows, and what it says of the message. */
export interface AssistantRecordOptions extends Pick<AssistantRecord, 'error' | 'aborted'> {
  /** How many of its blocks are out after it. Absent: all, and the message has ended. */
  readonly upTo?: number
}

/** Gives the record of the complete blocks that were not shown yet; none if there are none. */
export function* assistantRecords(
  { place }: QueryState,
  attempt: Attempt,
  { upTo, ...flags }: AssistantRecordOptions,
): Generator<SessionRecord> {
  const { requestId } = attempt
  const content = attempt.content.slice(attempt.shownBlocks, upTo)
  if (content.length === 0) return
  attempt.shownBlocks += content.length
  attempt.isShown = true
  yield {
    type: 'assistant',
    message: {
      ...attempt.message,
      content,
      model: attempt.servedBy,
      stop_reason: upTo === undefined ? (attempt.stopReason ?? null) : null,
      usage: attempt.usage,
    },
    ...place,
    ...(requestId !== undefined && { request_id: requestId }),
    ...flags,
  }
}

/** Gives the records of what an executor says; keeps its results for the history. */
export function* executorRecords(
  state: QueryState,
  attempt: Attempt,
  event: ExecutorEvent,
): Generator<SessionRecord> {
  const call = attempt.calls.get(event.toolUseId)
  if (call === undefined) return
  yield* assistantRecords(state, attempt, { upTo: call.upTo })
  if (event.type === 'tool-result') {
    if (event.cause === 'deferred') return yield* deferralRecords(state, attempt, event)
    attempt.results.push(event)
    yield* resultRecords(state, attempt, event)
    return
  }
  if (event.type === 'tool-start') call.startedAt = state.clock.now()
  call.isRunning = event.type !== 'tool-end'
  const head = progressHead(state, attempt, event.toolUseId)
  if (event.type === 'tool-start') yield { ...head, phase: 'start' }
  else if (event.type === 'tool-end') yield { ...head, phase: 'end', cause: event.cause }
  else yield { ...head, phase: 'progress', data: event.data }
}

/** Why a message is withdrawn: asked for again, asked of another model, or given up. */
export type WithdrawalReason = 'retry' | 'fallback' | 'failed'

/** Gives the end of each call that was seen to start, for a message that is withdrawn. */
export function* withdrawalRecords(
  state: QueryState,
  attempt: Attempt,
  reason: WithdrawalReason,
): Generator<SessionRecord> {
  for (const [id, call] of attempt.calls) {
    if (!call.isRunning) continue
    call.isRunning = false
    yield { ...progressHead(state, attempt, id), phase: 'end', cause: 'streaming-fallback' }
  }
  if (!attempt.isShown) return
  const { id } = attempt.message
  yield systemRecord(state, 'message_withdrawn', { message_id: id ?? null, reason })
}

/** The call stays open: no record answers it. */
function* deferralRecords(
  state: QueryState,
  attempt: Attempt,
  { notices, toolUseId }: ToolResultEvent,
): Generator<SessionRecord> {
  attempt.deferral = callsOf(attempt.message).find(({ id }) => id === toolUseId)
  for (const notice of notices) yield noteRecord(state, notice, { level: 'notice', toolUseId })
}

function* resultRecords(
  state: QueryState,
  attempt: Attempt,
  event: ToolResultEvent,
): Generator<SessionRecord> {
  const { denial, toolUseId } = event
  for (const notice of event.notices) yield noteRecord(state, notice, { level: 'notice', toolUseId })
  if (denial !== undefined) {
    const denied = { tool_name: denial.toolName, tool_use_id: toolUseId }
    state.denials.push({ ...denied, tool_input: denial.input })
    // What a hook denies, it tells itself.
    if (denial.reason?.type !== 'hook')
      yield systemRecord(state, 'permission_denied', {
        ...denied,
        ...toReasonFields(denial.reason),
        message: denial.message,
      })
  }
  attempt.isShown = true
  yield {
    type: 'user',
    message: { role: 'user', content: [event.result] },
    ...state.place,
    ...('output' in event && { tool_use_result: event.output }),
    ...(event.mcpMeta && { mcp_meta: event.mcpMeta }),
  }
}

function toReasonFields(reason: DecisionReason | undefined): JsonObject {
  return reason === undefined ? {} : { decision_reason_type: reason.type, decision_reason: reason.detail }
}

function progressHead(
  { place, clock }: QueryState,
  attempt: Attempt,
  toolUseId: string,
): {
  type: 'tool_progress'
  tool_use_id: string
  tool_name: string
  parent_tool_use_id: string | null
  elapsed_time_seconds: number
} {
  attempt.isShown = true
  const call = attempt.calls.get(toolUseId)
  return {
    type: 'tool_progress',
    tool_use_id: toolUseId,
    tool_name: call?.name ?? '',
    ...place,
    elapsed_time_seconds: call === undefined ? 0 : Math.round(clock.now() - call.startedAt) / 1_000,
  }
}
