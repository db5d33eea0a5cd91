import { AbortReason } from '@x/abort'
import type { RewindFilesResponse } from '@x/checkpoint'
import type { SessionEvent, SessionRecord } from '@x/contract'
import type { PermissionMode } from '@x/permissions'
import type { AgentDefinition, AgentMap } from '@x/subagent'
import type { McpServerStatus } from '@x/tools-mcp'
import type { EnteredWorktree } from '@x/tools-worktree'
import type { Prompt } from './feed.ts'
import type { HookCallbacks } from './hooks/hook-callbacks.ts'
import { type RewindFilesOptions, rewindFiles } from './rewind-files.ts'
import { runSession } from './run-session.ts'
import { openSession, type Session } from './session.ts'
import type { QueryOptions, UserInput } from './session-options.ts'
import { setUpSession } from './session-setup.ts'
import { switchModel } from './switch-model.ts'

/** A prompt, or the messages of a whole conversation as they come, and what the session is made of. */
export interface QueryParameters {
  /** A text, or the user's messages as they come. */
  readonly prompt: Prompt
  /** What the session is made of. */
  readonly options?: QueryOptions
}

/** What an interrupt leaves of the messages that waited. */
export interface InterruptReceipt {
  /** Ids of messages that still wait and run next. */
  readonly still_queued: readonly string[]
  /** Ids of messages that will not run. */
  readonly cancelled?: readonly string[]
}

/** An agent as hosts show it. */
export interface AgentListing {
  /** Its type: what a call names. */
  readonly name: string
  /** When to hand work to it. */
  readonly description: string
  /** Its model, where it has one of its own. */
  readonly model?: string
}

/** A session at work: its events, and the ways to steer it. Iterate it once. */
export interface Query extends AsyncGenerator<SessionEvent, void, undefined> {
  readonly sessionId: string
  /** The model of the next request. */
  readonly model: string
  /** The worktree that the session is in: it began there, or the model went there. */
  readonly worktree: EnteredWorktree | undefined
  /** Cancels the running query, or the hooks at the start; the session goes on with what waits. */
  interrupt(options?: { readonly cancelQueued?: boolean }): InterruptReceipt
  /**
   * From the next query on; undefined: the session's first model. Rejects with a RangeError if it has no price while there is a
   * budget in money, and with an Error where a PreModelSwitch hook refuses.
   */
  setModel(model: string | undefined): Promise<void>
  /** Adds hooks in code behind the others; returns the undo. @throws TypeError for an unknown event, or what is no function. */
  addHooks(hooks: HookCallbacks): () => void
  /** The agents there are, by name. */
  agents(): readonly AgentListing[]
  /**
   * Adds agents, for the next request; one of the same name is replaced, unless it is managed.
   *
   * @throws TypeError for a definition that cannot be used; then none is added.
   */
  addAgents(agents: AgentMap): void
  /** Yields texts and thoughts of agents too, from now on, or only their calls. */
  showAgentTexts(isShown: boolean): void
  /** From the next call on. @throws Error for a mode that the session may not switch to. */
  setPermissionMode(mode: PermissionMode): void
  /**
   * Brings the files that tools have changed since a prompt back to what they were before it. What somebody else has changed since is
   * named and left alone. Rejects while a query runs.
   */
  rewindFiles(userMessageId: string, options?: RewindFilesOptions): Promise<RewindFilesResponse>
  /** How it stands with each MCP server. */
  mcpStatuses(): readonly McpServerStatus[]
  /** Ends the connection to an MCP server and makes a new one. Rejects if there is none of this name. */
  reconnectMcp(server: string): Promise<McpServerStatus>
  /** Switches an MCP server off or on again. Rejects if there is none of this name. */
  toggleMcp(server: string, isEnabled: boolean): Promise<McpServerStatus>
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
  const events = keepAll(session, runSession(session, prompt))
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
    get worktree() {
      return session.worktree
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
    interrupt: (choice) => interrupt(session, choice?.cancelQueued === true),
    setModel: (model) => switchModel(session, model),
    addHooks: (hooks) => session.setup.hooks.register(hooks),
    agents: () => session.setup.roster.definitions.map(toListing),
    addAgents: (agents) => session.setup.roster.add(agents),
    showAgentTexts: (isShown) => void (session.setup.shown.agentTexts = isShown),
    setPermissionMode: (mode) => setPermissionMode(session, mode),
    mcpStatuses: () => session.setup.mcp.statuses(),
    reconnectMcp: (server) => session.setup.mcp.reconnect(server),
    toggleMcp: (server, isEnabled) => session.setup.mcp.setEnabled(server, isEnabled),
    rewindFiles: (id, options) => rewindFiles(session, id, options),
    async stopTask(id) {
      const view = session.setup.tasks.get(id)
      if (view === undefined) throw new Error(`No task found with ID: ${id}`)
      await view.task.stop({ isByUser: true })
    },
    close,
  }
}

function setPermissionMode({ setup }: Session, mode: PermissionMode): void {
  if (setup.access.permissions.setMode(mode)) return
  throw new Error(`This session may not switch to ${mode}: its options or the settings take that mode away`)
}

function toListing({ name, description, model }: AgentDefinition): AgentListing {
  return { name, description, ...(model !== undefined && { model }) }
}

function interrupt(session: Session, cancelQueued: boolean): InterruptReceipt {
  const { input } = session.setup
  const cancelled = cancelQueued ? input.clear() : undefined
  session.cancelledCount += cancelled?.length ?? 0
  session.turn?.abort(new AbortReason('user-cancel'))
  return {
    still_queued: ids(input.waiting),
    ...(cancelled === undefined ? {} : { cancelled: ids(cancelled) }),
  }
}

function ids(inputs: readonly UserInput[]): readonly string[] {
  return inputs.flatMap(({ uuid }) => uuid ?? [])
}

/** Every event is written down before it goes out. */
async function* keepAll(
  session: Session,
  records: AsyncGenerator<SessionRecord>,
): AsyncGenerator<SessionEvent, void> {
  try {
    for await (const record of records) {
      // It may tell of something that was started: not before it is safe that its end will be told.
      if (record.type === 'user') await session.agents?.notices.flush()
      yield await session.log.keep(record)
    }
  } finally {
    await session.log[Symbol.asyncDispose]()
  }
}
