import { defineTool, type Tool } from '@x/contract'
import { z } from 'zod'
import type { McpResourceToolOptions } from './list-mcp-resources-tool.ts'
import { readBase64 } from './read-base64.ts'
import type { McpResourceContent } from './resources.ts'
import { type SaveBlob, saveBlobsIn } from './save-blob.ts'

/** Options of `createReadMcpResourceTool`. */
export interface ReadMcpResourceToolOptions extends McpResourceToolOptions {
  /** Folder for bytes. @default they are left out, and named */
  readonly blobFolder?: string
}

/** What was read. */
export interface ReadMcpResourceResult {
  /** Its pieces; bytes as the path where they were saved. */
  readonly contents: readonly SavedContent[]
}

/** A piece of a resource. */
export interface SavedContent extends Omit<McpResourceContent, 'blob'> {
  /** Absolute path of the file with the bytes. */
  readonly blobSavedTo?: string
}

const inputSchema = z.strictObject({
  server: z.string().describe('Name of the server'),
  uri: z.string().describe('URI of the resource'),
})

/** The tool that reads what an MCP server lets read. */
export type ReadMcpResourceTool = Tool<typeof inputSchema, ReadMcpResourceResult, never>

/** Makes the ReadMcpResourceTool tool; worth having while `connections.hasResources()`. */
export function createReadMcpResourceTool(options: ReadMcpResourceToolOptions): ReadMcpResourceTool {
  const { connections, blobFolder } = options
  const saveBlob = blobFolder === undefined ? undefined : saveBlobsIn(blobFolder)
  return defineTool({
    name: 'ReadMcpResourceTool',
    aliases: ['ReadMcpResource'],
    description:
      'Reads a resource of an MCP server by the name of the server and the uri of the resource. ' +
      'Use ListMcpResourcesTool to see what there is. For files of the project use Read instead.',
    inputSchema,
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    shouldDefer: true,
    maxResultSizeChars: 100_000,
    async call({ server, uri }, { abortController }) {
      const contents = await connections.readResource(server, uri, { signal: abortController.signal })
      return { data: { contents: await Promise.all(contents.map((content) => save(content, saveBlob))) } }
    },
    mapResult: (output, toolUseId) => ({
      type: 'tool_result',
      tool_use_id: toolUseId,
      content: JSON.stringify(output),
    }),
  })
}

async function save(
  { blob, ...content }: McpResourceContent,
  saveBlob: SaveBlob | undefined,
): Promise<SavedContent> {
  if (blob === undefined) return content
  const bytes = readBase64(blob)
  if (bytes === undefined) return { ...content, text: '[The bytes were left out: they are not base64]' }
  if (saveBlob === undefined) {
    return { ...content, text: `[${bytes.length} bytes were left out: there is no folder for them]` }
  }
  return { ...content, blobSavedTo: await saveBlob({ bytes, mimeType: content.mimeType ?? '' }) }
}
