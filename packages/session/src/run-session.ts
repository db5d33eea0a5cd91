import { rm } from 'node:fs/promises'
import { AbortReason } from '@x/abort'
import type { SessionRecord } from '@x/contract'
import { mergeGenerators } from '@x/executor'
import { wakeForEnd } from './background-turns.ts'
import { converse } from './converse.ts'
import { feed, type Prompt } from './feed.ts'
import { followFiles } from './follow-files.ts'
import { createHeartbeats } from './heartbeats.ts'
import { keepAlive } from './keep-alive.ts'
import type { Session } from './session.ts'
import { taskRecords } from './task-records.ts'
import { letGoOfWorktree } from './worktrees/session-worktree.ts'

/** The conversation and, beside it, what background tasks, hooks and settings have to tell. Everything ends with it. */
export async function* runSession(session: Session, prompt: Prompt): AsyncGenerator<SessionRecord, void> {
  const { setup, controller } = session
  const { tasks, news, input } = setup
  await session.open()
  const leave = tasks.subscribe((change) => {
    for (const record of taskRecords(change, tasks)) news.push(record)
    const { kind, view } = change
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
  using heartbeats = createHeartbeats((record) => news.push(record))
  let stopFollowing = async (): Promise<void> => {}
  try {
    // One prompt is over before somebody edits a file; a conversation may last a day.
    if (typeof prompt !== 'string') stopFollowing = await followFiles(setup)
    for await (const record of mergeGenerators([conversation, news], 2)) {
      heartbeats.saw(record)
      yield record
    }
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
