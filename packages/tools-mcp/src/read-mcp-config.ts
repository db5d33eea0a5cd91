import type { JsonObject } from '@x/contract'
import { z } from 'zod'
import { type Environment, expandVariables } from './expand-variables.ts'
import { isRecord } from './is-record.ts'
import type { McpScope, McpServer, McpServerConfig, McpServerSettings } from './server-config.ts'
import { toJson } from './to-json.ts'

/** Something about a configuration that its author should know. */
export interface McpConfigProblem {
  /** The server it is about; `''` when it is about all of the configuration. */
  readonly name: string
  /** `warning`: the server is used all the same. Otherwise it, or the whole configuration, is left out. */
  readonly type: 'invalid-config' | 'missing-variable' | 'unreadable' | 'warning'
  /** What is wrong and what would be right. */
  readonly message: string
  /** Where it was configured. */
  readonly scope: McpScope
  /** The file it was configured in. */
  readonly file?: string
}

/** What a configuration says. */
export interface McpConfigReading {
  /** The servers that can be used, in the order of the configuration. */
  readonly servers: readonly McpServer[]
  /** What cannot, and why. */
  readonly problems: readonly McpConfigProblem[]
}

/** Options of `readMcpConfig`. */
export interface ReadMcpConfigOptions {
  /** Where the configuration comes from. */
  readonly scope: McpScope
  /** What `${NAME}` stands for. */
  readonly env: Environment
  /** The file, for messages. */
  readonly file?: string
  /** The plugin that brings it: its servers are named after it, and a map without the `mcpServers` around it counts too. */
  readonly plugin?: string
}

/**
 * Reads the servers of one configuration, `{ "mcpServers": { NAME: ... } }`, as JSON data.
 *
 * Every entry stands for itself: a bad one becomes a problem and hides no other. Unknown keys are ignored. Never throws.
 */
export function readMcpConfig(value: unknown, options: ReadMcpConfigOptions): McpConfigReading {
  const { scope, file, plugin } = options
  const about = { scope, ...(file !== undefined && { file }) }
  const entries = findEntries(value, plugin !== undefined)
  if (typeof entries === 'string') {
    return { servers: [], problems: [{ name: '', type: 'invalid-config', message: entries, ...about }] }
  }
  const servers: McpServer[] = []
  const problems: McpConfigProblem[] = []
  for (const [key, entry] of Object.entries(entries)) {
    const name = plugin === undefined ? key : `plugin:${plugin}:${key}`
    const { config, faults } = readEntry(key, entry, options.env)
    problems.push(...faults.map((fault) => ({ name, ...fault, ...about })))
    if (config !== undefined) servers.push({ name, ...about, config })
  }
  return { servers, problems }
}

type Fault = Pick<McpConfigProblem, 'type' | 'message'>

interface EntryReading {
  readonly config?: McpServerConfig
  readonly faults: readonly Fault[]
}

function findEntries(value: unknown, allowsBareMap: boolean): Readonly<Record<string, unknown>> | string {
  if (!isRecord(value)) return 'An MCP configuration must be an object, { "mcpServers": { ... } }.'
  const wrapped = value['mcpServers']
  if (isRecord(wrapped)) return wrapped
  if (wrapped !== undefined) return '"mcpServers" must be an object of servers by name.'
  const isBareMap = allowsBareMap && Object.values(value).every(isRecord)
  return isBareMap ? value : '"mcpServers" is missing; expected { "mcpServers": { ... } }.'
}

const text = z.string()
/** Numbers and booleans are what people write for ports and switches. */
const scalar = z.union([text, z.number(), z.boolean()]).transform(String)
const common = {
  timeout: z.unknown().optional(),
  alwaysLoad: z.unknown().optional(),
}

const stdioEntry = z.object({
  ...common,
  command: text.min(1),
  args: z.array(scalar).default([]),
  env: z.record(z.string(), scalar).default({}),
})

const httpEntry = z.object({
  ...common,
  url: text.min(1),
  headers: z.record(z.string(), scalar).default({}),
  headersHelper: text.min(1).optional(),
})

function readEntry(name: string, entry: unknown, env: Environment): EntryReading {
  if (!isRecord(entry) || name.trim() === '')
    return invalid('A server must be a name and an object with "command", or with "type" and "url".')
  if (isUntypedUrl(entry)) return invalid('"url" without "type": add "type": "http" or "type": "sse".')
  const { type = 'stdio' } = entry
  if (type === 'ws') return invalid('"type": "ws" is not supported; use "http", "sse" or "stdio".')
  const read = typeof type === 'string' && Object.hasOwn(readers, type) ? readers[type] : undefined
  if (read !== undefined) return read(entry, env)
  return invalid(
    `"type" must be "stdio", "http" or "sse", got ${(toJson(type) ?? 'something else').slice(0, 100)}.`,
  )
}

