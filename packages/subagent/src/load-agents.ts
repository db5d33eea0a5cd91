import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { type AgentFolder, type AgentPlugin, listAgentFolders } from './agent-folders.ts'
import { builtInAgents } from './built-in-agents.ts'
import type { AgentDefinition, AgentProblem } from './definition.ts'
import { type AgentMap, readAgentMap } from './flag-agents.ts'
import { type AgentFiles, readAgentFolder } from './read-agent-folder.ts'

/** Where definitions come from. */
export interface LoadAgentsOptions {
  /** The folder the session starts in. */
  readonly cwd: string
  /** The user's home folder. @default os.homedir() */
  readonly home?: string
  /** The user's own configuration folder. @default `CLAUDE_CONFIG_DIR`, else `.claude` in the home folder */
  readonly configFolder?: string
  /** The managed settings folder. @default none */
  readonly managedFolder?: string
  /** Absolute paths of further working folders. @default [] */
  readonly additionalDirectories?: readonly string[]
  /** What `--agents` says: JSON text or the object. @default none */
  readonly flagAgents?: string | AgentMap
  /** Definitions that the program brings, as an object of the same shape. @default none */
  readonly codeAgents?: AgentMap
  /** Plugins with agents. @default [] */
  readonly plugins?: readonly AgentPlugin[]
  /** Whether exactly this folder is trusted: only then hooks, MCP servers and `bypassPermissions` in its agent files count. @default nothing is */
  readonly isTrusted?: (folder: string) => boolean | Promise<boolean>
  /** Which files are read beside managed ones and plugins. @default both */
  readonly sources?: readonly ('user' | 'project')[]
  /** Nobody is there to talk to; then the environment may take all built-in agents away. @default false */
  readonly isNonInteractive?: boolean
  /** `CLAUDE_CONFIG_DIR`, `X_HOME`, and what takes built-in agents away. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** The agents there are, and what is wrong with others. */
export interface LoadedAgents {
  /** One for each name, by rank of their source and then by name. */
  readonly definitions: readonly AgentDefinition[]
  /** With file and reason; one bad file hides no other. */
  readonly problems: readonly AgentProblem[]
  /** Folders of agent files that are there, but for those of further working folders: what is worth watching. Absolute paths. */
  readonly folders: readonly string[]
}

/**
 * Loads all agent definitions. Of one name the strongest source wins: managed, `--agents` and code, project (nearest first),
 * user, plugins, built-in; in each folder `.x/agents` beats `.claude/agents`. Call it again to reload. Never rejects for what
 * stands in files.
 */
export async function loadAgents(options: LoadAgentsOptions): Promise<LoadedAgents> {
  const { env = process.env, isTrusted = () => false, sources = ['user', 'project'] } = options
  const listed = await listAgentFolders({
    cwd: options.cwd,
    userFolders: userFolders(options, env),
    additionalDirectories: options.additionalDirectories ?? [],
    plugins: options.plugins ?? [],
    ...(options.managedFolder !== undefined && { managedFolder: options.managedFolder }),
  })
  const folders = listed.filter(
    ({ source }) => (source !== 'user' && source !== 'project') || sources.includes(source),
  )
  const read = await Promise.all(folders.map((folder) => readFolder(folder, isTrusted)))
  const isManaged = (index: number): boolean => folders[index]?.source === 'managed'
  const merged = mergeSources([
    ...read.filter((_files, index) => isManaged(index)),
    readAgentMap(options.flagAgents),
    readAgentMap(options.codeAgents, 'agents'),
    ...read.filter((_files, index) => !isManaged(index)),
    { definitions: builtInAgents(env, options.isNonInteractive), problems: [] },
  ])
  return { ...merged, folders: await foldersToWatch(folders, options) }
}

async function foldersToWatch(
  folders: readonly AgentFolder[],
  { additionalDirectories = [] }: LoadAgentsOptions,
): Promise<readonly string[]> {
  const further = new Set(additionalDirectories.map((folder) => resolve(folder)))
  const own = folders.filter(({ source, owner }) => source !== 'project' || !further.has(owner))
  const isThere = await Promise.all(
    own.map(({ path }) =>
      stat(path).then(
        () => true,
        () => false,
      ),
    ),
  )
  return own.map(({ path }) => path).filter((_path, index) => isThere[index] === true)
}

async function readFolder(
  folder: AgentFolder,
  isTrusted: NonNullable<LoadAgentsOptions['isTrusted']>,
): Promise<AgentFiles> {
  const counts = folder.source !== 'project' || (await isTrusted(folder.owner))
  return readAgentFolder(folder, counts)
}

/** Our own folder first: it is the stronger one. */
export function userFolders(
  options: Pick<LoadAgentsOptions, 'home' | 'configFolder'>,
  env: NonNullable<LoadAgentsOptions['env']>,
): readonly string[] {
  const home = options.home ?? homedir()
  const own = resolve(env['X_HOME'] || join(home, '.x'))
  return [own, resolve(options.configFolder ?? (env['CLAUDE_CONFIG_DIR'] || join(home, '.claude')))]
}

/** Of one name the first source wins in silence; inside one source the first file, with a warning. */
function mergeSources(sources: readonly AgentFiles[]): AgentFiles {
  const definitions = new Map<string, AgentDefinition>()
  const problems: AgentProblem[] = []
  for (const source of sources) {
    const own = new Map<string, AgentDefinition>()
    for (const definition of source.definitions) {
      const first = own.get(definition.name)
      if (first === undefined) own.set(definition.name, definition)
      else problems.push(duplicate(definition, first))
    }
    problems.push(...source.problems)
    for (const [name, definition] of own) if (!definitions.has(name)) definitions.set(name, definition)
  }
  return { definitions: [...definitions.values()], problems }
}

function duplicate({ name, path = '' }: AgentDefinition, first: AgentDefinition): AgentProblem {
  return {
    path,
    reason: `There is an agent "${name}" already, in ${first.path}; this one is ignored.`,
    level: 'warning',
  }
}
