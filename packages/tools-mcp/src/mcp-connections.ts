import type { JsonObject } from '@x/contract'
import type { McpCallResult } from './call-server-tool.ts'
import type { McpCallOptions, McpServerState } from './connection.ts'
import type { McpTool } from './create-server-tool.ts'
import type { ElicitAnswer } from './elicitation.ts'
import type { Environment } from './expand-variables.ts'
import type { McpLimits } from './limits.ts'
import type { McpLogEntry } from './link.ts'
import type { McpResource, McpResourceContent } from './resources.ts'
import type { McpScope } from './server-config.ts'

/** Options of `createMcpConnections`. */
export interface McpConnectionsOptions {
  /** Absolute path of the folder that programs run in; told to servers as their root. */
  readonly cwd: string
  /** Environment of programs, before what the configuration adds; the host's credentials are taken out. @default the process's */
  readonly env?: Environment
  /** Times and sizes. @default `DEFAULT_MCP_LIMITS` */
  readonly limits?: Partial<McpLimits>
  /** Connects at once; otherwise when somebody waits or calls. @default true */
  readonly autoConnect?: boolean
  /** Makes requests to servers on the network. @default the global one */
  readonly fetch?: typeof fetch
  /** Folder for what the model cannot be shown (sound, large pictures). @default such parts are left out, and named */
  readonly blobFolder?: string
  /** Asks the user what a server wants to know. @default declines */
  readonly elicit?: ElicitAnswer
  /** Hears that the state or the tools of a server have changed. What it throws is ignored. */
  readonly onChange?: (status: McpServerStatus) => void
  /** Hears of small things. What it throws is ignored. */
  readonly onLog?: (entry: McpLogEntry) => void
}

/** How it stands with a server. */
export interface McpServerStatus {
  /** Its name in the configuration. */
  readonly name: string
  /** Where it was configured; absent for one that a program made. */
  readonly scope?: McpScope
  /** Connected or not. */
  readonly status: McpServerState
  /** Why it is not connected. */
  readonly error?: string
  /** What the server says it is. */
  readonly serverInfo?: { readonly name: string; readonly version: string }
  /** Names of its tools, as the model sees them. */
  readonly tools: readonly string[]
  /** Tools that were left out, and why; one line each. */
  readonly problems: readonly string[]
}

/** The servers of a session. */
export interface McpConnections extends AsyncDisposable {
  /** How it stands with each server, in the order of the configuration. */
  statuses(): readonly McpServerStatus[]
  /** The tools of all connected servers, now; a tool that has not changed is the same object. */
  tools(): readonly McpTool[]
  /** What connected servers tell the model about themselves, each cut at 2 KiB. */
  instructions(): readonly { readonly server: string; readonly text: string }[]
  /** The server and the tool behind a name that the model sees; also while the server is not connected, if that can be told. */
  locate(toolName: string): McpToolPlace | undefined
  /** Connects what is not connected yet; resolves when each has succeeded or failed. Rejects only with the reason of the signal. */
  connect(options?: { readonly signal?: AbortSignal }): Promise<void>
  /** Waits for one server that is connecting; resolves with how it stands then, or when the time is up. */
  waitFor(server: string, options?: McpWaitOptions): Promise<McpServerStatus>
  /** Calls a tool by its name at the server. Rejects with an `McpError`, or with the reason of the signal. */
  call(server: string, tool: string, call: McpCall): Promise<McpCallResult>
  /** What one server lets read, or all connected ones; with all, a server that fails is left out. */
  resources(options?: {
    readonly server?: string
    readonly signal?: AbortSignal
  }): Promise<readonly McpResource[]>
  /** Whether a connected server lets read anything. */
  hasResources(): boolean
  /** Reads what a server lets read. Rejects with an `McpError`, or with the reason of the signal. */
  readResource(
    server: string,
    uri: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly McpResourceContent[]>
  /** Ends the connection to a server, if there is one, and makes a new one. */
  reconnect(server: string): Promise<McpServerStatus>
  /** Switches a server off or on again. */
  setEnabled(server: string, isEnabled: boolean): Promise<McpServerStatus>
  /** Ends all connections; resolves when everything that was started for them is gone. Harmless twice. */
  close(): Promise<void>
}

/** Where a tool is. */
export interface McpToolPlace {
  /** The server's name in the configuration. */
  readonly server: string
  /** The tool's name at the server; absent while the server has not told its tools. */
  readonly tool?: string
}

/** How long to wait. */
export interface McpWaitOptions {
  /** Milliseconds. @default the limit of a start */
  readonly timeoutMs?: number
  /** Ends the wait; it rejects with its reason. */
  readonly signal?: AbortSignal
}

/** A call. */
export interface McpCall extends McpCallOptions {
  /** The tool's input. */
  readonly input: JsonObject
}
