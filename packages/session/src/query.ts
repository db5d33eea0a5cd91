import { setTimeout as sleep } from 'node:timers/promises'
import { AbortReason, createChildAbortController } from '@x/abort'
import type { SessionEvent, SessionRecord } from '@x/contract'
import { type AsyncQueue, createAsyncQueue, mergeGenerators } from '@x/executor'
import { assertLimits } from '@x/loop'
import { resolveModelName } from '@x/model-anthropic'
import type { PermissionMode } from '@x/permissions'
import { blankResult } from './blank-result.ts'
import { createEventStamp } from './event-stamp.ts'
import { createInputQueue, type InputQueue } from './input-queue.ts'
import { keepAlive } from './keep-alive.ts'
import { openSession, type Session } from './session.ts'
import type { QueryOptions, UserInput } from './session-options.ts'
import { type SessionSetup, setUpSession } from './session-setup.ts'
import { taskRecords } from './task-records.ts'
import { assertUserInput, isBlank, toReplay, toUserMessage } from './user-messages.ts'

/** A prompt, or the messages of a whole conversation as they come, and what the session is made of. */
export interface QueryParameters {
  readonly prompt: string | AsyncIterable<UserInput>
  readonly options?: QueryOptions
}

/** What an interrupt leaves of the messages that waited. */
export interface InterruptReceipt {
  /** Ids of messages that still wait and run next. */
  readonly still_queued: readonly string[]
  /** Ids of messages that will not run. */
  readonly cancelled?: readonly string[]
}

/** A session at work: its events, and the ways to steer it. Iterate it once. */
export interface Query extends AsyncGenerator<SessionEvent, void, undefined> {
  readonly sessionId: string
  /** The model of the next request. */
  readonly model: string
  /** Cancels the running query; the session goes on with what waits. */
  interrupt(options?: { readonly cancelQueued?: boolean }): InterruptReceipt
  /** From the next query on; undefined: the session's first model. @throws RangeError if it has no price while there is a budget in money. */
  setModel(model: string | undefined): void
  /** From the next call on. @throws Error for `bypassPermissions` in a session that may not switch to it. */
  setPermissionMode(mode: PermissionMode): void
  /** Ends a background task. @throws Error if there is none of this id. */
  stopTask(id: string): Promise<void>
  /** Ends the session and all that it started; resolves when it is gone. Closing twice is harmless. */
  close(): Promise<void>
}

/**
 * Runs a session: one prompt, or as many as come.
 *
 * Yields the stream-json records, the first of them `system`/`init`, the last of each prompt a `result`. A failure of the model or
 * of a tool is a record, never a rejection; only an error of the `prompt` iterable itself is passed on.
 *
 * @throws TypeError for an option of a wrong shape, and where no endpoint is given and none is configured.
 * @throws RangeError for a limit out of range, and where a model has no price while there is a budget in money.
 *
 * @example
 * for await (const event of query({ prompt: 'Why does the login test fail?' })) {
 *   if (event.type === 'result') console.log(event.result)
 * }
 */
export function query({ prompt, options = {} }: QueryParameters): Query {
  const session = openSession(setUpSession(options))
  const input = createInputQueue()
  const events = stampAll(session, runSession(session, input, prompt))
  let isClosed = false

  async function close(): Promise<void> {
    if (!isClosed) session.controller.abort(new AbortReason('host-stopped'))
    isClosed = true
    await events.return()
  }

  return {
    sessionId: session.setup.sessionId,
    get model() {
      return session.model
    },
    next: () => events.next(),
    async return() {
      await close()
      return { done: true, value: undefined }
    },
    async throw(error) {
      await close()
      throw error
    },
    [Symbol.asyncIterator]() {
      return this
    },
    [Symbol.asyncDispose]: close,
    interrupt: (choice) => interrupt(session, input, choice?.cancelQueued === true),
    setModel(model) {
      const { setup } = session
      const modelName = model === undefined ? setup.model : resolveModelName(model, setup.env)
      assertLimits({ ...setup, modelName })
      session.model = modelName
    },
    setPermissionMode(mode) {
      if (session.setup.access.permissions.setMode(mode)) return
      throw new Error(
        `This session may not switch to ${mode}; it was not started with allowDangerouslySkipPermissions`,
      )
    },
    async stopTask(id) {
      const view = session.setup.tasks.get(id)
      if (view === undefined) throw new Error(`No task found with ID: ${id}`)
      await view.task.stop()
    },
    close,
  }
}

function interrupt(session: Session, input: InputQueue, cancelQueued: boolean): InterruptReceipt {
  const cancelled = cancelQueued ? ids(input.clear()) : undefined
  session.running?.controller.abort(new AbortReason('user-cancel'))
  return { still_queued: ids(input.waiting), ...(cancelled === undefined ? {} : { cancelled }) }
}

function ids(inputs: readonly UserInput[]): readonly string[] {
  return inputs.flatMap(({ uuid }) => uuid ?? [])
}

async function* stampAll(
  session: Session,
  records: AsyncGenerator<SessionRecord>,
): AsyncGenerator<SessionEvent, void> {
  const stamp = createEventStamp(session.setup.sessionId)
  for await (const record of records) yield stamp(record)
}

/** The conversation and, beside it, what its background tasks have to tell. Everything ends with it. */
async function* runSession(
  session: Session,
  input: InputQueue,
  prompt: QueryParameters['prompt'],
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
  const conversation = converse(session, input, news)
  // One prompt is over before somebody edits a file; a conversation may last a day.
  const watch = typeof prompt === 'string' ? undefined : await followSettings(session.setup, news)
  try {
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
  }
}

/** Lets changed settings count from the next call on, and says so. */
function followSettings(
  { options, access }: SessionSetup,
  news: AsyncQueue<SessionRecord>,
): Promise<AsyncDisposable> | undefined {
  return options.settings?.watch((settings) => {
    access.useSettings(settings)
    for (const content of [
      'The settings have changed; their permission rules count from the next call on.',
      ...settings.notices,
    ]) {
      news.push({ type: 'system', subtype: 'informational', content, level: 'notice' })
    }
  })
}

/** Puts the prompt into the queue as it comes; returns the undo. A message to be heard now interrupts what can be. */
function feed(session: Session, input: InputQueue, prompt: QueryParameters['prompt']): () => void {
  if (typeof prompt === 'string') {
    input.push({ type: 'user', message: { role: 'user', content: prompt } })
    input.close()
    return () => {}
  }
  const iterator = prompt[Symbol.asyncIterator]()
  const source = { isStopped: false }
  async function pump(): Promise<void> {
    for (
      let next = await iterator.next();
      next.done !== true && !source.isStopped;
      next = await iterator.next()
    ) {
      assertUserInput(next.value)
      input.push(next.value)
      if (next.value.priority === 'now') session.running?.query.interrupt()
    }
    input.close()
  }
  pump().catch((error: unknown) => input.close(error ?? new Error('The prompt failed')))
  return () => {
    source.isStopped = true
    // A source that waits for its next message may never settle: it is told, not awaited.
    void (async () => iterator.return?.())().catch(() => {})
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

/** What the settings have to tell the user. */
function noticeRecords({ options, access }: SessionSetup): readonly SessionRecord[] {
  const problems = access.permissions.problems.map(({ message }) => message)
  return [...(options.settings?.notices ?? []), ...problems].map((content) => {
    return { type: 'system', subtype: 'informational', content, level: 'warning' }
  })
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
