import { z } from 'zod'
import type { Connection } from './connection.ts'

/** Something that a server lets read. */
export interface McpResource {
  /** Names it at the server. */
  readonly uri: string
  /** A name for people. */
  readonly name: string
  /** Its media type, as the server says. */
  readonly mimeType?: string
  /** What it is. */
  readonly description?: string
  /** The server's name in the configuration. */
  readonly server: string
}

/** One piece of what a resource holds; text or bytes. */
export interface McpResourceContent {
  /** Names it at the server. */
  readonly uri: string
  /** Its media type, as the server says. */
  readonly mimeType?: string
  /** The text. */
  readonly text?: string
  /** The bytes in base64. */
  readonly blob?: string
}

const word = z.string().optional().catch(undefined)
const page = z.looseObject({ resources: z.array(z.unknown()), nextCursor: word })
const resource = z.object({ uri: z.string(), name: z.string().catch(''), mimeType: word, description: word })
const contents = z.looseObject({
  contents: z.array(z.object({ uri: z.string().catch(''), mimeType: word, text: word, blob: word })),
})

/** A server whose pages lead nowhere is read no further. */
const MAX_PAGES = 64

/** What a request for resources needs. */
export interface ResourceRequest {
  /** Milliseconds that one request may take. */
  readonly timeout: number
  /** Cancels it. */
  readonly signal?: AbortSignal
}

/** Asks one server for its resources; none when it offers no such thing. One of no valid shape is left out. */
export function listServerResources(
  connection: Connection,
  options: ResourceRequest,
): Promise<readonly McpResource[]> {
  const server = connection.server.name
  return connection.ask(async (client) => {
    if (!client.offers.resources) return []
    const values: unknown[] = []
    const seen = new Set<string>()
    let cursor: string | undefined
    do {
      const params = cursor === undefined ? {} : { cursor }
      const answer = await client.request({ method: 'resources/list', params }, page, options)
      values.push(...answer.resources)
      const next = answer.nextCursor
      cursor = next === undefined || seen.has(next) || seen.size >= MAX_PAGES ? undefined : next
      if (cursor !== undefined) seen.add(cursor)
    } while (cursor !== undefined)
    return values.flatMap((value) => toResource(server, value))
  }, options.signal)
}

/** Reads one resource of one server. */
export function readServerResource(
  connection: Connection,
  uri: string,
  options: ResourceRequest,
): Promise<readonly McpResourceContent[]> {
  return connection.ask(async (client) => {
    const answer = await client.request({ method: 'resources/read', params: { uri } }, contents, options)
    return answer.contents.map(({ uri, mimeType, text, blob }) => ({
      uri,
      ...(mimeType !== undefined && { mimeType }),
      ...(text !== undefined && { text }),
      ...(blob !== undefined && { blob }),
    }))
  }, options.signal)
}

function toResource(server: string, value: unknown): readonly McpResource[] {
  const parsed = resource.safeParse(value)
  if (!parsed.success) return []
  const { uri, name, mimeType, description } = parsed.data
  return [
    {
      uri,
      name: name || uri,
      ...(mimeType !== undefined && { mimeType }),
      ...(description !== undefined && { description }),
      server,
    },
  ]
}
