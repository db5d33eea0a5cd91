import { join } from 'node:path'
import type { HistoryLog, SessionRecord, Tool, ToolUseContext } from '@x/contract'
import { createMeter, type Meter } from '@x/loop'
import { resolveModelName } from '@x/model-anthropic'
import {
  type AgentDefinition,
  type Agents,
  type AgentView,
  collectNotices,
  confirmNotices,
  createAgents,
  createAgentTool,
  createSendMessageTool,
  type NoticeBox,
  openNoticeBox,
  type WakingAgent,
} from '@x/subagent'
import { createFileReadCache } from '@x/tools-files'
import type { SessionLog } from '../log/session-log.ts'
import { createResultStore } from '../result-store.ts'
import { isModeTaken } from '../session-permissions.ts'
import type { SessionSetup } from '../session-setup.ts'
import { createAgentWorktrees } from '../worktrees/agent-worktrees.ts'
import { startHook, stopHook } from './agent-hooks.ts'
import { type AgentSidechains, createAgentSidechains } from './agent-sidechains.ts'
import { assertBudgetLeft } from './assert-budget-left.ts'
import { forwardable } from './forward-records.ts'
import { narrowMain } from './main-agent.ts'
import { createNoticeJournal } from './notice-journal.ts'
import { createRunAgent } from './run-agent.ts'
import { type AgentParts, createSetUp } from './set-up-agent.ts'

/** The agents of a session: how the model starts them, and what they spend. */
export interface SessionAgents extends AsyncDisposable {
  /** What waits to be told to the model. */
  readonly notices: NoticeBox
  /** The tools that the model uses agents by; their descriptions name the agents there are now. */
  readonly tools: readonly Tool[]
  /** A history that tells which notices the model has seen. */
  confirming(history: HistoryLog): HistoryLog
  /** What the main conversation and its agents spend for the prompt at hand, together. */
  readonly meter: Meter
  /** A new prompt: what was spent before does not count for it. */
  openPrompt(): void
}

interface Facts {
  readonly setup: SessionSetup
  readonly log: () => SessionLog
  readonly notices: NoticeBox
  readonly meter: () => Meter
  readonly allowedTypes: () => readonly string[] | undefined
  /** The tool that agents are started by. */
  readonly agentTool: () => Tool | undefined
}

/** Makes the agents of a session whose log is open. Nothing runs. */
export async function openSessionAgents(setup: SessionSetup, log: () => SessionLog): Promise<SessionAgents> {
  const notices = await openNotices(log())
  const stopCollecting = collectNotices(setup.tasks, notices)
  const openMeter = (): Meter => createMeter({ model: setup.endpoint, prices: setup.prices })
  let meter = openMeter()
  let tools: readonly Tool[] = []
  const agents = openAgents({
    setup,
    log,
    notices,
    meter: () => meter,
    allowedTypes: () => narrowMain([...setup.tools, ...tools], setup.mainAgent).types,
    agentTool: () => tools[0],
  })
  const messageTool = createSendMessageTool(agents)
  let described: readonly AgentDefinition[] | undefined
  return {
    notices,
    get tools() {
      const { definitions } = setup.roster
      if (described === definitions) return tools
      described = definitions
      tools = [createAgentTool(agents)]
      // Which types may be started shows once there is a tool to start them by; the description names only those.
      tools = [createAgentTool(agents), messageTool]
      return tools
    },
    get meter() {
      return meter
    },
    openPrompt() {
      meter = openMeter()
    },
    confirming: (history) => confirmNotices(history, notices),
    async [Symbol.asyncDispose]() {
      await agents.close()
      stopCollecting()
      // Whoever goes on with the session reads there what its agents came to at the end.
      await notices.flush()
    },
  }
}

/** What agents and background work have to tell waits until the model has seen it, also over a crash. */
function openNotices({ folder, messages }: SessionLog): Promise<NoticeBox> {
  const journal = folder === undefined ? undefined : createNoticeJournal(join(folder, 'notices.jsonl'))
  return openNoticeBox({ transcript: messages, ...(journal && { journal }) })
}

function openAgents({ setup, log, notices, meter, allowedTypes, agentTool }: Facts): Agents {
  const { options, tasks, env, controller, access, home, news, roster, shown, system } = setup
  const parts = new Map<string, AgentParts>()
  const sidechains: AgentSidechains | undefined =
    options.persistSession === false ? undefined : createAgentSidechains(setup, log)
  const setUpAgent = createSetUp(setup, parts)
  const storeResult = createResultStore(() => home.folder)
  return createAgents({
    definitions: () => roster.definitions,
    mainSystem: () => system,
    env,
    resolveModel: (name) => resolveModelName(name, env),
    tasks,
    notices,
    signal: controller.signal,
    budget: setup.agentBudget,
    ...(options.limitsPerAgent && { limitsPerAgent: options.limitsPerAgent }),
    runAgent: createRunAgent({ setup, meter, parts, sidechains }),
    ...(sidechains && { sidechains }),
    worktrees: createAgentWorktrees(setup),
    permissionMode: () => access.permissions.mode,
    isModeDisabled: (mode) => isModeTaken(mode, options.settings?.permissions),
    allowedTypes,
    mayWake: askRules(setup, agentTool),
    setUp(agent, signal) {
      assertBudgetLeft(setup.limits, meter())
      return setUpAgent(agent, signal)
    },
    createFiles: () => createFileReadCache(),
    onStart: startHook(setup, parts),
    onStop: stopHook(setup, parts),
    onEvent: (record, agent) =>
      tell(forwardable(record, { agent, withText: shown.agentTexts, place: () => placeOf(agent, parts) })),
    appendSystemPrompt: options.appendSubagentSystemPrompt ?? '',
    storeReport: (agentId, text) => storeResult(`agent-${agentId}`, text),
  })

  function tell(record: SessionRecord | undefined): void {
    if (record !== undefined) news.push(record)
  }
}

/** Where the call stands that started an agent. */
function placeOf({ id, parentAgentId = '' }: AgentView, parts: ReadonlyMap<string, AgentParts>) {
  const now = performance.now()
  return {
    parentToolUseId: parts.get(parentAgentId)?.toolUseId ?? null,
    elapsedMs: now - (parts.get(id)?.startedAt ?? now),
  }
}

/** Rules about starting agents count for waking them, too. */
function askRules({ access }: SessionSetup, agentTool: Facts['agentTool']) {
  return async (agent: WakingAgent, context: ToolUseContext): Promise<string | undefined> => {
    const tool = agentTool()
    if (tool === undefined) return undefined
    const { type: subagent_type, description, prompt } = agent
    const input = { subagent_type, description, prompt }
    const { toolUseId, abortController } = context
    const decision = await access.authorize({
      tool,
      toolUseId,
      input,
      context,
      signal: abortController.signal,
    })
    return decision.behavior === 'deny' ? decision.message : undefined
  }
}
