import type { MatchRule } from '@x/contract'
import type { CommonHookInput, HookEventName } from './events/table.ts'
import type { HandlerReport, LateHookResult } from './hook-result.ts'

/** A question to a model or an agent. */
export interface ModelQuestion {
  /** The question, with the input filled in. */
  readonly prompt: string
  /** The model that the handler names. */
  readonly model?: string
  /** The event. */
  readonly event: HookEventName
  /** Cancels it. */
  readonly signal: AbortSignal
}

/** A call of an MCP tool. */
export interface McpToolCall {
  /** The server. */
  readonly server: string
  /** Its tool. */
  readonly tool: string
  /** The tool's input, with the fields of the event filled in. */
  readonly input: Readonly<Record<string, unknown>>
  /** The event. */
  readonly event: HookEventName
  /** Cancels it. */
  readonly signal: AbortSignal
}

/** What an MCP tool gave back. */
export interface McpToolAnswer {
  /** Its text. */
  readonly text: string
  /** The tool failed. @default false */
  readonly isError?: boolean
}

/** The start or end of a handler. */
export type HookProgress =
  | {
      /** Tells the two apart. */
      readonly type: 'hook-start'
      /** The same at the end. */
      readonly id: string
      /** The event, and what the matcher looked at. */
      readonly name: string
      /** The event. */
      readonly event: HookEventName
      /** The command line, address or question. */
      readonly label: string
      /** What to show meanwhile. */
      readonly statusMessage?: string
    }
  | {
      /** Tells the two apart. */
      readonly type: 'hook-end'
      /** The event. */
      readonly event: HookEventName
      /** What became of the handler. */
      readonly report: HandlerReport
    }

/** What hooks need from outside. */
export interface HooksOptions {
  /** The common fields of the input, asked for at each event. @default nothing; the rest is filled in */
  readonly common?: () => CommonHookInput
  /** The folder the session began in. @default the process's */
  readonly projectDir?: string
  /** The environment that commands inherit. @default the process's */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Says whether an `if` rule matches a call. @default every call matches, so that no guard is lost */
  readonly matchRule?: MatchRule
  /** Asks a model for the handlers of the type `prompt`; gives its reply. May reject. @default they fail */
  readonly askModel?: (question: ModelQuestion) => Promise<string>
  /** Asks an agent for the handlers of the type `agent`; gives its reply. May reject. @default they fail */
  readonly askAgent?: (question: ModelQuestion) => Promise<string>
  /** Calls a tool for the handlers of the type `mcp_tool`. May reject. @default they fail */
  readonly callMcpTool?: (call: McpToolCall) => Promise<McpToolAnswer>
  /** Sends requests. @default the global `fetch` */
  readonly fetch?: typeof globalThis.fetch
  /** Addresses that requests may go to; `*` stands for anything. @default all */
  readonly allowedHttpUrls?: readonly string[]
  /** Variables that headers may use, besides what the handler allows. @default what the handler allows */
  readonly allowedHttpEnvVars?: readonly string[]
  /** Where texts go that are too long to pass on. @default a folder for temporary files */
  readonly overflowFolder?: string
  /** Milliseconds between asking a command to end and forcing it. @default 2000 */
  readonly killGraceMs?: number
  /** Told when a handler starts and ends. Must not throw. */
  readonly onProgress?: (progress: HookProgress) => void
  /** Told what a hook said that nobody waited for. Must not throw. */
  readonly onLate?: (result: LateHookResult) => void
}
