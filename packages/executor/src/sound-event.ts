import type { ToolResultBlock, UserMessage } from '@x/contract'
import { soundData } from './result-content.ts'
import type { ToolResultEvent } from './types.ts'

/** Makes sure that no half character leaves with an answer. */
export function soundEvent(event: ToolResultEvent): ToolResultEvent {
  const { attached, notices, stop, denial } = event
  const result = soundResult(event.result)
  if (result === event.result && attached.length === 0 && notices.length === 0 && !stop && !denial)
    return event
  return {
    ...event,
    result,
    // Same shape, whole characters.
    attached: soundData(attached) as readonly UserMessage[],
    notices: notices.map((notice) => notice.toWellFormed()),
    ...(stop && { stop: { reason: stop.reason.toWellFormed() } }),
    ...(denial && { denial: soundDenial(denial) }),
  }
}

function soundDenial(denial: Denial): Denial {
  const { message, reason } = denial
  return {
    ...denial,
    message: message.toWellFormed(),
    // Same shape, whole characters.
    ...(reason && { reason: soundData(reason) as NonNullable<typeof reason> }),
  }
}

type Denial = NonNullable<ToolResultEvent['denial']>

/** The parts of a list were made whole when the output was mapped; texts of errors were not. */
function soundResult(result: ToolResultBlock): ToolResultBlock {
  const { content } = result
  if (typeof content !== 'string' || content.isWellFormed()) return result
  return { ...result, content: content.toWellFormed() }
}
