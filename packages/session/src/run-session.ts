import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { AbortReason, createChildAbortController } from '@x/abort'
import type { SessionRecord, UserMessage } from '@x/contract'
import { mergeGenerators } from '@x/executor'
import { repeatsAgent } from './agents/forward-records.ts'
import { type BackgroundTurns, createBackgroundTurns, wakeForEnd } from './background-turns.ts'
import { beginSession, ownContext } from './begin-session.ts'
import { blankResult } from './blank-result.ts'
import { compactNow, readCompactCommand } from './compaction/compact-command.ts'
import { feed, type Prompt } from './feed.ts'
import { followFiles } from './follow-files.ts'
import { followRecords } from './hooks/follow-records.ts'
import { type Accepted, runPromptHooks } from './hooks/run-prompt-hooks.ts'
import { isWake } from './input-queue.ts'
import { keepAlive } from './keep-alive.ts'
import { nameSession } from './log/name-session.ts'
import { notice } from './notice.ts'
import type { Session } from './session.ts'
import type { UserInput } from './session-options.ts'
import { startNotices } from './start-notices.ts'
import { taskRecords } from './task-records.ts'
import { isBlank, promptId, toReplay, toUserMessage } from './user-messages.ts'
import { letGoOfWorktree } from './worktrees/session-worktree.ts'

/** The conversation and, beside it, what background tasks, hooks and settings have to tell. Everything ends with it. */
export async function* runSession(session: Session, prompt: Prompt): AsyncGenerator<SessionRecord, void> {
  const { setup, controller } = session
  const { tasks, news, input } = setup
  await session.open()
  const leave = tasks.subscribe(({ kind, view }) => {
    for (const record of taskRecords(kind, view, tasks)) news.push(record)
    const isAgentsEnd = kind === 'end' && view.task.type === 'local_agent' && view.task.agentId === undefined
    // Nobody may be talking: an agent's report is worth a turn of its own.
    if (isAgentsEnd && session.running === undefined) wakeForEnd(session)
  })
  const stopFeeding = feed(session, prompt)
  const endInput = (): void => {
    input.clear()
    input.close()
  }
  controller.signal.addEventListener('abort', endInput, { once: true })
  // The host may have aborted before anybody began to read.
  if (controller.signal.aborted) endInput()
  const conversation = converse(session)
  let stopFollowing = async (): Promise<void> => {}
  try {
    // One prompt is over before somebody edits a file; a conversation may last a day.
    if (typeof prompt !== 'string') stopFollowing = await followFiles(setup)
    yield* mergeGenerators([conversation, news], 2)
  } finally {
    stopFeeding()
    // Left early, it may be busy: what it started is gone only when it has ended.
    await keepAlive(conversation.return())
    controller.signal.removeEventListener('abort', endInput)
    leave()
    await stopFollowing()
    await setup.places[Symbol.asyncDispose]()
    await setup.mcp[Symbol.asyncDispose]()
    await session.agents?.[Symbol.asyncDispose]()
    await tasks.stopAll()
    await letGoOfWorktree(session.worktree)
    await setup.hooks[Symbol.asyncDispose]()
    // Whatever still hangs on the session, such as the shell that reads the user's start-up file, ends with it.
    controller.abort(new AbortReason('host-stopped'))
    await rm(setup.taskFolder, { recursive: true, force: true }).catch(() => {})
  }
}

async function* converse(session: Session): AsyncGenerator<SessionRecord, void> {
  const { tasks, hooks, news } = session.setup
  try {
    const before = await beginSession(session)
    yield session.init()
    yield* startNotices(session)
    // Whoever has gone leaves the call where it is.
    const isParked = session.parked !== undefined && !session.controller.signal.aborted
    const turns = createBackgroundTurns(session)
    if (!isParked || (yield* goOn(session, [], turns)))
      yield* answerAll(session, [...before, ...(await ownContext(session))], turns)
    await tasks.stopAll()
  } finally {
    await hooks.run('SessionEnd', { reason: 'other' })
    news.end()
  }
}

async function* answerAll(
  session: Session,
  context: readonly UserMessage[],
  turns: BackgroundTurns,
): AsyncGenerator<SessionRecord, void> {
  const { options, hooks } = session.setup
  const next = () => takeOrWait(session, turns)
  let before = context
  for (let inputs = await next(); inputs !== undefined; inputs = await next()) {
    if (options.replayUserMessages === true) yield* inputs.filter((one) => !isWake(one)).map(toReplay)
    const compacting = readCompactCommand(inputs)
    if (turns.isStale(inputs)) continue
    if (isBlank(inputs)) yield blankResult
    else if (compacting !== undefined) yield* compactNow(session, compacting)
    else if (turns.mayAnswer(inputs)) {
      if (!(yield* answer(session, inputs, { before, turns }))) return
      before = []
    } else {
      yield notice(tooManyWakes, 'warning')
      for (const one of inputs) hooks.leave(toUserMessage(one))
    }
  }
}

const tooManyWakes =
  'Hooks woke the model too often in a row; what the last one says waits for the next message of the user.'

/** The next messages; when no more come from the user, those of hooks that still run. */
async function takeOrWait(
  session: Session,
  turns: BackgroundTurns,
): Promise<readonly UserInput[] | undefined> {
  const inputs = await take(session)
  if (inputs !== undefined) return inputs
  await waitForBackground(session)
  turns.askForTurn()
  return session.controller.signal.aborted ? undefined : session.setup.input.take()
}

/** How long the session waits for the user before the Notification hooks hear of it. In milliseconds. */
const idleMs = 60_000

/** Waits for what the user says next. */
async function take({ setup, controller }: Session): Promise<readonly UserInput[] | undefined> {
  using waiting = createChildAbortController(controller)
  void sleep(idleMs, undefined, { signal: waiting.signal, ref: false })
    .then(() => {
      const input = { message: 'x is waiting for your input', notification_type: 'idle_prompt' }
      return setup.hooks.run('Notification', input, controller.signal)
    })
    .catch(() => undefined)
  try {
    return await setup.input.take()
  } finally {
    waiting.abort()
  }
}

/** Answers what the user says. Tells whether the session goes on. */
async function* answer(
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
async function* goOn(
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
async function* withoutHidden<End>(
  records: AsyncGenerator<SessionRecord, End>,
  session: Session,
): AsyncGenerator<SessionRecord, End> {
  const { promptTool } = session.setup
  try {
    for (;;) {
      const next = await records.next()
      if (next.done === true) return next.value
      // Whoever reads the result may rewind files at once.
      if (next.value.type === 'result') session.rest()
      const isHidden = promptTool?.hides(next.value) === true || repeatsAgent(next.value)
      if (!isHidden) yield next.value
    }
  } finally {
    await records.return(undefined as never)
  }
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

const longestMs = 2 ** 31 - 1

/** Background work may go on for a while after the last result; agents longer than commands. */
async function waitForBackground({ setup, controller }: Session): Promise<void> {
  const { tasks, hooks, options, environment } = setup
  const running = tasks.list().filter(({ end }) => end === undefined)
  const { waking } = hooks.hooks
  if (running.length === 0 && waking === undefined) return
  using wait = createChildAbortController(controller)
  const ended = Promise.all([...running.map(({ task }) => task.ended), waking])
  const hasAgents = running.some(({ task }) => task.type === 'local_agent')
  const patienceMs = hasAgents ? environment.agentWaitMs : (options.backgroundGraceMs ?? 5_000)
  const patience = sleep(Math.min(patienceMs, longestMs), undefined, { signal: wait.signal })
  await Promise.race([ended, patience.catch(() => undefined)])
  wait.abort()
}
