import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '@x/contract'
import type { McpCallResult, McpProgress } from './call-server-tool.ts'
import { createServerTool, type McpTool } from './create-server-tool.ts'
import type { McpLimits } from './limits.ts'
import type { SaveBlob } from './save-blob.ts'
import type { McpServer } from './server-config.ts'
import type { ServerTool } from './server-tool.ts'
import { nameTools, type ToolNaming } from './tool-names.ts'

/** A tool for the model and what it was made of. */
export interface Offer {
  /** As the server describes it. */
  readonly serverTool: ServerTool
  /** As the model sees it. */
  readonly tool: McpTool
}

/** What offers are made with. */
export interface OfferOptions {
  /** What was offered until now. */
  readonly before: readonly Offer[]
  /** The server. */
  readonly server: McpServer
  /** What stands for the server in the names of its tools. */
  readonly part: string
  /** Length of names and results. */
  readonly limits: McpLimits
  /** Keeps bytes. */
  readonly saveBlob: SaveBlob | undefined
  /** Calls a tool by its name at the server. */
  readonly call: (
    tool: string,
    input: JsonObject,
    options: { readonly signal: AbortSignal; readonly onProgress: (progress: McpProgress) => void },
  ) => Promise<McpCallResult>
}

/** Makes tools for the model of what a server offers. One that is as it was stays the same object: the model is shown the same bytes. */
export function nameOffers(tools: readonly ServerTool[], options: OfferOptions): readonly Offer[] {
  const { before, part, limits } = options
  const names = nameTools(
    tools.map(({ name }) => name),
    { serverPart: part, maxLength: limits.maxNameLength },
  )
  return tools.map((serverTool) => {
    const naming = names.get(serverTool.name) ?? { name: serverTool.name }
    const same = before.find(({ tool }) => tool.name === naming.name)
    if (same !== undefined && isDeepStrictEqual(same.serverTool, serverTool)) return same
    return { serverTool, tool: toTool(serverTool, naming, options) }
  })
}

function toTool(serverTool: ServerTool, naming: ToolNaming, options: OfferOptions): McpTool {
  const { server, limits, saveBlob, call } = options
  return createServerTool(serverTool, {
    ...naming,
    server,
    alwaysLoad: server.config.alwaysLoad === true,
    maxResultChars: limits.maxResultChars,
    saveBlob,
    call: (input, options) => call(serverTool.name, input, options),
  })
}
