import type { z } from 'zod'
import type { ToolResultBlock } from './blocks.ts'
import type { ToolUseContext } from './context.ts'
import type { AssistantMessage, InputJsonSchema, JsonObject, UserMessage } from './messages.ts'
import type { CanUseTool } from './permission.ts'

/** What `call()` gives back. */
export interface ToolResult<Output> {
  /** The output; `mapResult` says it to the model. */
  readonly data: Output
  /** The call ran, but what it reports is a failure (a non-zero exit code, say). @default false */
  readonly isError?: boolean
  /** Messages that join the conversation behind all results of the turn. */
  readonly newMessages?: readonly UserMessage[]
  /** Makes the context of the calls after this one; counts only for a call that is not concurrency safe. */
  readonly contextModifier?: (context: ToolUseContext) => ToolUseContext
  /** Structured content and `_meta` of an MCP result; reaches program consumers unchanged. */
  readonly mcpMeta?: JsonObject
}

/** What happens to a running call when the user sends a message that should be heard now. */
export type InterruptBehavior = 'cancel' | 'block'

/** What a tool says about itself. A declaration that is missing or throws counts as its closed value. */
export interface ToolDeclarations<Input> {
  /** May run beside other calls that say so. @default false */
  isConcurrencySafe?(input: Input): boolean
  /** Changes nothing, so it may be approved without asking. @default false */
  isReadOnly?(input: Input): boolean
  /** Deletes or overwrites. @default false */
  isDestructive?(input: Input): boolean
  /** A failure of this call makes its parallel siblings pointless. @default false */
  failureCancelsSiblings?(input: Input): boolean
  /** @default 'block' */
  interruptBehavior?(): InterruptBehavior
  /** The schema is not sent until the tool is asked for through tool search. @default false */
  readonly shouldDefer?: boolean
  /** Never deferred. @default false */
  readonly alwaysLoad?: boolean
  /** An approval counts only if it comes from a person. @default false */
  readonly requiresUserInteraction?: boolean
  /** A longer result goes to disk; the model gets a preview and the path. `Infinity`: the tool bounds itself. @default 100_000 */
  readonly maxResultSizeChars?: number
}

/** The answer of `validateInput`: fine, or what is wrong, told to the model. */
export type InputVerdict =
  | {
      /** Nothing is wrong. */
      readonly ok: true
    }
  | {
      /** The call must not run. */
      readonly ok: false
      /** For the model: what is wrong, and what would be right. */
      readonly message: string
    }

/**
 * One tool. The author writes `call()` and declarations; validation, hooks, permissions, scheduling, size limits and
 * result mapping belong to the framework.
 *
 * In a literal, `call` stands before `mapResult`: the output type is inferred in that order.
 */
export interface Tool<Schema extends z.ZodType = z.ZodType, Output = unknown, Progress = unknown>
  extends ToolDeclarations<z.output<Schema>> {
  /** 1 to 128 letters, digits, `_` or `-`; the model calls it by this name. */
  readonly name: string
  /** Old names that keep working. */
  readonly aliases?: readonly string[]
  /** For the model: when to use it, and when not, naming the better tool. */
  readonly description: string
  /** Strict: an unknown key is an error that the model sees, never stripped. */
  readonly inputSchema: Schema
  /** The MCP server that brings it. Hooks are told; nothing else depends on it. @default it is no tool of a server */
  readonly mcpServer?: {
    /** The server's name in the configuration. */
    readonly name: string
    /** Where it was configured: `user`, `project`, `plugin`, `sdk` (a program made it) ... */
    readonly source: string
  }
  /** Sent to the model instead of the schema derived from `inputSchema` (MCP tools bring theirs). */
  readonly inputJsonSchema?: InputJsonSchema
  /** Checks values, before hooks and permissions. */
  validateInput?(input: z.output<Schema>, context: ToolUseContext): Promise<InputVerdict>
  /** Makes the copy that hooks and permissions see (absolute paths, derived fields); `call()` gets the original. */
  backfillInput?(input: z.output<Schema>, context: ToolUseContext): z.output<Schema>
  /** Does the work. `args` are always valid. Rejects for a failure; `onProgress` may be called until it settles. */
  call(
    args: z.output<Schema>,
    context: ToolUseContext,
    canUseTool: CanUseTool,
    parentMessage: AssistantMessage,
    onProgress: (progress: Progress) => void,
  ): Promise<ToolResult<Output>>
  /** Says it to the model. */
  mapResult(output: Output, toolUseId: string): ToolResultBlock
}
