import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { AbortReason, createChildAbortController } from '@x/abort'
import type { SessionRecord } from '@x/contract'
import { type AsyncQueue, createAsyncQueue, mergeGenerators } from '@x/executor'
import { blankResult } from './blank-result.ts'
import { feed, type Prompt } from './feed.ts'
import type { InputQueue } from './input-queue.ts'
import { keepAlive } from './keep-alive.ts'
import type { Session } from './session.ts'
import type { UserInput } from './session-options.ts'
import { followSettings, noticeRecords } from './settings-news.ts'
import { taskRecords } from './task-records.ts'
import { isBlank, toReplay, toUserMessage } from './user-messages.ts'

/** The conversation and, beside it, what its background tasks have to tell. Everything ends with it. */
export async function* runSession(
  session: Session,
  input: InputQueue,
  prompt: Prompt,
): AsyncGenerator<SessionRecord, void> {
  const { tasks } = session.setup
  const news = createAsyncQueue<SessionRecord>()
  const leave = tasks.subscribe(({ kind, view }) =>
    taskRecords(kind, view, tasks).forEach((record) => news.push(record)),
  )
  const stopFeeding = feed(session, input, prompt)
  const endInput = (): void => {
    input.clear()
    input.close()
  }
  session.controller.signal.addEventListener('abort', endInput, { once: true })
  // The host may have aborted before anybody began to read.
  if (session.controller.signal.aborted) endInput()
  const conversation = converse(session, input, news)
  let watch: AsyncDisposable | undefined
  try {
    // One prompt is over before somebody edits a file; a conversation may last a day.
    watch = typeof prompt === 'string' ? undefined : await followSettings(session.setup, news)
    yield* mergeGenerators([conversation, news], 2)
  } finally {
    stopFeeding()
    // Left early, it may be busy: what it started is gone only when it has ended.
    await keepAlive(conversation.return())
    session.controller.signal.removeEventListener('abort', endInput)
    leave()
    await watch?.[Symbol.asyncDispose]()
    await tasks.stopAll()
    // Whatever still hangs on the session, such as the shell that reads the user's start-up file, ends with it.
    session.controller.abort(new AbortReason('host-stopped'))
    await rm(session.setup.taskFolder, { recursive: true, force: true }).catch(() => {})
  }
}

async function* converse(
  session: Session,
  input: InputQueue,
  news: AsyncQueue<SessionRecord>,
): AsyncGenerator<SessionRecord, void> {
  try {
    yield session.init()
    yield* noticeRecords(session.setup)
    for (let inputs = await input.take(); inputs !== undefined; inputs = await input.take()) {
      if (session.setup.options.replayUserMessages === true) yield* inputs.map(toReplay)
      if (isBlank(inputs)) yield blankResult
      else yield* answer(session, input, inputs)
    }
    await waitForTasks(session)
    await session.setup.tasks.stopAll()
  } finally {
    news.end()
  }
}

async function* answer(
  session: Session,
  input: InputQueue,
  inputs: readonly UserInput[],
): AsyncGenerator<SessionRecord, void> {
  const { tasks } = session.setup
  const prompt = [...tasks.takeNotices(), ...inputs.map(toUserMessage)]
  const { query: running } = session.start(prompt, () => [
    ...tasks.takeNotices(),
    ...input.takeNow().map(toUserMessage),
  ])
  await session.finish(yield* running)
}

/** Background tasks may go on for a while after the last result. */
async function waitForTasks({ setup, controller }: Session): Promise<void> {
  const running = setup.tasks.list().filter(({ end }) => end === undefined)
  if (running.length === 0) return
  using wait = createChildAbortController(controller)
  const ended = Promise.all(running.map(({ task }) => task.ended))
  const patience = sleep(setup.options.backgroundGraceMs ?? 5_000, undefined, { signal: wait.signal })
  await Promise.race([ended, patience.catch(() => undefined)])
  wait.abort()
}
