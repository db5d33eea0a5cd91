import { createChildAbortController } from '@x/abort'
import { type Message, type SystemRecord, type Tool, type UserMessage, withoutUndefined } from '@x/contract'
import { type DebugRecord, formatDebugRecord } from '@x/executor'
import { type QueryOptions as LoopOptions, type Query as LoopQuery, type QueryEnd, runQuery } from '@x/loop'
import { createContext } from './create-context.ts'
import { createAfterCalls, createStopHook } from './hooks/query-hooks.ts'
import { createToolHooks } from './hooks/tool-hooks.ts'
import { initRecord } from './init-record.ts'
import { keepAlive } from './keep-alive.ts'
import { createMemoryLog } from './memory-log.ts'
import { createResultStore } from './result-store.ts'
import type { SessionSetup } from './session-setup.ts'
import { version } from './version.ts'

/** One conversation: what it knows, and how a prompt is answered in it. */
export interface Session {
  readonly setup: SessionSetup
  /** Ends the session when it aborts. */
  readonly controller: AbortController
  /** The model of the next request; may be changed at any time. */
  model: string
  /** Tokens that the last request and its answer took of the window. */
  readonly contextTokens: number
  /** When the last answer ended, in milliseconds since the epoch; undefined before the first. */
  readonly answeredAt: number | undefined
  /** The query that runs now. */
  readonly running: LoopQuery | undefined
  /** Stops the answer to the prompt at hand, and nothing else. */
  readonly turn: AbortController | undefined
  /** The first record. */
  init(): SystemRecord
  /** A prompt is to be answered: what is done for it hangs on this controller. */
  openTurn(): AbortController
  /** Begins to answer the prompt of the open turn; `finish` must be told its end before the next one. */
  start(prompt: readonly UserMessage[], pendingMessages: () => readonly UserMessage[]): LoopQuery
  /** Takes over what a query has changed. */
  finish(end: QueryEnd): Promise<void>
}

/** Opens a session. Nothing runs before `start`. */
export function openSession(setup: SessionSetup): Session {
  const { controller } = setup
  const log = createMemoryLog()
  let messages: readonly Message[] = []
  let context = createContext(setup)
  let running: LoopQuery | undefined
  let contextTokens = 0
  let answeredAt: number | undefined
  let turn: (AbortController & Disposable) | undefined

  const session: Session = {
    setup,
    controller,
    model: setup.model,
    get running() {
      return running
    },
    get contextTokens() {
      return contextTokens
    },
    get answeredAt() {
      return answeredAt
    },
    get turn() {
      return turn
    },
    init: () => describe(session),
    openTurn() {
      turn?.[Symbol.dispose]()
      turn = createChildAbortController(controller)
      return turn
    },
    start(prompt, pendingMessages) {
      running = runQuery({
        ...loopOptions(setup),
        modelName: session.model,
        messages,
        prompt,
        context,
        authorize: setup.access.authorize,
        history: log,
        controller: turn ?? session.openTurn(),
        pendingMessages,
      })
      return running
    },
    async finish(end) {
      running = undefined
      messages = end.messages
      contextTokens = end.contextTokens
      answeredAt = Date.now()
      context = end.context
      await keepAlive(end.settled)
      await setup.places.moveTo(context.cwd)
    },
  }
  return session
}

function describe({ setup, model }: Session): SystemRecord {
  return initRecord({
    cwd: setup.cwd,
    tools: visibleTools(setup),
    model,
    permissionMode: setup.access.permissions.mode,
    apiKeySource: setup.environment.apiKeySource,
    version,
  })
}

/** The tools that no rule takes away, now: a rule may come with an answer. */
function visibleTools({ tools, access }: SessionSetup): readonly Tool[] {
  return tools.filter((tool) => !access.permissions.isRemoved(tool))
}

/** The loop's options that stay the same for the whole session. */
function loopOptions(setup: SessionSetup) {
  const { options, environment, endpoint, fallbackModels, limits, prices, system } = setup
  const { debug, engine, siblingPolicy, postSampling, stopHooks = [] } = options
  const { maxRetries, maxStopHookBlocks } = environment
  return withoutUndefined({
    model: endpoint,
    fallbackModels,
    system,
    tools: () => visibleTools(setup),
    limits,
    prices,
    retry: withoutUndefined({ maxRetries }),
    storeResult: createResultStore(setup.resultFolder),
    includePartialMessages: options.includePartialMessages ?? false,
    maxConcurrency: options.maxConcurrency ?? environment.maxConcurrency,
    engine,
    siblingPolicy,
    hooks: createToolHooks(setup),
    postSampling,
    stopHooks: [createStopHook(setup.hooks, setup.tasks), ...stopHooks],
    maxStopHookBlocks,
    afterCalls: createAfterCalls(setup.hooks),
    debug: debug && ((record: DebugRecord) => debug(formatDebugRecord(record))),
  }) satisfies Partial<LoopOptions>
}
