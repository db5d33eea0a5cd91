import { defineTool, type Tool } from '@x/contract'
import { z } from 'zod'
import type { McpConnections } from './mcp-connections.ts'
import type { McpResource } from './resources.ts'

/** Options of the tools for resources. */
export interface McpResourceToolOptions {
  /** The servers of the session. */
  readonly connections: McpConnections
}

const inputSchema = z.strictObject({
  server: z.string().optional().describe('Name of a server, to see its resources only'),
})

/** The tool that lists what MCP servers let read. */
export type ListMcpResourcesTool = Tool<typeof inputSchema, readonly McpResource[], never>

/** Makes the ListMcpResourcesTool tool; worth having while `connections.hasResources()`. */
export function createListMcpResourcesTool({ connections }: McpResourceToolOptions): ListMcpResourcesTool {
  return defineTool({
    name: 'ListMcpResourcesTool',
    aliases: ['ListMcpResources'],
    description:
      'Lists the resources that connected MCP servers offer, each with the name of its server. ' +
      'To read one, use ReadMcpResourceTool with its server and uri.',
    inputSchema,
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    shouldDefer: true,
    maxResultSizeChars: 100_000,
    async call({ server }, { abortController }) {
      const { signal } = abortController
      return { data: await connections.resources({ signal, ...(server !== undefined && { server }) }) }
    },
    mapResult: (resources, toolUseId) => ({
      type: 'tool_result',
      tool_use_id: toolUseId,
      content: resources.length === 0 ? 'No resources found.' : JSON.stringify(resources),
    }),
  })
}
