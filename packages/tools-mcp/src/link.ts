import type { Transport } from '@modelcontextprotocol/client'

/** A way to a server, and what is known of it. */
export interface Link {
  /** What the SDK's client talks through. */
  readonly transport: Transport
  /** What ended it, or what was last seen: one or more lines for people. Empty when nothing is known. */
  describe(): string
  /** Whether the server answered that it wants a login. */
  wantsLogin(): boolean
  /** Says good-bye where that takes a request; never rejects. */
  leave(): Promise<void>
}

/** Something that happened and is no failure by itself. */
export interface McpLogEntry {
  /** The server's name in the configuration. */
  readonly server: string
  /** `debug`: normal, for those who look closely. `warning`: something does not work as it should. */
  readonly level: 'debug' | 'warning'
  /** One line, or a few. */
  readonly message: string
}

/** Takes what happened to one server. */
export type Log = (level: McpLogEntry['level'], message: string) => void
