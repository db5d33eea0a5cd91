import { createChildAbortController } from '@x/abort'
import type { Checkpoints } from '@x/checkpoint'
import type { AssistantMessage, Message, Tool, UserMessage } from '@x/contract'
import type { BaseContext } from '@x/executor'
import {
  type Compact,
  type CompactOptions,
  createToolDefinitions,
  type Query as LoopQuery,
  type QueryEnd,
  runQuery,
} from '@x/loop'
import { createFileReadCache } from '@x/tools-files'
import { currentWorktree, type EnteredWorktree, moveContext, worktreeState } from '@x/tools-worktree'
import { openSessionAgents, type SessionAgents } from './agents/session-agents.ts'
import { createSessionCompactor } from './compaction/session-compactor.ts'
import { createContext } from './create-context.ts'
import { keepAlive } from './keep-alive.ts'
import { createMemoryLog } from './log/memory-log.ts'
import { nameSession } from './log/name-session.ts'
import { openLog } from './log/open-log.ts'
import { findParked } from './log/parked-call.ts'
import type { SessionLog } from './log/session-log.ts'
import { keepState, restoreState } from './log/session-state.ts'
import { loopOptions, visibleTools } from './loop-options.ts'
import { type Notes, openNotes } from './notes/open-notes.ts'
import { createSessionCheckpoints } from './session-checkpoints.ts'
import type { SessionSetup } from './session-setup.ts'
import {
  findWorktreeStart,
  followWorktree,
  leaveForGood,
  type WorktreeStart,
} from './worktrees/session-worktree.ts'

/** One conversation: what it knows, and how a prompt is answered in it. */
export interface Session {
  readonly setup: SessionSetup
  /** Ends the session when it aborts. */
  readonly controller: AbortController
  /** The model of the next request; may be changed at any time. */
  model: string
  /** Tokens that the last request and its answer took of the window. */
  contextTokens: number
  /** When the last answer ended, in milliseconds since the epoch; undefined before the first. */
  answeredAt: number | undefined
  /** The query that runs now. */
  readonly running: LoopQuery | undefined
  /** How many messages interrupts have taken out of the queue. */
  cancelledCount: number
  /** Stops the beginning, or the answer to the prompt at hand, and nothing else. */
  readonly turn: AbortController | undefined
  /** What it is written to; nothing before `open`. */
  readonly log: SessionLog
  /** The worktree that it is in. */
  readonly worktree: EnteredWorktree | undefined
  /** How it came to the worktree that it began in; `none` before `open`. */
  readonly worktreeStart: WorktreeStart
  /** The message whose call was put off when the session ended: the first query answers it. Undefined before `open`. */
  readonly parked: AssistantMessage | undefined
  /** Opens the log and takes over what is in it. Must come before anything else. */
  open(): Promise<void>
  /** Its agents; undefined before `open`. */
  readonly agents: SessionAgents | undefined
  /** The tools of the next turn. */
  tools(): readonly Tool[]
  /** A prompt is to be answered: what is done for it hangs on this controller. */
  openTurn(): AbortController
  /** Begins to answer the prompt of the open turn; `finish` must be told its end before the next one. */
  start(prompt: readonly UserMessage[], pendingMessages: () => readonly UserMessage[]): LoopQuery
  /** What files were before tools changed them; undefined where nothing is kept. */
  readonly checkpoints: Checkpoints | undefined
  /** What a compaction that the user asks for needs. */
  compaction(): CompactionParts
  /** Goes on from a conversation that was made shorter. */
  takeOver(messages: readonly Message[]): void
  /** The query has told its result: nothing of it runs any more, but for calls that do not hear their abort. */
  rest(): void
  /** Resolves when these have ended, too, or their grace is over. */
  readonly settled: Promise<void>
  /** Takes over what a query has changed. */
  finish(end: QueryEnd): Promise<void>
}

/** The conversation, what shortens it, and the beginning that its requests have in common. */
interface CompactionParts {
  readonly compact: Compact
  readonly messages: readonly Message[]
  readonly prefix: Pick<CompactOptions, 'modelName' | 'system' | 'tools' | 'effort'>
}

/** Opens a session. Nothing runs before `start`. */
export function openSession(setup: SessionSetup): Session {
  return new OpenSession(setup)
}

class OpenSession implements Session {
  readonly setup: SessionSetup
  #log: SessionLog
  #messages: readonly Message[] = []
  readonly #files = createFileReadCache()
  readonly #defineTools = createToolDefinitions()
  readonly #notes: Notes
  readonly #compact: Compact
  readonly checkpoints: Checkpoints | undefined
  #context: BaseContext
  #turn: (AbortController & Disposable) | undefined
  model: string
  contextTokens = 0
  answeredAt: number | undefined
  cancelledCount = 0
  running: LoopQuery | undefined
  settled: Promise<void> = Promise.resolve()
  parked: AssistantMessage | undefined
  agents: SessionAgents | undefined
  worktreeStart: WorktreeStart = { type: 'none' }

