/** What went wrong with a server or a call. */
export type McpErrorCode =
  /** No server of this name is configured. */
  | 'unknown-server'
  /** The server is there, but offers no such tool (any more). */
  | 'unknown-tool'
  /** The server is not connected: it starts, has failed, or is switched off. */
  | 'not-connected'
  /** The server wants a login first. */
  | 'needs-auth'
  /** The server could not be started, or the program or network below failed. */
  | 'start-failed'
  /** The connection ended before the answer. */
  | 'server-ended'
  /** No answer within the limit. */
  | 'timed-out'
  /** The server answered with an error of the protocol. */
  | 'refused'
  /** The server's answer has no known shape. */
  | 'invalid-answer'

const brand = Symbol.for('@x/tools-mcp.McpError')

/** A server or a call failed. The message names the server and says what happened, for people and models alike. */
export class McpError extends Error {
  /** Tells it from other errors in logs. */
  override readonly name = 'McpError'
  /** What went wrong. */
  readonly code: McpErrorCode
  /** The server's name in the configuration. */
  readonly server: string

  constructor(code: McpErrorCode, message: string, facts: McpErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.code = code
    this.server = facts.server
    Object.defineProperty(this, brand, { value: true })
  }
}

/** What an {@link McpError} knows beside its message. */
export interface McpErrorFacts {
  /** The server's name in the configuration. */
  readonly server: string
  /** The error below. */
  readonly cause?: unknown
}

/** Tells whether a value is an {@link McpError}, also one of another installed copy of this package. */
export function isMcpError(value: unknown): value is McpError {
  return value instanceof Error && brand in value
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
