import type { Transport } from '@modelcontextprotocol/client'

/** Where a configuration comes from. Of two servers of one name the one from further to the left counts. */
export type McpScope = 'flag' | 'local' | 'project' | 'user' | 'plugin'

/** What the servers of every kind may say. */
export interface McpServerSettings {
  /** Milliseconds that one call may take, whatever progress it reports. @default the limit of the connections */
  readonly timeoutMs?: number
  /** Its tools are never deferred. @default false */
  readonly alwaysLoad?: boolean
}

/** A program that is started and talked to through its input and output. */
export interface McpStdioConfig extends McpServerSettings {
  /** Names the kind. */
  readonly type: 'stdio'
  /** The program; a relative path starts at the working folder. */
  readonly command: string
  /** Its arguments, handed over as they are. */
  readonly args: readonly string[]
  /** Variables added to its environment. */
  readonly env: Readonly<Record<string, string>>
}

/** A server on the network. */
export interface McpHttpConfig extends McpServerSettings {
  /** `http`: streamable HTTP. `sse`: its predecessor. */
  readonly type: 'http' | 'sse'
  /** Its endpoint. */
  readonly url: string
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>
  /** A shell command that prints a JSON object of further headers; run before each connection. */
  readonly headersHelper?: string
}

/** A server inside of this program. */
export interface McpInProcessConfig extends McpServerSettings {
  /** Names the kind. */
  readonly type: 'in-process'
  /** Makes the client's end of a new connection; called for each connection. May throw. */
  readonly createTransport: () => McpTransport
}

/** How a server is reached. */
export type McpServerConfig = McpStdioConfig | McpHttpConfig | McpInProcessConfig

/** One end of a connection, as the MCP SDK defines it; `InMemoryTransport` of the SDK is one. */
export type McpTransport = Transport

/** A server that can be connected. */
export interface McpServer {
  /** Its name in the configuration; that of a plugin's server is `plugin:PLUGIN:NAME`. */
  readonly name: string
  /** Where it was configured. @default nowhere: a program made it */
  readonly scope?: McpScope
  /** The file it was configured in. */
  readonly file?: string
  /** How it is reached. */
  readonly config: McpServerConfig
}
