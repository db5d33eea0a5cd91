import type { JsonObject } from '@x/contract'
import { z } from 'zod'
import type { ElicitAnswer, McpElicitation } from './elicitation.ts'
import { isMcpError } from './errors.ts'
import { isRecord } from './is-record.ts'
import { askUser, type McpClient } from './open-client.ts'

/** What a tool gave back, as the server said it. */
export interface McpCallResult {
  /** Blocks of content: texts, pictures, resources and what else servers say; not checked. */
  readonly content: readonly unknown[]
  /** Data beside or instead of the content. */
  readonly structuredContent?: unknown
  /** The server's further words. */
  readonly meta?: JsonObject
  /** The tool failed. */
  readonly isError: boolean
}

/** How far a call is. */
export interface McpProgress {
  /** Grows; of `total`, if that is given. */
  readonly progress: number
  /** What `progress` grows to. */
  readonly total?: number
  /** What is being done. */
  readonly message?: string
}

/** What a call is made with. */
export interface ServerCall {
  /** The server's name in the configuration. */
  readonly server: string
  /** The tool's name at the server. */
  readonly tool: string
  /** Its input. */
  readonly input: JsonObject
  /** Cancels it; the server is told. */
  readonly signal?: AbortSignal
  /** Hears how far it is. */
  readonly onProgress?: (progress: McpProgress) => void
  /** Milliseconds for all of it. */
  readonly callMs: number
  /** Milliseconds without answer or progress. */
  readonly idleMs: number
  /** Asks the user. */
  readonly elicit: ElicitAnswer
}

/** All is checked where it is used: a block of no known kind must not cost the others. */
const result = z.looseObject({
  content: z.array(z.unknown()).catch([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().catch(false),
  _meta: z.record(z.string(), z.unknown()).optional().catch(undefined),
})

/**
 * Calls a tool. Where the server demands that the user opens a page first, the user is asked, and the call made once more.
 *
 * Rejects with an `McpError`, or with the reason of the signal.
 */
export async function callServerTool(client: McpClient, call: ServerCall): Promise<McpCallResult> {
  try {
    return await callOnce(client, call)
  } catch (error) {
    const pages = demandedPages(error, call.server)
    if (pages.length === 0 || !(await allAccepted(pages, call))) throw error
    return callOnce(client, call)
  }
}

async function callOnce(client: McpClient, call: ServerCall): Promise<McpCallResult> {
  const { tool, input, signal, onProgress, callMs, idleMs } = call
  const { content, structuredContent, isError, _meta } = await client.request(
    { method: 'tools/call', params: { name: tool, arguments: input } },
    result,
    {
      ...(signal && { signal }),
      onprogress: (progress) => onProgress?.(toProgress(progress)),
      timeout: Math.min(callMs, idleMs),
      resetTimeoutOnProgress: callMs > idleMs,
      maxTotalTimeout: callMs,
    },
  )
  return {
    content,
    isError,
    ...(structuredContent !== undefined && { structuredContent }),
    ...(_meta !== undefined && { meta: _meta }),
  }
}

function toProgress({ progress, total, message }: McpProgressNotice): McpProgress {
  return { progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) }
}

interface McpProgressNotice {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

const URL_ELICITATION_REQUIRED = -32042

function demandedPages(error: unknown, server: string): readonly McpElicitation[] {
  const cause = isMcpError(error) ? error.cause : undefined
  if (!(cause instanceof Error) || !('code' in cause) || cause.code !== URL_ELICITATION_REQUIRED) return []
  const data = 'data' in cause && isRecord(cause.data) ? cause.data['elicitations'] : undefined
  return (Array.isArray(data) ? data : []).filter(isRecord).flatMap(({ message, url, elicitationId }) =>
    typeof url !== 'string'
      ? []
      : [
          {
            server,
            mode: 'url' as const,
            message: typeof message === 'string' ? message : '',
            url,
            ...(typeof elicitationId === 'string' && { elicitationId }),
          },
        ],
  )
}

async function allAccepted(
  pages: readonly McpElicitation[],
  { elicit, signal }: ServerCall,
): Promise<boolean> {
  for (const page of pages) {
    const { action } = await askUser(page, { elicit }, signal ?? new AbortController().signal)
    if (action !== 'accept') return false
  }
  return true
}
