import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { runProcess } from '@x/process'
import type { Environment } from './expand-variables.ts'
import { isRecord } from './is-record.ts'
import { limitFetch } from './limit-fetch.ts'
import type { McpLimits } from './limits.ts'
import type { Link } from './link.ts'
import { createLostAnswers } from './lost-answers.ts'
import type { McpHttpConfig } from './server-config.ts'

/** What a connection over the network needs. */
export interface HttpLinkOptions {
  /** The server's name, for the helper that prints headers. */
  readonly name: string
  /** Working folder of that helper. */
  readonly cwd: string
  /** Environment of that helper. */
  readonly env: Environment
  /** Bounds of requests and messages. */
  readonly limits: McpLimits
  /** Makes requests. */
  readonly fetch: typeof fetch
  /** Ends the start. */
  readonly signal: AbortSignal
}

/** Prepares a connection over the network; no request is made yet. Rejects when the headers' helper fails. */
export async function createHttpLink(config: McpHttpConfig, options: HttpLinkOptions): Promise<Link> {
  const sdk = await import('@modelcontextprotocol/client')
  const { limits } = options
  const lost = createLostAnswers()
  const limited = limitFetch(options.fetch, {
    requestMs: Math.max(limits.requestMs, config.timeoutMs ?? 0),
    maxBytes: limits.maxMessageChars,
    onPlainAnswer: lost.notePlainAnswer,
  })
  const init = { requestInit: { headers: await collectHeaders(config, options) }, fetch: limited.fetch }
  const url = new URL(config.url)
  const wantsLogin = (): boolean => limited.wantsLogin()
  if (config.type === 'sse') {
    const transport = new sdk.SSEClientTransport(url, init)
    let lastError = ''
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- no event target
    transport.onerror = (error) => {
      lastError = error.message
      // It would connect anew by itself, to a session that never was initialized; nobody's answer comes any more.
      if (error instanceof sdk.SseError) void transport.close()
    }
    return { transport, wantsLogin, describe: () => lastError, leave: async () => {} }
  }
  const transport = new sdk.StreamableHTTPClientTransport(url, init)
  lost.watch(transport)
  return { transport, wantsLogin, describe: () => '', leave: () => leaveSession(transport) }
}

const LEAVE_MS = 500

async function leaveSession(transport: StreamableHTTPClientTransport): Promise<void> {
  const { promise: enough, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, LEAVE_MS)
  // A server that cannot end sessions, or is gone: either way we leave.
  await Promise.race([transport.terminateSession().catch(() => {}), enough])
  clearTimeout(timer)
}

const HELPER_MS = 10_000

async function collectHeaders(
  { headers, headersHelper, url }: McpHttpConfig,
  { name, cwd, env, signal }: HttpLinkOptions,
): Promise<Record<string, string>> {
  if (headersHelper === undefined) return { ...headers }
  const { exit, stdout } = await runProcess('sh', ['-c', headersHelper], {
    cwd,
    env: { ...env, CLAUDE_CODE_MCP_SERVER_NAME: name, CLAUDE_CODE_MCP_SERVER_URL: url },
    timeoutMs: HELPER_MS,
    signal,
  })
  if (exit.kind !== 'exited' || exit.code !== 0) {
    throw new Error(`headersHelper failed (${exit.kind === 'exited' ? `exit code ${exit.code}` : exit.kind})`)
  }
  return { ...headers, ...parseHeaders(stdout.text) }
}

function parseHeaders(text: string): Record<string, string> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // What the parser says quotes the text, which may hold a secret.
    throw new Error('headersHelper did not print JSON')
  }
  const entries = isRecord(value) ? Object.entries(value) : []
  if (!isRecord(value) || entries.some(([, one]) => typeof one !== 'string')) {
    throw new Error('headersHelper must print a JSON object of texts')
  }
  return Object.fromEntries(entries.map(([header, one]) => [header, String(one)]))
}
