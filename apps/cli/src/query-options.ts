import { homedir } from 'node:os'
import { resolve } from 'node:path'
import process from 'node:process'
import { withoutUndefined } from '@x/contract'
import { loadMemory, type MemoryOptions } from '@x/memory'
import type { CanUseToolCallback } from '@x/permissions'
import {
  autoMemoryFolder,
  type LoadedPlugins,
  loadSessionSettings,
  type QueryOptions,
  resumedAgent,
  type SessionNotice,
  type SessionSettings,
  stateFolder,
  trustFolder,
} from '@x/session'
import { parseSettingSources } from '@x/settings'
import { type AgentProblem, findAgent, type LoadedAgents } from '@x/subagent'
import { type LoadedMcpConfigs, loadMcpConfigs } from '@x/tools-mcp'
import { loadCliAgents } from './agents/load-cli-agents.ts'
import type { CliArguments } from './arguments.ts'
import { environmentWith } from './environment.ts'
import { loadCliPlugins } from './load-cli-plugins.ts'
import { toExistingFolder } from './to-existing-folder.ts'
import { useProxies } from './use-proxies.ts'

/** What the way of running adds to the command line. */
export interface RunFacts {
  /** Nobody is there who could trust the folder. */
  readonly isHeadless: boolean
  /** Asks whether to trust the folder; told what does not count until then. @default nobody is asked */
  readonly askForTrust?: ((held: readonly string[]) => Promise<boolean>) | undefined
  /** The folder the session starts in. @default the process's */
  readonly cwd?: string
  /** The id of the session that goes on. @default a new one */
  readonly resume?: string | undefined
  /** Whom to ask about calls. */
  readonly canUseTool?: CanUseToolCallback | undefined
}

/**
 * Turns the command line and the settings files into the options of a session.
 *
 * @throws TypeError for a folder that does not exist, SettingsError for settings that were asked for and cannot be read.
 */
export async function toQueryOptions(
  args: CliArguments,
  { isHeadless, canUseTool, askForTrust, resume, cwd = process.cwd() }: RunFacts,
): Promise<QueryOptions> {
  const { settings: flagSettings, settingSources } = args
  const sources = settingSources === undefined ? undefined : parseSettingSources(settingSources)
  const load = () => loadSessionSettings(withoutUndefined({ cwd, isHeadless, flagSettings, sources }))
  const settings = await trustIfWanted(await load(), { load, askForTrust, cwd })
  const env = environmentWith(settings.env)
  useProxies(env)
  const additionalDirectories = args.addDir.map((folder) => toExistingFolder('--add-dir', folder))
  const plugins = await loadCliPlugins(args.pluginDir)
  const loadTheAgents = () =>
    loadCliAgents({
      cwd,
      additionalDirectories,
      plugins: plugins?.plugins ?? [],
      flagAgents: args.agents,
      sources,
      isHeadless,
      settingsEnv: settings.env,
    })
  const agents = await loadTheAgents()
  const own = await chooseAgent(args.agent, { resume, cwd, agents })
  const debugs = args.debug || ['1', 'true'].includes(env['CLAUDE_CODE_DEBUG'] ?? '')
  return withoutUndefined({
    cwd,
    env: process.env,
    settings,
    plugins,
    mcp: await loadMcp(args, { settings, plugins, cwd }),
    permissionPromptToolName: promptToolOf(args),
    memory: await loadMemory(await memoryOptions(args, settings, cwd)),
    memoryExtraction: settings.autoMemory === true ? true : undefined,
    canUseTool,
    additionalDirectories,
    agentDefinitions: agents.definitions,
    agentFiles: { folders: agents.folders, load: loadTheAgents },
    agent: own.agent,
    notices: [...agents.problems.filter(({ level }) => level === 'warning').map(toNotice), ...own.notices],
    resume,
    isInteractive: isHeadless ? undefined : true,
    debug: debugs ? (line: string) => void process.stderr.write(`${line}\n`) : undefined,
    ...flagOptions(args),
  } satisfies Record<string, unknown>)
}

/** The agent that the session itself is: the one that is named, else the one that it was before, as long as that exists. */
async function chooseAgent(
  named: string | undefined,
  { resume, cwd, agents }: AgentPlace,
): Promise<{ readonly agent: string | undefined; readonly notices: readonly SessionNotice[] }> {
  if (named !== undefined || resume === undefined) return { agent: named, notices: [] }
  const agent = await resumedAgent({ resume, cwd })
  if (agent === undefined || findAgent(agents.definitions, agent) !== undefined) return { agent, notices: [] }
  const content = `The agent ${agent}, which this session was, does not exist any more; it goes on without.`
  return { agent: undefined, notices: [{ level: 'warning', content }] }
}

