import {
  type DefinedTool,
  defineTool,
  type JsonObject,
  type ToolResultBlock,
  type ToolResultPart,
} from '@x/contract'
import type { z } from 'zod'
import type { McpCallResult, McpProgress } from './call-server-tool.ts'
import { createInputSchema } from './input-schema.ts'
import { isRecord } from './is-record.ts'
import { toResultContent } from './result-content.ts'
import type { SaveBlob } from './save-blob.ts'
import type { McpServer } from './server-config.ts'
import type { ServerTool } from './server-tool.ts'
import { toJson } from './to-json.ts'

/** A tool of a server, for the model. Its output is the blocks of the result. */
export type McpTool = DefinedTool<z.ZodType<JsonObject>, readonly ToolResultPart[], McpProgress>

/** What a server's tool becomes a tool with. */
export interface ServerToolOptions {
  /** Its name for the model. */
  readonly name: string
  /** Another name for rules and hooks. */
  readonly alias?: string
  /** Its server. */
  readonly server: McpServer
  /** Never deferred, whatever the server says. */
  readonly alwaysLoad: boolean
  /** A longer text goes to disk, unless the tool says otherwise. */
  readonly maxResultChars: number
  /** Keeps bytes. */
  readonly saveBlob: SaveBlob | undefined
  /** Calls it. */
  readonly call: (
    input: JsonObject,
    options: { readonly signal: AbortSignal; readonly onProgress: (progress: McpProgress) => void },
  ) => Promise<McpCallResult>
}

const MAX_RESULT_CHARS = 500_000
const MAX_DESCRIPTION_BYTES = 2048

/** Makes a tool of what a server offers. Declarations are the server's; where it says nothing, the closed ones. */
export function createServerTool(tool: ServerTool, options: ServerToolOptions): McpTool {
  const { name, alias, server, maxResultChars, saveBlob } = options
  const { annotations, meta } = tool
  const isReadOnly = annotations['readOnlyHint'] === true
  const alwaysLoad = options.alwaysLoad || meta['anthropic/alwaysLoad'] === true
  return defineTool<z.ZodType<JsonObject>, readonly ToolResultPart[], McpProgress>({
    name,
    ...(alias !== undefined && { aliases: [alias] }),
    description:
      cutBytes(tool.description, MAX_DESCRIPTION_BYTES) ||
      `The tool ${tool.name} of the MCP server ${server.name}.`,
    inputSchema: createInputSchema(tool.inputSchema),
    inputJsonSchema: tool.inputJsonSchema,
    mcpServer: { name: server.name, source: server.scope ?? 'sdk' },
    isReadOnly: () => isReadOnly,
    isConcurrencySafe: () => isReadOnly,
    isDestructive: () => annotations['destructiveHint'] === true,
    shouldDefer: !alwaysLoad,
    alwaysLoad,
    requiresUserInteraction: meta['anthropic/requiresUserInteraction'] === true,
    maxResultSizeChars: readMaxResultChars(meta) ?? maxResultChars,
    // oxlint-disable-next-line max-params -- the shape of every tool's call
    async call(input, { abortController }, _canUseTool, _parentMessage, onProgress) {
      const result = await options.call(input, { signal: abortController.signal, onProgress })
      const mcpMeta = toMeta(result)
      return {
        data: await toResultContent(result, saveBlob),
        isError: result.isError,
        ...(mcpMeta !== undefined && { mcpMeta }),
      }
    },
    mapResult: (output, toolUseId) => ({
      type: 'tool_result',
      tool_use_id: toolUseId,
      content: readOutput(output),
    }),
  })
}

function readMaxResultChars(meta: JsonObject): number | undefined {
  const chars = meta['anthropic/maxResultSizeChars']
  return typeof chars === 'number' && chars > 0 ? Math.min(chars, MAX_RESULT_CHARS) : undefined
}

function toMeta({ structuredContent, meta }: McpCallResult): JsonObject | undefined {
  if (structuredContent === undefined && meta === undefined) return undefined
  const mcpMeta = {
    ...(structuredContent !== undefined && { structuredContent }),
    ...(meta !== undefined && { _meta: meta }),
  }
  // What is nested without end could not be written down by whoever gets it.
  return toJson(mcpMeta) === undefined ? undefined : mcpMeta
}

/** A hook may have put anything in place of the output. */
function readOutput(output: unknown): NonNullable<ToolResultBlock['content']> {
  if (typeof output === 'string') return output
  if (Array.isArray(output) && output.every(isPart)) return output
  return toJson(output) ?? ''
}

function isPart(value: unknown): value is ToolResultPart {
  if (!isRecord(value)) return false
  return value['type'] === 'text'
    ? typeof value['text'] === 'string'
    : value['type'] === 'image' && isRecord(value['source'])
}

function cutBytes(text: string, maxBytes: number): string {
  const wellFormed = text.toWellFormed().trim()
  const bytes = Buffer.from(wellFormed)
  if (bytes.length <= maxBytes) return wellFormed
  // A character that was cut becomes a replacement character, which goes.
  return `${bytes
    .subarray(0, maxBytes - 3)
    .toString()
    .replace(/\uFFFD+$/, '')}…`
}
