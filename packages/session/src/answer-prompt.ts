import type { SessionRecord, UserMessage } from '@x/contract'
import { repeatsAgent } from './agents/forward-records.ts'
import type { BackgroundTurns } from './background-turns.ts'
import { changeRecords } from './change-records.ts'
import { followRecords } from './hooks/follow-records.ts'
import { type Accepted, runPromptHooks } from './hooks/run-prompt-hooks.ts'
import { isWake } from './input-queue.ts'
import { nameSession } from './log/name-session.ts'
import type { Session } from './session.ts'
import type { UserInput } from './session-options.ts'
import { promptId, toUserMessage } from './user-messages.ts'

/** Answers what the user says. Tells whether the session goes on. */
export async function* answerPrompt(
  session: Session,
  inputs: readonly UserInput[],
  { before, turns }: { readonly before: readonly UserMessage[]; readonly turns: BackgroundTurns },
): AsyncGenerator<SessionRecord, boolean> {
  const { hooks } = session.setup
  const { used } = session.setup.prompt
  // The client may have used the name in an earlier process of the session, or taken it from an event.
  const id = promptId(inputs, (name) => used.has(name) || session.log.hasRecord(name))
  used.add(id)
  session.setup.prompt.id = id
  const { signal } = session.openTurn()
  const submitted = await runPromptHooks(hooks, inputs, signal)
  if (submitted.type === 'refused') {
    turns.refuse(inputs)
    yield submitted.result
    return true
  }
  await nameSession(session.log, submitted.sessionTitle)
  await session.checkpoints?.begin(id)
  const instructions = await session.setup.memory.beforePrompt(session.log)
  const prompt = await say(session, [...instructions, ...takeWaiting(session), ...before], submitted)
  // What ended in the background is still about the prompt before: it is paid for from there.
  if (!inputs.every(isWake)) session.agents?.openPrompt()
  return yield* goOn(session, prompt, turns)
}

/** Lets the model go on. Tells whether the session does, too: it ends where a call is put off. */
export async function* goOn(
  session: Session,
  prompt: readonly UserMessage[],
  turns: BackgroundTurns,
): AsyncGenerator<SessionRecord, boolean> {
  const { hooks, input } = session.setup
  const { signal } = session.turn ?? session.openTurn()
  const running = session.start(prompt, () => [
    ...takeWaiting(session),
    ...input.takeNow().map(toUserMessage),
  ])
  const records = followRecords(running, hooks, signal)
  const end = yield* withoutHidden(records, session)
  await session.finish(end)
  // What came too late for this answer gets one of its own.
  turns.askForTurn()
  return end.reason !== 'tool_deferred' && end.reason !== 'tool_deferred_unavailable'
}

/** What agents and hooks have left for the model meanwhile. */
function takeWaiting({ agents, setup: { hooks } }: Session): readonly UserMessage[] {
  return [...(agents?.notices.take() ?? []), ...hooks.takeLate()]
}

/** Denials by a prompt tool are in the result alone; what agents do, they tell themselves. */
function withoutHidden<End>(
  records: AsyncGenerator<SessionRecord, End>,
  session: Session,
): AsyncGenerator<SessionRecord, End> {
  const { promptTool } = session.setup
  return changeRecords(records, (record) => {
    // Whoever reads the result may rewind files at once.
    if (record.type === 'result') session.rest()
    const isHidden = promptTool?.hides(record) === true || repeatsAgent(record)
    return isHidden ? undefined : record
  })
}

/** Writes down what the model is told before it is told: what the program says, then what the person said. */
async function say(
  { log, setup }: Session,
  reminders: readonly UserMessage[],
  { messages, context }: Accepted,
): Promise<readonly UserMessage[]> {
  const { id } = setup.prompt
  for (const message of reminders) await log.say(message, { isMeta: true })
  for (const [index, message] of messages.entries()) {
    // The record of the prompt has its id: a session can be taken back to it.
    const isLast = index === messages.length - 1
    await log.say(message, isLast && id !== undefined ? { uuid: id } : {})
  }
  for (const message of context) await log.say(message, { isMeta: true })
  return [...reminders, ...messages, ...context]
}
