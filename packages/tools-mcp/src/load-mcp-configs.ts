import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Environment } from './expand-variables.ts'
import { isRecord } from './is-record.ts'
import { type McpConfigProblem, type McpConfigReading, readMcpConfig } from './read-mcp-config.ts'
import type { McpScope, McpServer } from './server-config.ts'

/** Options of `loadMcpConfigs`. */
export interface LoadMcpConfigsOptions {
  /** Absolute path of the project. */
  readonly cwd: string
  /** Absolute path of the user's folder. */
  readonly home: string
  /** The user's own folder of this program, whose `mcp.json` counts before the state file. @default `.x` in `home` */
  readonly configFolder?: string
  /** JSON with the user's servers and, below `projects`, those of one user in one project. @default `.claude.json` in `home` */
  readonly stateFile?: string
  /** What `${NAME}` stands for. @default the environment of the process */
  readonly env?: Environment
  /** Values of `--mcp-config`: JSON, or paths of files relative to `cwd`. A later one counts before an earlier one. @default none */
  readonly flagConfigs?: readonly string[]
  /** Uses only `flagConfigs`. @default false */
  readonly strict?: boolean
  /** Configurations that plugins bring. @default none */
  readonly plugins?: readonly McpPluginConfig[]
  /** Whether a server that the project brings may start. @default none may */
  readonly isProjectAllowed?: (name: string) => boolean
  /** Names of project servers that the user rejected. @default none */
  readonly disabledServers?: readonly string[]
  /** Reads a file as text; rejects with `ENOENT` when it is missing. @default from the file system */
  readonly readText?: (path: string) => Promise<string>
}

/** What a plugin brings. */
export interface McpPluginConfig {
  /** The plugin's name. */
  readonly plugin: string
  /** Its configuration, as JSON data: with or without the `mcpServers` around the servers. */
  readonly value: unknown
  /** The file it comes from. */
  readonly file?: string
  /** Variables of the plugin, such as its root folder; they count before `env`, and its programs get them. */
  readonly env?: Readonly<Record<string, string>>
}

/** All servers of a user in a project. */
export interface LoadedMcpConfigs extends McpConfigReading {
  /** Servers of the project that may not start: not allowed, or rejected. */
  readonly held: readonly McpServer[]
}

/**
 * Reads every configuration that counts for a project. Of servers of the same name one counts: `--mcp-config`, then local (the user's,
 * for this project), project (`.x/mcp.json`, then `.mcp.json`), user, plugin. A missing file is no problem; one that cannot be read is
 * reported and costs only itself. Rejects never.
 */
export async function loadMcpConfigs(options: LoadMcpConfigsOptions): Promise<LoadedMcpConfigs> {
  const { isProjectAllowed = () => false, disabledServers = [] } = options
  const readings = await readAll(options)
  const held: McpServer[] = []
  const servers = new Map<string, McpServer>()
  for (const server of readings.flatMap((reading) => reading.servers)) {
    if (servers.has(server.name)) continue
    const isProject = server.scope === 'project'
    if (isProject && (disabledServers.includes(server.name) || !isProjectAllowed(server.name)))
      held.push(server)
    else servers.set(server.name, server)
  }
  const isFirst = ({ name }: McpServer, index: number): boolean =>
    held.findIndex((other) => other.name === name) === index
  return {
    servers: [...servers.values()],
    held: held.filter(isFirst),
    problems: readings.flatMap(({ problems }) => problems),
  }
}

/** In order of precedence. */
async function readAll(options: LoadMcpConfigsOptions): Promise<readonly McpConfigReading[]> {
  const { cwd, home, strict = false, flagConfigs = [] } = options
  const flags = flagConfigs.toReversed().map((flag) => readFlag(flag, options))
  if (strict) return Promise.all(flags)
  const stateFile = options.stateFile ?? join(home, '.claude.json')
  const configFolder = options.configFolder ?? join(home, '.x')
  const state = readJson(stateFile, 'user', options)
  return Promise.all([
    ...flags,
    state.then((read) => readServers(localPart(read, cwd), 'local', options)),
    readServersFile(join(cwd, '.x', 'mcp.json'), 'project', options),
    readServersFile(join(cwd, '.mcp.json'), 'project', options),
    readServersFile(join(configFolder, 'mcp.json'), 'user', options),
    state.then((read) => readServers(userPart(read), 'user', options)),
    ...(options.plugins ?? []).map(async (plugin) => readPlugin(plugin, options)),
  ])
}

const nothing: McpConfigReading = { servers: [], problems: [] }

