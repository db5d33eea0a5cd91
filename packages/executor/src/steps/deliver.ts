import type { UserMessage } from '@x/contract'
import { errorResult } from '../answers.ts'
import { type Run, resultEvent } from '../run.ts'
import type { Cause, ToolResultEvent } from '../types.ts'

/** Answers the call with what it came to. */
export function deliver(run: Run): void {
  run.kit.complete(run.call, finalEvent(run, 'ran'))
}

/** The answer of a call that ran, with its output and messages. */
export function finalEvent(run: Run, cause: Cause): ToolResultEvent {
  const { returned, call } = run
  const event = resultEvent(run, cause, run.result ?? errorResult(call.id, 'It gave no result.'))
  if (returned === undefined) return event
  return {
    ...event,
    output: returned.data,
    attached: [...run.attached, ...(returned.newMessages ?? []).filter(isMessage)],
    ...(returned.mcpMeta !== undefined && { mcpMeta: returned.mcpMeta }),
  }
}

function isMessage(message: unknown): message is UserMessage {
  if (typeof message !== 'object' || message === null || !('content' in message)) return false
  const { content } = message
  return (typeof content === 'string' || Array.isArray(content)) && content.length > 0
}
