import type { ResultRecord, SessionRecord, UserMessage } from '@x/contract'
import { answerPrompt, goOn } from './answer-prompt.ts'
import { type BackgroundTurns, createBackgroundTurns } from './background-turns.ts'
import { beginSession, ownContext } from './begin-session.ts'
import { blankResult, interruptedResult } from './blank-result.ts'
import { compactNow, readCompactCommand } from './compaction/compact-command.ts'
import { initRecord } from './init-record.ts'
import { isWake } from './input-queue.ts'
import { deferredCall } from './log/parked-call.ts'
import { nextInputs } from './next-inputs.ts'
import { notice } from './notice.ts'
import type { Session } from './session.ts'
import { startNotices } from './start-notices.ts'
import { isBlank, toReplay, toUserMessage } from './user-messages.ts'

/** The conversation of a session: its hooks and notices at the start, then an answer to each prompt until none comes any more. */
export async function* converse(session: Session): AsyncGenerator<SessionRecord, void> {
  const { tasks, hooks, news } = session.setup
  try {
    const before = await beginSession(session)
    yield initRecord(session)
    yield* startNotices(session)
    const isInterrupted = session.turn?.signal.aborted === true
    if (isInterrupted && session.cancelledCount > 0) yield interruptedAtStart(session)
    // Whoever has gone, or wants nothing done, leaves the call where it is.
    const isParked = session.parked !== undefined && !isInterrupted && !session.controller.signal.aborted
    const turns = createBackgroundTurns(session)
    if (!isParked || (yield* goOn(session, [], turns)))
      yield* answerAll(session, [...before, ...(await ownContext(session))], turns)
    await tasks.stopAll()
  } finally {
    await hooks.run('SessionEnd', { reason: 'other' })
    news.end()
  }
}

/** A call that was put off still is: whoever goes on next finds it in the last result. */
function interruptedAtStart({ parked }: Session): ResultRecord {
  const call = parked && deferredCall(parked)
  const why = 'Interrupted before the session had begun; the prompt is not part of the conversation.'
  return { ...interruptedResult(why), ...(call && { deferred_tool_use: call }) }
}

async function* answerAll(
  session: Session,
  context: readonly UserMessage[],
  turns: BackgroundTurns,
): AsyncGenerator<SessionRecord, void> {
  const { options, hooks } = session.setup
  const next = () => nextInputs(session, turns)
  let before = context
  for (let inputs = await next(); inputs !== undefined; inputs = await next()) {
    if (options.replayUserMessages === true) yield* inputs.filter((one) => !isWake(one)).map(toReplay)
    const compacting = readCompactCommand(inputs)
    if (turns.isStale(inputs)) continue
    if (isBlank(inputs)) yield blankResult
    else if (compacting !== undefined) yield* compactNow(session, compacting)
    else if (turns.mayAnswer(inputs)) {
      if (!(yield* answerPrompt(session, inputs, { before, turns }))) return
      before = []
    } else {
      yield notice(tooManyWakes, 'warning')
      for (const one of inputs) hooks.leave(toUserMessage(one))
    }
  }
}

const tooManyWakes =
  'Hooks woke the model too often in a row; what the last one says waits for the next message of the user.'