/** JSON data of a file, that there is none, or why it cannot be read. */
type FileReading =
  | { readonly kind: 'value'; readonly value: unknown; readonly file?: string }
  | { readonly kind: 'missing'; readonly file: string }
  | { readonly kind: 'problem'; readonly problem: McpConfigProblem }

async function readFlag(flag: string, options: LoadMcpConfigsOptions): Promise<McpConfigReading> {
  if (flag.trimStart().startsWith('{')) return readServers(parseJson(flag, 'flag'), 'flag', options)
  const file = resolve(options.cwd, flag)
  const read = await readJson(file, 'flag', options)
  if (read.kind !== 'missing') return readServers(read, 'flag', options)
  return { servers: [], problems: [unreadable('MCP config file not found', { scope: 'flag', file })] }
}

async function readServersFile(
  file: string,
  scope: McpScope,
  options: LoadMcpConfigsOptions,
): Promise<McpConfigReading> {
  return readServers(await readJson(file, scope, options), scope, options)
}

function readServers(read: FileReading, scope: McpScope, options: LoadMcpConfigsOptions): McpConfigReading {
  if (read.kind === 'problem') return { servers: [], problems: [read.problem] }
  if (read.kind === 'missing') return nothing
  const { value, file } = read
  return readMcpConfig(value, { scope, env: envOf(options), ...(file !== undefined && { file }) })
}

function readPlugin(
  { plugin, value, file, env }: McpPluginConfig,
  options: LoadMcpConfigsOptions,
): McpConfigReading {
  const variables = { ...envOf(options), ...env }
  const { servers, problems } = readMcpConfig(value, {
    scope: 'plugin',
    env: variables,
    plugin,
    ...(file !== undefined && { file }),
  })
  return { servers: servers.map((server) => withVariables(server, env ?? {})), problems }
}

/** What a program's own configuration says of a variable counts more. */
function withVariables(server: McpServer, env: Readonly<Record<string, string>>): McpServer {
  const { config } = server
  if (config.type !== 'stdio') return server
  return { ...server, config: { ...config, env: { ...env, ...config.env } } }
}

function envOf({ env = process.env }: LoadMcpConfigsOptions): Environment {
  return env
}

/** A state file is about much else; only servers in it are a matter of ours. Its fault is told once, as the user's. */
function localPart(read: FileReading, cwd: string): FileReading {
  if (read.kind !== 'value') return { kind: 'missing', file: '' }
  const projects = isRecord(read.value) ? read.value['projects'] : undefined
  const project = isRecord(projects) && Object.hasOwn(projects, cwd) ? projects[cwd] : undefined
  return onlyServers(project, read)
}

function userPart(read: FileReading): FileReading {
  return read.kind === 'value' ? onlyServers(read.value, read) : read
}

function onlyServers(value: unknown, read: FileReading): FileReading {
  const hasServers = isRecord(value) && value['mcpServers'] !== undefined
  return hasServers ? { ...read, kind: 'value', value } : { kind: 'missing', file: '' }
}

async function readJson(
  file: string,
  scope: McpScope,
  { readText = readConfigText }: LoadMcpConfigsOptions,
): Promise<FileReading> {
  try {
    return parseJson(await readText(file), scope, file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing', file }
    return {
      kind: 'problem',
      problem: unreadable(`The MCP configuration cannot be read (${code})`, { scope, file }),
    }
  }
}

/** A file with the state of other programs grows. */
const MAX_FILE_MIB = 64

async function readConfigText(path: string): Promise<string> {
  const facts = await stat(path)
  // A link in a repository may lead to what never ends.
  if (!facts.isFile()) throw Object.assign(new Error(`${path} is no file`), { code: 'no regular file' })
  const isTooLarge = facts.size > MAX_FILE_MIB * 1024 * 1024
  if (isTooLarge)
    throw Object.assign(new Error(`${path} is too large`), { code: `larger than ${MAX_FILE_MIB} MiB` })
  return readFile(path, 'utf8')
}

function parseJson(text: string, scope: McpScope, file?: string): FileReading {
  const about = { scope, ...(file !== undefined && { file }) }
  try {
    return {
      kind: 'value',
      value: JSON.parse(text.replace(/^\uFEFF/, '')),
      ...(file !== undefined && { file }),
    }
  } catch {
    // What the parser says quotes the text, which may hold a secret.
    return { kind: 'problem', problem: unreadable('The MCP configuration is not valid JSON', about) }
  }
}

function unreadable(
  what: string,
  about: { readonly scope: McpScope; readonly file?: string },
): McpConfigProblem {
  const message = about.file === undefined ? `${what}.` : `${what}: ${about.file}.`
  return { name: '', type: 'unreadable', message, ...about }
}
