import { createChildAbortController } from '@x/abort'
import {
  createSessionState,
  type Message,
  type SystemRecord,
  type Tool,
  type UserMessage,
  withoutUndefined,
} from '@x/contract'
import { type BaseContext, type DebugRecord, formatDebugRecord } from '@x/executor'
import { type QueryOptions as LoopOptions, type Query as LoopQuery, type QueryEnd, runQuery } from '@x/loop'
import { createFileReadCache } from '@x/tools-files'
import { childEnvironment } from './child-environment.ts'
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
  /** The query that runs now. */
  readonly running: RunningQuery | undefined
  /** The first record. */
  init(): SystemRecord
  /** Begins to answer a prompt; `finish` must be told its end before the next one. */
  start(prompt: readonly UserMessage[], pendingMessages: () => readonly UserMessage[]): RunningQuery
  /** Takes over what a query has changed. */
  finish(end: QueryEnd): Promise<void>
}

/** A query at work, and the controller that stops it alone. */
interface RunningQuery {
  readonly query: LoopQuery
  readonly controller: AbortController
}

/** Opens a session. Nothing runs before `start`. */
export function openSession(setup: SessionSetup): Session {
  const { controller } = setup
  const log = createMemoryLog()
  let messages: readonly Message[] = []
  let context = createContext(setup)
  let running: RunningQuery | undefined

  const session: Session = {
    setup,
    controller,
    model: setup.model,
    get running() {
      return running
    },
    init: () => describe(session),
    start(prompt, pendingMessages) {
      const own = createChildAbortController(controller)
      const query = runQuery({
        ...loopOptions(setup),
        modelName: session.model,
        messages,
        prompt,
        context,
        authorize: setup.access.authorize,
        history: log,
        controller: own,
        pendingMessages,
      })
      running = { query, controller: own }
      return running
    },
    async finish(end) {
      running = undefined
      messages = end.messages
      context = end.context
      await keepAlive(end.settled)
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
  const { debug, engine, siblingPolicy, toolHooks, postSampling, stopHooks } = options
  const { maxRetries } = environment
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
    hooks: toolHooks,
    postSampling,
    stopHooks,
    debug: debug && ((record: DebugRecord) => debug(formatDebugRecord(record))),
  }) satisfies Partial<LoopOptions>
}

function createContext({ options, cwd, env, model, tools, access, sessionId }: SessionSetup): BaseContext {
  return {
    cwd,
    messages: [],
    options: {
      tools,
      model,
      isNonInteractive: options.canUseTool === undefined,
      projectDir: cwd,
      additionalDirectories: access.permissions.workingDirectories,
      env: childEnvironment(env),
      querySource: 'main',
    },
    chain: { id: sessionId, depth: 0 },
    files: createFileReadCache(),
    ...createSessionState(),
  }
}
