import { createTimeoutAbortController, raceAbort } from '@x/abort'
import { Connection, type ConnectionOptions } from './connection.ts'
import type { McpTool } from './create-server-tool.ts'
import { declineElicitation } from './elicitation.ts'
import { McpError } from './errors.ts'
import { DEFAULT_MCP_LIMITS, type McpLimits } from './limits.ts'
import type {
  McpConnections,
  McpConnectionsOptions,
  McpServerStatus,
  McpToolPlace,
} from './mcp-connections.ts'
import { listServerResources, type McpResource, readServerResource } from './resources.ts'
import { saveBlobsIn } from './save-blob.ts'
import type { McpServer } from './server-config.ts'
import { serverEnvironment } from './server-environment.ts'
import { nameServers } from './tool-names.ts'

/**
 * Connects servers, all at the same time. Nothing that a server does throws here or costs another server: it shows in its status and in
 * the errors of its calls. Close what was made.
 *
 * @throws TypeError if two servers have one name.
 *
 * @example
 * await using connections = createMcpConnections(servers, { cwd: process.cwd() })
 * await connections.connect()
 * connections.tools().map(({ name }) => name) // ['mcp__files__read', ...]
 */
export function createMcpConnections(
  servers: readonly McpServer[],
  options: McpConnectionsOptions,
): McpConnections {
  const set = createConnectionSet(servers, options)
  if (options.autoConnect !== false) void connectAll(set)
  return { ...viewsOf(set), ...actionsOf(set), ...resourcesOf(set) }
}

/** The connections, and what they have in common. */
interface ConnectionSet {
  readonly all: readonly Connection[]
  readonly parts: ReadonlyMap<string, string>
  readonly limits: McpLimits
  readonly find: (name: string) => Connection
  isClosed: boolean
}

function createConnectionSet(servers: readonly McpServer[], options: McpConnectionsOptions): ConnectionSet {
  const parts = nameServers(servers.map(({ name }) => name))
  if (parts.size < servers.length) throw new TypeError('servers: expected one server for each name')
  const limits = { ...DEFAULT_MCP_LIMITS, ...options.limits }
  const shared = { ...sharedOptions(options), limits }
  const all = servers.map((server) => {
    const connection: Connection = new Connection(server, {
      ...shared,
      part: parts.get(server.name) ?? server.name,
      log: (level, message) => quietly(() => options.onLog?.({ server: server.name, level, message })),
      onChange: () => set.isClosed || quietly(() => options.onChange?.(toStatus(connection))),
    })
    return connection
  })
  const byName = new Map(all.map((connection) => [connection.server.name, connection]))
  const find = (name: string): Connection => {
    const connection = byName.get(name)
    if (connection !== undefined) return connection
    throw new McpError('unknown-server', `No MCP server named ${name} is configured.`, { server: name })
  }
  const set: ConnectionSet = { all, parts, limits, find, isClosed: false }
  return set
}

async function connectAll({ all }: ConnectionSet, signal?: AbortSignal): Promise<void> {
  await raceAbort(Promise.all(all.map((connection) => connection.settle())), signal)
}

function viewsOf(
  set: ConnectionSet,
): Pick<McpConnections, 'statuses' | 'tools' | 'instructions' | 'locate' | 'hasResources'> {
  const { all, parts } = set
  return {
    statuses: () => all.map(toStatus),
    tools: () => distinct(all.flatMap(({ offers }) => offers.map(({ tool }) => tool))),
    instructions: () => all.flatMap(toInstructions),
    locate: (toolName) => locate(all, { toolName, parts }),
    hasResources: () => all.some(({ client }) => client?.offers.resources === true),
  }
}

