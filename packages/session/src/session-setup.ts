import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAbortController, createChildAbortController } from '@x/abort'
import {
  type EffortLevel,
  type Model,
  type SessionRecord,
  type TaskRegistry,
  type TextBlock,
  type Tool,
} from '@x/contract'
import { type AsyncQueue, createAsyncQueue } from '@x/executor'
import type { PriceTable, QueryLimits } from '@x/loop'
import { createAnthropicModel, readAnthropicEnvironment } from '@x/model-anthropic'
import type { AgentDefinition, Budget } from '@x/subagent'
import { createFileReadCache } from '@x/tools-files'
import { readBashEnvironment } from '@x/tools-shell'
import { createTaskRegistry } from '@x/tools-tasks'
import { openAgentBudget } from './agents/agent-budget.ts'
import { type AgentRoster, createAgentRoster } from './agents/agent-roster.ts'
import { findMainAgent } from './agents/main-agent.ts'
import { createBuiltInTools } from './built-in-tools.ts'
import { checkOptions } from './check-options.ts'
import { createContext } from './create-context.ts'
import { createEnvironmentFile, type EnvironmentFile } from './hooks/environment-file.ts'
import { openHooks } from './hooks/open-hooks.ts'
import type { SessionHooks } from './hooks/session-hooks.ts'
import { createWatchedPlaces, type WatchedPlaces } from './hooks/watched-places.ts'
import { createInputQueue, type InputQueue } from './input-queue.ts'
import { createPromptTool, type PromptTool } from './mcp/prompt-tool.ts'
import { createSessionMcp, type SessionMcp } from './mcp/session-mcp.ts'
import { createSessionMemory, type SessionMemory } from './memory/session-memory.ts'
import { selectTools } from './select-tools.ts'
import { readSessionEnvironment, type SessionEnvironment } from './session-environment.ts'
import type { QueryOptions } from './session-options.ts'
import { createSessionPermissions, type SessionPermissions } from './session-permissions.ts'
import { settleModels, withAgentModel } from './settle-models.ts'
import { sessionFolder, stateFolder } from './state-folder.ts'
import { createSystemPrompt } from './system-prompt.ts'
import { createWorktreeHooks } from './worktrees/worktree-hooks.ts'
import { worktreeSettings } from './worktrees/worktree-settings.ts'

