import { pathToFileURL } from 'node:url'
import type { Client, ElicitRequest, RequestOptions } from '@modelcontextprotocol/client'
import { raceAbort, TimeoutReason } from '@x/abort'
import { z } from 'zod'
import type { ElicitAnswer, McpElicitation, McpElicitationAnswer } from './elicitation.ts'
import { McpError, messageOf } from './errors.ts'
import type { Environment } from './expand-variables.ts'
import { createHttpLink } from './http-link.ts'
import type { McpLimits } from './limits.ts'
import type { Link, Log } from './link.ts'
import type { McpServer } from './server-config.ts'
import { createStdioLink } from './stdio-transport.ts'
import { toLateError, toMcpError, toStartError } from './to-mcp-error.ts'

/** What a client of a server needs from outside. */
export interface OpenClientOptions {
  /** Working folder of programs; told to servers as their root. */
  readonly cwd: string
  /** Environment of programs, without what the configuration adds. */
  readonly env: Environment
  /** Times and sizes. */
  readonly limits: McpLimits
  /** Makes requests. */
  readonly fetch: typeof fetch
  /** Asks the user. */
  readonly elicit: ElicitAnswer
  /** Hears of small things. */
  readonly log: Log
  /** Hears that the list of tools has changed. */
  readonly onToolsChanged: () => void
  /** Ends the start; with a `TimeoutReason` when its time is up. */
  readonly signal: AbortSignal
}

/** A connected server. */
export interface McpClient {
  /** What the server says it is. */
  readonly info: { readonly name: string; readonly version: string } | undefined
  /** What the server tells the model about itself. */
  readonly instructions: string | undefined
  /** What the server offers. */
  readonly offers: { readonly tools: boolean; readonly resources: boolean }
  /** Resolves when the connection has ended, with what ended it. */
  readonly ended: Promise<string>
  /** Whether the server answered that it wants a login. */
  wantsLogin(): boolean
  /** Asks the server; rejects with an `McpError`, or with the reason of the signal. */
  request<Schema extends z.ZodType>(
    request: { readonly method: string; readonly params?: Record<string, unknown> },
    schema: Schema,
    options: RequestOptions,
  ): Promise<z.output<Schema>>
  /** Ends the connection and what was started for it; resolves when it is gone. Harmless twice. */
  close(): Promise<void>
}

/**
 * Connects a server. The SDK is loaded here and not before: a program without servers starts without it.
 *
 * Rejects with an `McpError`, or with the reason of the signal, and leaves nothing behind then.
 */
export async function openClient(server: McpServer, options: OpenClientOptions): Promise<McpClient> {
  const link = await createLink(server, options).catch((error: unknown) => {
    options.signal.throwIfAborted()
    throw new McpError('start-failed', messageOf(error), { server: server.name, cause: error })
  })
  try {
    return await connectLink(link, server, options)
  } catch (error) {
    await link.transport.close().catch(() => {})
    const place = { server: server.name, link }
    if (options.signal.reason instanceof TimeoutReason) throw toLateError(options.limits.startMs, place)
    options.signal.throwIfAborted()
    throw toStartError(error, place)
  }
}

async function connectLink(link: Link, server: McpServer, options: OpenClientOptions): Promise<McpClient> {
  const sdk = await import('@modelcontextprotocol/client')
  const client = new sdk.Client(
    { name: 'x', version: '0.1.0' },
    { capabilities: { roots: {}, elicitation: { form: {}, url: {} } } },
  )
  answerServer(client, server, options)
  const ended = Promise.withResolvers<string>()
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- no event target
  client.onclose = () => ended.resolve(link.describe())
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- no event target
  client.onerror = (error) => options.log('debug', error.message.slice(0, 500))
  const close = once(async () => {
    await link.leave()
    await link.transport.close().catch(() => {})
    ended.resolve('it was closed')
  })
  const { signal, limits } = options
  await raceAbort(client.connect(link.transport, { signal, timeout: limits.startMs }), signal)
  return toMcpClient({ client, server, link, ended: ended.promise, close })
}

interface OpenParts {
  readonly client: Client
  readonly server: McpServer
  readonly link: Link
  readonly ended: Promise<string>
  readonly close: () => Promise<void>
}

const anyAnswer = z.looseObject({})

function toMcpClient({ client, server, link, ended, close }: OpenParts): McpClient {
  const capabilities = client.getServerCapabilities()
  return {
    info: client.getServerVersion(),
    instructions: client.getInstructions(),
    offers: { tools: capabilities?.tools !== undefined, resources: capabilities?.resources !== undefined },
    ended,
    wantsLogin: () => link.wantsLogin(),
    async request(request, schema, options) {
      try {
        return schema.parse(await client.request(request, anyAnswer, options))
      } catch (error) {
        options.signal?.throwIfAborted()
        throw toMcpError(error, { server: server.name, link })
      }
    },
    close,
  }
}

function createLink(server: McpServer, options: OpenClientOptions): Promise<Link> {
  const { config, name } = server
  const { cwd, env, limits, log, fetch, signal } = options
  switch (config.type) {
    case 'stdio':
      return Promise.resolve(
        createStdioLink(config, { cwd, env, log, maxMessageChars: limits.maxMessageChars }),
      )
    case 'http':
    case 'sse':
      return createHttpLink(config, { name, cwd, env, limits, fetch, signal })
    case 'in-process':
      return new Promise((resolve) => {
        const transport = config.createTransport()
        resolve({ transport, describe: () => '', wantsLogin: () => false, leave: async () => {} })
      })
  }
}

/** What servers may ask of a client. */
function answerServer(client: Client, server: McpServer, options: OpenClientOptions): void {
  client.setNotificationHandler('notifications/tools/list_changed', () => options.onToolsChanged())
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: pathToFileURL(options.cwd).href }] }))
  let questions = 0
  client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
    if (questions >= MAX_QUESTIONS) return { action: 'cancel' }
    questions += 1
    const answer = await askUser(toElicitation(server.name, params), options, mcpReq.signal)
    questions -= 1
    return answer
  })
}

/** So many questions of one server wait for the user at a time; further ones count as put aside. */
const MAX_QUESTIONS = 16

/** Asks the user; a failure to ask counts as a question put aside. */
export async function askUser(
  request: McpElicitation,
  { elicit }: Pick<OpenClientOptions, 'elicit'>,
  signal: AbortSignal,
): Promise<{
  action: McpElicitationAnswer['action']
  content?: Record<string, string | number | boolean | string[]>
}> {
  try {
    const { action, content } = await elicit(request, { signal })
    return { action, ...(action === 'accept' && content !== undefined && { content: { ...content } }) }
  } catch {
    return { action: 'cancel' }
  }
}

function toElicitation(server: string, params: ElicitRequest['params']): McpElicitation {
  const { message } = params
  if (params.mode === 'url') {
    const { url, elicitationId } = params
    return { server, mode: 'url', message, url, ...(elicitationId !== undefined && { elicitationId }) }
  }
  return { server, mode: 'form', message, requestedSchema: { ...params.requestedSchema } }
}

function once(action: () => Promise<void>): () => Promise<void> {
  let result: Promise<void> | undefined
  return () => (result ??= action())
}