function actionsOf(
  set: ConnectionSet,
): Omit<McpConnections, 'statuses' | 'tools' | 'instructions' | 'locate' | `${string}esource${string}`> {
  const { all, find, limits } = set
  const close = async (): Promise<void> => {
    set.isClosed = true
    await Promise.all(all.map((connection) => connection.close()))
  }
  return {
    connect: ({ signal } = {}) => connectAll(set, signal),
    async waitFor(server, { timeoutMs = limits.startMs, signal } = {}) {
      const connection = find(server)
      await waitUpTo(connection.settle(), timeoutMs, signal)
      return toStatus(connection)
    },
    async call(server, tool, { input, ...callOptions }) {
      return find(server).call(tool, input, callOptions)
    },
    async reconnect(server) {
      const connection = find(server)
      if (!set.isClosed) await connection.reconnect()
      return toStatus(connection)
    },
    async setEnabled(server, isEnabled) {
      const connection = find(server)
      const isOn = connection.state !== 'disabled'
      if (!set.isClosed && isEnabled !== isOn)
        await (isEnabled ? connection.reconnect() : connection.disable())
      return toStatus(connection)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

function resourcesOf({
  all,
  find,
  limits,
}: ConnectionSet): Pick<McpConnections, 'resources' | 'readResource'> {
  return {
    async resources({ server, signal } = {}) {
      const request = { timeout: limits.requestMs, ...(signal && { signal }) }
      return server === undefined
        ? listAllResources(all, request)
        : listServerResources(find(server), request)
    },
    async readResource(server, uri, { signal } = {}) {
      const request = { timeout: limits.requestMs, ...(signal && { signal }) }
      return readServerResource(find(server), uri, request)
    },
  }
}

function sharedOptions({
  cwd,
  env = process.env,
  fetch = globalThis.fetch,
  elicit = declineElicitation,
  blobFolder,
}: McpConnectionsOptions): Omit<ConnectionOptions, 'limits' | 'part' | 'log' | 'onChange'> {
  const saveBlob = blobFolder === undefined ? undefined : saveBlobsIn(blobFolder)
  return { cwd, env: serverEnvironment(env), fetch, elicit, saveBlob }
}

/** A server could make up the very name that another tool got for want of a plain one; a name given twice fails every request. */
function distinct(tools: readonly McpTool[]): readonly McpTool[] {
  const byName = new Map<string, McpTool>()
  for (const tool of tools) if (!byName.has(tool.name)) byName.set(tool.name, tool)
  return [...byName.values()]
}

function toStatus({ server, state, error, client, offers, problems }: Connection): McpServerStatus {
  const { name, scope } = server
  return {
    name,
    ...(scope !== undefined && { scope }),
    status: state,
    ...(error !== undefined && { error }),
    ...(client?.info !== undefined && {
      serverInfo: { name: client.info.name, version: client.info.version },
    }),
    tools: offers.map(({ tool }) => tool.name),
    problems,
  }
}

const MAX_INSTRUCTIONS_CHARS = 2048

function toInstructions({ server, client }: Connection): readonly { server: string; text: string }[] {
  const text = client?.instructions?.slice(0, MAX_INSTRUCTIONS_CHARS).toWellFormed().trim() ?? ''
  return text === '' ? [] : [{ server: server.name, text }]
}

function locate(
  all: readonly Connection[],
  { toolName, parts }: { readonly toolName: string; readonly parts: ReadonlyMap<string, string> },
): McpToolPlace | undefined {
  const offers = all.flatMap(({ server, offers }) =>
    offers.map((offer) => ({ server: server.name, ...offer })),
  )
  const offer =
    offers.find(({ tool }) => tool.name === toolName) ??
    offers.find(({ tool }) => tool.aliases?.includes(toolName))
  if (offer !== undefined) return { server: offer.server, tool: offer.serverTool.name }
  const fitting = all.filter(({ server }) => toolName.startsWith(`mcp__${parts.get(server.name)}__`))
  const [found] = fitting.sort((left, right) => right.server.name.length - left.server.name.length)
  return found === undefined ? undefined : { server: found.server.name }
}

async function waitUpTo(
  promise: Promise<void>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  using limit = createTimeoutAbortController(timeoutMs, signal ? { parent: signal } : {})
  await raceAbort(promise, limit.signal).catch(() => signal?.throwIfAborted())
}

async function listAllResources(
  all: readonly Connection[],
  request: { readonly timeout: number; readonly signal?: AbortSignal },
): Promise<readonly McpResource[]> {
  const connected = all.filter(({ client }) => client?.offers.resources === true)
  const listings = await Promise.allSettled(
    connected.map((connection) => listServerResources(connection, request)),
  )
  request.signal?.throwIfAborted()
  const [failed] = listings.filter(({ status }) => status === 'rejected')
  // That nobody answered must not look like that there is nothing.
  if (failed?.status === 'rejected' && listings.every(({ status }) => status === 'rejected'))
    throw failed.reason
  return listings.flatMap((listing) => (listing.status === 'fulfilled' ? listing.value : []))
}

function quietly(tell: () => void): void {
  try {
    tell()
  } catch {
    // A listener's fault is its own.
  }
}
