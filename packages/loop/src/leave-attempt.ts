import type { ToolResultBlock } from '@x/contract'
import { joinSettled } from './ask-model.ts'
import type { QueryState } from './state.ts'
import { abandonedText } from './texts.ts'
import { addToHistory } from './turn.ts'

/** Leaves the message at work: its calls are cancelled; what is complete goes to the history, every call answered. */
export function leaveAttempt(state: QueryState): void {
  const { attempt } = state
  if (attempt === undefined) return
  attempt.isClosed = true
  const late = attempt.executor.discard().filter((event) => event.cause !== 'streaming-fallback')
  joinSettled(state, attempt)
  const known = new Map([...attempt.results, ...late].map((event) => [event.toolUseId, event]))
  attempt.results.length = 0
  addToHistory(state, attempt)
  state.history.addUser([...attempt.calls.keys()].map((id) => known.get(id)?.result ?? abandoned(id)))
}

function abandoned(toolUseId: string): ToolResultBlock {
  return { type: 'tool_result', tool_use_id: toolUseId, content: abandonedText, is_error: true }
}