/** Everything about a session that is settled before its first prompt. */
export interface SessionSetup {
  readonly options: QueryOptions
  /** Ends the session and all that it started when it aborts. */
  readonly controller: AbortController
  readonly sessionId: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly environment: SessionEnvironment
  readonly endpoint: Model
  readonly model: string
  readonly fallbackModels: readonly string[]
  /** How thorough the answers of the main conversation are; undefined: as the endpoint has it. */
  readonly effort: EffortLevel | undefined
  readonly limits: QueryLimits
  /** What all agents together may use. */
  readonly agentBudget: Budget
  readonly prices: PriceTable
  readonly system: readonly TextBlock[]
  readonly tasks: TaskRegistry
  /** Every tool that was chosen; rules may take some away. */
  readonly tools: readonly Tool[]
  readonly access: SessionPermissions
  readonly hooks: SessionHooks
  readonly memory: SessionMemory
  /** The agents there are. */
  readonly roster: AgentRoster
  /** The agent that the session itself is. */
  readonly mainAgent: AgentDefinition | undefined
  readonly mcp: SessionMcp
  /** Asked about calls in place of a person. */
  readonly promptTool: PromptTool | undefined
  /** The `export` lines that hooks leave for commands. */
  readonly environmentFile: EnvironmentFile
  /** The working folder and the files that hooks are told of. */
  readonly places: WatchedPlaces
  /** What is shown of agents; a host may change its mind. */
  readonly shown: { agentTexts: boolean }
  /** What is told beside the conversation. */
  readonly news: AsyncQueue<SessionRecord>
  /** What the user says. */
  readonly input: InputQueue
  /** The prompt that is being answered; undefined before the first. */
  readonly prompt: { id: string | undefined; readonly used: Set<string> }
  /** Where the output of commands goes; removed at the end. */
  readonly taskFolder: string
  /** The folder of this program's own state. */
  readonly stateFolder: string
  /** Where the session keeps what belongs to it; settled when its log is open. */
  readonly home: { folder: string; transcriptPath: string }
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Checks the options and settles what follows from them and the environment.
 *
 * @throws TypeError for an option of a wrong shape, and where no endpoint is given and none is configured.
 * @throws RangeError for a limit out of range, and where a model has no price while there is a budget in money.
 */
export function setUpSession(given: QueryOptions): SessionSetup {
  checkOptions(given)
  const { cwd = process.cwd(), settings } = given
  const sessionId = findSessionId(given)
  const env = { ...(given.env ?? process.env), ...settings?.env }
  const environment = readSessionEnvironment(env)
  const options = withPersistence(given, environment)
  const roster = createAgentRoster(options, env)
  const mainAgent = findMainAgent(roster.definitions, options.agent)
  const models = settleModels(withAgentModel(options, mainAgent), env, environment)
  const foundation = {
    options,
    sessionId,
    cwd,
    env,
    environment,
    ...models,
    agentBudget: openAgentBudget(options),
    effort: environment.effort ?? options.effort ?? mainAgent?.effort ?? settings?.effort,
    roster,
    mainAgent,
    controller: createOwnController(options.abortController),
    endpoint: options.endpoint ?? createAnthropicModel(requireEndpoint(env, environment)),
    ...findFolders(options, { cwd, env, sessionId }),
    shown: { agentTexts: options.forwardSubagentText === true },
    news: createAsyncQueue<SessionRecord>(),
    input: createInputQueue(),
    prompt: { id: undefined, used: new Set<string>() },
    tasks: createTaskRegistry(),
  }
  const guards = setUpGuards(foundation)
  return {
    ...foundation,
    ...guards,
    system: createSystemPrompt(
      withAgentPrompt(options, mainAgent),
      cwd,
      guards.access.permissions.workingDirectories,
    ),
    tools: chooseTools(foundation, guards),
  }
}

type Guards = Pick<
  SessionSetup,
  'access' | 'hooks' | 'memory' | 'mcp' | 'promptTool' | 'environmentFile' | 'places'
>
type Foundation = Omit<SessionSetup, keyof Guards | 'tools' | 'system'>

/** Hooks and permissions know of each other: hooks answer requests and are told the mode, hook agents meet the rules. */
function setUpGuards(foundation: Foundation): Guards {
  const { options, cwd, env, controller, home, taskFolder, news, input, prompt, endpoint, sessionId } =
    foundation
  const tell = (record: SessionRecord): void => news.push(record)
  const mcp = createSessionMcp({ ...foundation, folder: () => home.folder, hooks: () => hooks })
  const { permissionPromptToolName: promptToolName } = options
  const promptTool = promptToolName === undefined ? undefined : createPromptTool(promptToolName, mcp)
  const hooks: SessionHooks = openHooks({
    mainAgent: foundation.mainAgent,
    options,
    sessionId,
    cwd,
    env,
    endpoint,
    home,
    tell,
    wake: (text) => input.wake(text),
    callMcpTool: mcp.callForHook,
    now: () => ({ cwd: places.cwd, promptId: prompt.id, mode: access.permissions.mode }),
    agentParts: () => ({
      controller,
      context: createContext({ ...foundation, tools: [], access }, createFileReadCache()),
      tools: chooseTools(foundation, guards).filter(({ name }) => lookingTools.has(name)),
      authorize: access.authorize,
    }),
  })
  const access = createSessionPermissions(
    promptTool === undefined ? options : { ...options, canUseTool: promptTool.canUseTool },
    cwd,
    hooks,
  )
  const { environmentFile: userFile } = readBashEnvironment(env)
  const environmentFile = createEnvironmentFile(join(taskFolder, 'environment.sh'), userFile)
  const places = createWatchedPlaces({
    hooks,
    environment: environmentFile,
    cwd,
    tell,
    signal: controller.signal,
  })
  const memory = createSessionMemory(options.memory, hooks, controller.signal)
  const guards = { access, hooks, memory, mcp, promptTool, environmentFile, places }
  return guards
}

/** What an agent of a hook may use: it looks and changes nothing. */
const lookingTools = new Set(['Read', 'Glob', 'Grep'])

function chooseTools(
  { options, env, tasks, taskFolder, controller }: Foundation,
  { access, hooks, environmentFile }: Guards,
): readonly Tool[] {
  const builtIn = createBuiltInTools({
    env,
    tasks,
    taskFolder,
    isHidden: (path, { cwd: folder, options: { projectDir } }) =>
      access.permissions.isReadDenied(path, { cwd: folder, checkoutDir: projectDir }),
    environmentFile: () => environmentFile.current(),
    worktrees: { ...worktreeSettings({ options }), hooks: createWorktreeHooks({ hooks, controller }) },
    signal: controller.signal,
  })
  return selectTools(builtIn, options)
}

function withAgentPrompt(
  options: QueryOptions,
  agent: AgentDefinition | undefined,
): QueryOptions & { readonly instructions?: string } {
  return agent === undefined ? options : { ...options, instructions: agent.prompt }
}

function createOwnController(host: AbortController | undefined): AbortController {
  return host === undefined ? createAbortController() : createChildAbortController(host)
}

function withPersistence(
  options: QueryOptions,
  { isHistorySkipped }: SessionEnvironment,
): QueryOptions & { readonly persistSession: boolean } {
  const { persistSession = !isHistorySkipped } = options
  return { ...options, persistSession }
}

/** Where things are written. What is not kept goes with the session. */
function findFolders(
  options: QueryOptions & { readonly persistSession: boolean },
  { cwd, env, sessionId }: Pick<SessionSetup, 'cwd' | 'env' | 'sessionId'>,
): Pick<SessionSetup, 'stateFolder' | 'home' | 'taskFolder'> {
  // A session is looked for before its settings are read: they cannot move it.
  const state = stateFolder(options.env ?? process.env)
  const taskFolder = temporaryFolder(env, sessionId)
  const folder = options.persistSession ? sessionFolder(state, cwd, sessionId) : join(taskFolder, 'session')
  return { stateFolder: state, taskFolder, home: { folder, transcriptPath: `${folder}.jsonl` } }
}

/** Where the output of commands goes while the session lasts: nobody can know the name before. */
function temporaryFolder(env: Environment, sessionId: string): string {
  return join(env['CLAUDE_CODE_TMPDIR'] || tmpdir(), `x-${sessionId}-${randomUUID().slice(0, 8)}`)
}

/** A session that goes on keeps its id; a copy has one of its own. */
function findSessionId({ sessionId, resume, forkSession = false }: QueryOptions): string {
  return (resume !== undefined && !forkSession ? resume : sessionId)?.toLowerCase() ?? randomUUID()
}

function requireEndpoint(env: Environment, environment: SessionEnvironment) {
  if (!environment.hasEndpoint) {
    throw new TypeError(
      'No model endpoint is configured. Set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL for an endpoint of your own that speaks the Messages API.',
    )
  }
  return readAnthropicEnvironment(env)
}
