import { z } from 'zod'
import type { Connection } from './connection.ts'
import { listPages, type PageRequest } from './list-pages.ts'

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
const resource = z.object({ uri: z.string(), name: z.string().catch(''), mimeType: word, description: word })
const contents = z.looseObject({
  contents: z.array(z.object({ uri: z.string().catch(''), mimeType: word, text: word, blob: word })),
})

/** Nobody reads a longer list. */
const MAX_RESOURCES = 10_000

/** Asks one server for its resources, the first 10,000; none when it offers no such thing. One of no valid shape is left out. */
export function listServerResources(
  connection: Connection,
  options: PageRequest,
): Promise<readonly McpResource[]> {
  const server = connection.server.name
  return connection.ask(async (client) => {
    if (!client.offers.resources) return []
    const things = { method: 'resources/list', field: 'resources', most: MAX_RESOURCES }
    const { values } = await listPages(client, things, options)
    return values.flatMap((value) => toResource(server, value))
  }, options.signal)
}

/** Reads one resource of one server. */
export function readServerResource(
  connection: Connection,
  uri: string,
  options: PageRequest,
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
