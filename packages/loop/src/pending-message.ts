import type { AssistantMessage, SessionRecord } from '@x/contract'
import type { TurnOutcome } from './after-message.ts'
import { type Attempt, acceptBlock, openAttempt } from './attempt.ts'
import { callsOf } from './calls-of.ts'
import { endings } from './ending.ts'
import type { QueryState } from './state.ts'
import { currentTools, endTurn } from './turn.ts'

/** Runs the calls of a message that was said before this query, as if it had just arrived. Where a tool is gone they stay open. */
export async function* answerPending(
  state: QueryState,
  message: AssistantMessage,
): AsyncGenerator<SessionRecord, TurnOutcome> {
  state.tools = currentTools(state)
  const lost = callsOf(message).find(({ name }) => !hasTool(state, name))
  if (lost !== undefined) return endings.deferredUnavailable(lost)
  return yield* endTurn(state, { type: 'message', attempt: takeUp(state, message), isAborted: false })
}

function hasTool({ tools, options: { unlistedTools = [] } }: QueryState, name: string): boolean {
  const answersTo = (names: readonly string[] = []): boolean => names.includes(name)
  return (
    tools.some((tool) => tool.name === name || answersTo(tool.aliases)) ||
    unlistedTools.some(({ aliases }) => answersTo(aliases))
  )
}

/** Nothing is asked of the model, and its records are out already. */
function takeUp(state: QueryState, message: AssistantMessage): Attempt {
  const attempt = openAttempt(state, {
    model: state.options.modelName,
    request: state.history.messages,
    wake: () => undefined,
  })
  attempt.controller[Symbol.dispose]()
  attempt.message = { ...message, content: attempt.content }
  const { content } = message
  if (typeof content !== 'string') for (const block of content) acceptBlock(state, attempt, { block })
  attempt.gate.close({ isCutOff: false })
  attempt.shownBlocks = attempt.content.length
  attempt.isReading = false
  attempt.isClosed = true
  attempt.isLogged = true
  attempt.stopReason = 'tool_use'
  return attempt
}