interface AgentPlace {
  readonly resume: string | undefined
  readonly cwd: string
  readonly agents: LoadedAgents
}

/** What flags say and nothing else has a say in. */
function flagOptions(args: CliArguments) {
  return {
    forwardSubagentText: args.forwardSubagentText,
    appendSubagentSystemPrompt: args.appendSubagentSystemPrompt,
    strictMcpConfig: args.strictMcpConfig ? true : undefined,
    allowedTools: args.allowedTools,
    disallowedTools: args.disallowedTools,
    includePartialMessages: args.includePartialMessages,
    replayUserMessages: args.replayUserMessages,
    includeHookEvents: args.includeHookEvents,
    setup: setupOf(args),
    model: args.model,
    fallbackModel: args.fallbackModel,
    effort: args.effort,
    maxTurns: args.maxTurns,
    maxBudgetUsd: args.maxBudgetUsd,
    systemPrompt: args.systemPrompt,
    appendSystemPrompt: args.appendSystemPrompt,
    tools: args.tools,
    sessionId: args.sessionId,
    forkSession: args.forkSession ? true : undefined,
    resumeSessionAt: args.resumeSessionAt,
    persistSession: args.sessionPersistence ? undefined : false,
    sessionName: args.name,
    permissionMode: args.dangerouslySkipPermissions ? 'bypassPermissions' : args.permissionMode,
    allowDangerouslySkipPermissions: args.allowDangerouslySkipPermissions,
  } satisfies Partial<Record<keyof QueryOptions, unknown>>
}

function toNotice({ path, reason }: AgentProblem): SessionNotice {
  return { level: 'warning', content: `${path}: ${reason}` }
}

/**
 * Servers of a project start as far as the folder is trusted, and the user has not rejected them.
 *
 * @throws TypeError for a `--mcp-config` that is not there or cannot be read; one bad server in it costs only itself.
 */
async function loadMcp(
  { mcpConfig, strictMcpConfig }: CliArguments,
  { settings, plugins, cwd }: McpPlace,
): Promise<LoadedMcpConfigs> {
  const { isProjectTrusted, disabledServers } = settings.mcp
  const loaded = await loadMcpConfigs({
    cwd,
    home: homedir(),
    configFolder: stateFolder(process.env),
    env: environmentWith(settings.env),
    flagConfigs: mcpConfig,
    strict: strictMcpConfig,
    plugins: plugins?.plugins.flatMap(({ mcp }) => mcp) ?? [],
    isProjectAllowed: () => isProjectTrusted,
    disabledServers,
  })
  const useless = loaded.problems.find(({ scope, name }) => scope === 'flag' && name === '')
  if (useless !== undefined) throw new TypeError(`--mcp-config: ${useless.message}`)
  return loaded
}

interface McpPlace {
  readonly settings: SessionSettings
  readonly plugins: LoadedPlugins | undefined
  readonly cwd: string
}

function promptToolOf({ permissionPromptTool: tool }: CliArguments): string | undefined {
  return tool === 'stdio' ? undefined : tool
}

async function memoryOptions(
  args: CliArguments,
  settings: SessionSettings,
  cwd: string,
): Promise<MemoryOptions> {
  const { settingSources } = args
  const folder = await autoMemoryFolder(stateFolder(process.env), cwd)
  const autoMemory: MemoryOptions['autoMemory'] = settings.autoMemory === false ? false : { folder }
  return withoutUndefined({
    cwd,
    env: environmentWith(settings.env),
    sources: settingSources === undefined ? undefined : parseSettingSources(settingSources),
    excludes: settings.memoryExcludes,
    autoMemory,
    additionalDirectories: args.addDir.map((folder) => resolve(folder)),
  })
}

function setupOf({ init, initOnly, maintenance }: CliArguments): QueryOptions['setup'] {
  if (maintenance) return 'maintenance'
  return init || initOnly ? 'init' : undefined
}

interface TrustQuestion {
  readonly load: () => Promise<SessionSettings>
  readonly askForTrust: RunFacts['askForTrust']
  readonly cwd: string
}

/** Asks once about an untrusted folder; a yes is remembered, and the settings are read again. */
async function trustIfWanted(
  settings: SessionSettings,
  { load, askForTrust, cwd }: TrustQuestion,
): Promise<SessionSettings> {
  if (askForTrust === undefined || settings.held.length === 0) return settings
  if (!(await askForTrust(settings.held))) return settings
  await trustFolder({ cwd })
  return load()
}