  constructor(setup: SessionSetup) {
    this.setup = setup
    this.model = setup.model
    this.#log = createMemoryLog(setup.sessionId)
    this.checkpoints = createSessionCheckpoints(setup, () => this.#log)
    const refreshTools = (): readonly Tool[] => this.tools()
    this.#context = {
      ...followWorktree(createContext({ ...setup, refreshTools }, this.#files), {
        log: () => this.#log,
        permissions: setup.access.permissions,
      }),
      ...(this.checkpoints && { fileHistory: this.checkpoints.fileHistory }),
    }
    this.#notes = openNotes({
      setup,
      log: () => this.#log,
      count: (name, usage) => this.agents?.meter.add(name, usage),
    })
    this.#compact = createSessionCompactor({
      setup,
      notes: this.#notes,
      files: this.#files,
      log: () => this.#log,
      model: () => this.model,
    })
  }

  get controller(): AbortController {
    return this.setup.controller
  }

  get log(): SessionLog {
    return this.#log
  }

  get worktree(): EnteredWorktree | undefined {
    return currentWorktree(this.#context)
  }

  get turn(): AbortController | undefined {
    return this.#turn
  }

  async open(): Promise<void> {
    const { setup } = this
    const { signal } = this.controller
    if (signal.aborted) return
    this.#log = await openLog({ ...setup, now: () => setup.places, signal }).catch((error: unknown) => {
      // The host has gone: nothing will be said that must be kept.
      if (signal.aborted) return this.#log
      throw error
    })
    const { messages, path, folder } = this.#log
    await this.#enterWorktree(signal)
    // A call that was put off in a worktree is not run somewhere else.
    const parked = this.worktreeStart.type === 'lost' ? undefined : findParked(this.#log)
    this.parked = parked?.message
    this.#messages = parked?.before ?? messages
    if (path !== undefined) setup.home.transcriptPath = path
    if (folder !== undefined) setup.home.folder = folder
    restoreState(this, this.#log)
    if (setup.mainAgent !== undefined) await keepState(this, this.#log)
    this.agents = await openSessionAgents(setup, () => this.#log)
    await nameSession(this.#log, setup.options.sessionName)
  }

  async #enterWorktree(signal: AbortSignal): Promise<void> {
    const start = await findWorktreeStart(this.setup, this.#log, signal)
    this.worktreeStart = start
    if (start.type === 'lost') await leaveForGood(this.#log)
    if (start.type === 'lost' || start.type === 'none') return
    const { path } = start.entered.worktree
    this.#context.setState(worktreeState, () => start.entered)
    this.#context = moveContext(this.#context, { cwd: path })
    this.setup.places.beginIn(path)
  }

  tools(): readonly Tool[] {
    return visibleTools(this.setup, this.agents?.tools ?? [])
  }

  openTurn(): AbortController {
    this.#turn?.[Symbol.dispose]()
    this.#turn = createChildAbortController(this.controller)
    return this.#turn
  }

  start(prompt: readonly UserMessage[], pendingMessages: () => readonly UserMessage[]): LoopQuery {
    this.running = runQuery({
      ...loopOptions(this.setup, this.#notes),
      tools: () => this.tools(),
      ...(this.agents && { total: this.agents.meter }),
      modelName: this.model,
      messages: this.#messages,
      ...(this.parked && { pendingMessage: this.parked }),
      prompt,
      context: this.#context,
      authorize: this.setup.access.authorize,
      history: this.agents?.confirming(this.#log.history) ?? this.#log.history,
      compact: this.#compact,
      toolDefinitions: this.#defineTools,
      controller: this.#turn ?? this.openTurn(),
      pendingMessages,
    })
    return this.running
  }

  compaction(): CompactionParts {
    const { system, effort } = this.setup
    const tools = this.#defineTools(this.tools())
    return {
      compact: this.#compact,
      messages: this.#messages,
      prefix: { modelName: this.model, system, tools, ...(effort && { effort }) },
    }
  }

  takeOver(messages: readonly Message[]): void {
    this.#messages = messages
    this.contextTokens = 0
  }

  rest(): void {
    if (this.running !== undefined) this.settled = this.running.settled()
    this.running = undefined
  }

  async finish(end: QueryEnd): Promise<void> {
    this.rest()
    this.parked = undefined
    this.agents?.notices.release()
    this.#messages = end.messages
    this.#context = end.context
    this.contextTokens = end.contextTokens
    this.answeredAt = Date.now()
    await keepAlive(end.settled)
    await keepState(this, this.#log)
    // The answer may have been interrupted; hooks of a new folder are heard all the same, and can be interrupted themselves.
    await this.setup.places.moveTo(end.context.cwd, this.openTurn().signal)
  }
}
