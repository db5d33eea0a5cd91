import { type Tool, withoutUndefined } from '@x/contract'
import { type DebugRecord, formatDebugRecord } from '@x/executor'
import type { QueryOptions as LoopOptions } from '@x/loop'
import { memoryToolsOf } from './agents/agent-memory.ts'
import { narrowMain } from './agents/main-agent.ts'
import { createAfterCalls, createStopHook } from './hooks/query-hooks.ts'
import { createToolHooks } from './hooks/tool-hooks.ts'
import { type Notes, noNotes } from './notes/open-notes.ts'
import { createResultStore } from './result-store.ts'
import { pickBuiltIn } from './select-tools.ts'
import type { SessionSetup } from './session-setup.ts'

/** The tools that neither a rule nor the session's own agent takes away, now: rules come with answers, servers connect and go. */
export function visibleTools(setup: SessionSetup, agentTools: readonly Tool[]): readonly Tool[] {
  const { options, tools, mcp, access, mainAgent } = setup
  const granted = mainAgent === undefined ? [] : memoryToolsOf(setup, mainAgent)
  const pool = [...tools, ...pickBuiltIn(agentTools, options), ...mcp.tools()]
  return narrowMain(pool, mainAgent, granted).tools.filter((tool) => !access.permissions.isRemoved(tool))
}

/** The loop's options that are the same for every conversation of the session, its agents' too; `notes` are the main one's. */
export function loopOptions(setup: SessionSetup, notes: Pick<Notes, 'postSampling' | 'stopHooks'> = noNotes) {
  const { options, environment, endpoint, fallbackModels, limits, prices, system, effort } = setup
  const { debug, engine, siblingPolicy, postSampling = [], stopHooks = [] } = options
  const { maxRetries, maxStopHookBlocks, compactThreshold } = environment
  return withoutUndefined({
    model: endpoint,
    fallbackModels,
    system,
    effort,
    limits,
    prices,
    retry: withoutUndefined({ maxRetries }),
    storeResult: createResultStore(() => setup.home.folder),
    includePartialMessages: options.includePartialMessages ?? false,
    maxConcurrency: options.maxConcurrency ?? environment.maxConcurrency,
    engine,
    siblingPolicy,
    hooks: createToolHooks(setup),
    postSampling: [...postSampling, ...notes.postSampling],
    stopHooks: [createStopHook(setup.hooks, setup.tasks), ...stopHooks, ...notes.stopHooks],
    maxStopHookBlocks,
    compactThreshold,
    afterCalls: createAfterCalls(setup.hooks),
    debug: debug && ((record: DebugRecord) => debug(formatDebugRecord(record))),
  }) satisfies Partial<LoopOptions>
}