function isUntypedUrl({ type, command, url }: JsonObject): boolean {
  return type === undefined && command === undefined && url !== undefined
}

const readers: Readonly<Record<string, (entry: object, env: Environment) => EntryReading>> = {
  stdio: readStdio,
  http: (entry, env) => readHttp('http', entry, env),
  'streamable-http': (entry, env) => readHttp('http', entry, env),
  sse: (entry, env) => readHttp('sse', entry, env),
}

function readStdio(entry: object, env: Environment): EntryReading {
  const parsed = stdioEntry.safeParse(entry)
  if (!parsed.success) return invalid(describeIssues(parsed.error))
  const expansion = createExpansion(env)
  const settings = readSettings(parsed.data)
  const config: McpServerConfig = {
    type: 'stdio',
    command: expansion.fill(parsed.data.command),
    args: parsed.data.args.map(expansion.fill),
    env: expansion.fillAll(parsed.data.env),
    ...settings.values,
  }
  return finish(config, expansion, settings.faults)
}

function readHttp(type: 'http' | 'sse', entry: object, env: Environment): EntryReading {
  const parsed = httpEntry.safeParse(entry)
  if (!parsed.success) return invalid(describeIssues(parsed.error))
  const { headersHelper } = parsed.data
  const expansion = createExpansion(env)
  const settings = readSettings(parsed.data)
  const url = expansion.fill(parsed.data.url)
  const config: McpServerConfig = {
    type,
    url,
    headers: expansion.fillAll(parsed.data.headers),
    ...(headersHelper !== undefined && { headersHelper }),
    ...settings.values,
  }
  if (expansion.faults().every(isWarning)) {
    const protocol = URL.canParse(url) ? new URL(url).protocol : undefined
    if (protocol !== 'http:' && protocol !== 'https:') return invalid('"url" must be an http or https URL.')
  }
  return finish(config, expansion, settings.faults)
}

function finish(config: McpServerConfig, expansion: Expansion, more: readonly Fault[]): EntryReading {
  const faults = [...expansion.faults(), ...more]
  return faults.every(isWarning) ? { config, faults } : { faults }
}

interface Expansion {
  readonly fill: (text: string) => string
  readonly fillAll: (texts: Readonly<Record<string, string>>) => Record<string, string>
  readonly faults: () => readonly Fault[]
}

function createExpansion(env: Environment): Expansion {
  const missing = new Set<string>()
  const foreign = new Set<string>()
  const fill = (text: string): string => {
    const expanded = expandVariables(text, env)
    for (const name of expanded.missing) missing.add(name)
    for (const part of expanded.foreign) foreign.add(part)
    return expanded.text
  }
  return {
    fill,
    fillAll: (texts) => Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, fill(value)])),
    faults: () => [
      ...[...missing].map(
        (name): Fault => ({
          type: 'missing-variable',
          message: `The variable ${name} is not set and has no default; set it, or write \${${name}:-default}.`,
        }),
      ),
      ...[...foreign].map(
        (part): Fault => ({ type: 'warning', message: `${part} is no variable and stays as it is.` }),
      ),
    ],
  }
}

/** Shorter limits were meant as seconds, most likely. */
const SHORTEST_TIMEOUT_MS = 1000
const LONGEST_TIMEOUT_MS = 2_147_483_647

function readSettings({
  timeout,
  alwaysLoad,
}: {
  readonly timeout?: unknown
  readonly alwaysLoad?: unknown
}): {
  readonly values: McpServerSettings
  readonly faults: readonly Fault[]
} {
  const isTimeout = typeof timeout === 'number' && timeout >= SHORTEST_TIMEOUT_MS
  const message = `"timeout" must be a number of milliseconds from ${SHORTEST_TIMEOUT_MS}; it is ignored.`
  return {
    values: {
      ...(isTimeout && { timeoutMs: Math.min(timeout, LONGEST_TIMEOUT_MS) }),
      ...(alwaysLoad === true && { alwaysLoad }),
    },
    faults: timeout === undefined || isTimeout ? [] : [{ type: 'warning', message }],
  }
}

function isWarning({ type }: Fault): boolean {
  return type === 'warning'
}

function invalid(message: string): EntryReading {
  return { faults: [{ type: 'invalid-config', message }] }
}

function describeIssues({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.join('.') || 'The entry'}: ${message}`).join('; ')
}
