import type { ContentBlock } from './blocks.ts'
import type { ToolUseContext } from './context.ts'
import type { JsonObject } from './messages.ts'
import type { Tool } from './tool.ts'

/** What a permission decision rests on. */
export interface DecisionReason {
  /** What kind of thing decided. */
  readonly type: 'rule' | 'mode' | 'hook' | 'tool' | 'safety' | 'user' | 'nobody-to-ask'
  /** For people: which rule, which mode, which part of the command. */
  readonly detail: string
  /** The rule as written, if one decided. */
  readonly rule?: string
  /** The layer of settings that the rule comes from. */
  readonly source?: string
  /** The file that the rule stands in. */
  readonly file?: string
  /** The part of the call that decided: one command of a script, a path, a host. */
  readonly part?: string
}

/** The call may run, perhaps with another input, feedback for the model, or extra content (an image). */
export interface PermissionAllow {
  /** Tells the answers apart. */
  readonly behavior: 'allow'
  /** Takes the place of the input; parsed and judged anew. */
  readonly updatedInput?: JsonObject
  /** What the person said with the approval; the model gets it with the result. */
  readonly feedback?: string
  /** Goes to the model with the result. */
  readonly content?: readonly ContentBlock[]
  /** Why it may run. */
  readonly reason: DecisionReason
}

/** The call does not run. With `interrupt` (the user's bare No) the query ends after it. */
export interface PermissionDeny {
  /** Tells the answers apart. */
  readonly behavior: 'deny'
  /** For the model: why, and what would be allowed. */
  readonly message: string
  /** Ends the query after this answer. @default false */
  readonly interrupt?: boolean
  /** Nobody refused: a hook puts the call off. It stays open, and the query ends. @default false */
  readonly isDeferral?: boolean
  /** Why it may not run. */
  readonly reason: DecisionReason
}

/** The settled answer to "may this call run?". Asking is done by whoever decides; nobody to ask is a deny. */
export type PermissionDecision = PermissionAllow | PermissionDeny

/** One call as hooks and permissions see it: derived fields filled in. */
export interface CallView {
  /** The tool that is called. */
  readonly tool: Tool
  /** The id of the call. */
  readonly toolUseId: string
  /** Parsed, with derived fields filled in. */
  readonly input: JsonObject
  /** The context the call began with. */
  readonly context: ToolUseContext
  /** Aborts when the answer no longer matters. */
  readonly signal: AbortSignal
}

/** What a PreToolUse hook thinks of the call; rules may be stricter, never looser than a deny. */
export interface HookVerdict {
  /** What the hook wants; `defer`: that the call is put off until the session goes on. */
  readonly behavior: 'allow' | 'deny' | 'ask' | 'defer'
  /** Why, for the model or the person who is asked. */
  readonly reason?: string
  /** Whether the hook also changed the input; only then its allow answers what is for the user to answer. @default false */
  readonly changedInput?: boolean
}

/** Decides whether a call may run. `prepare` may start slow work early; it is never awaited and must not throw. */
export interface Authorize {
  (call: CallView & { readonly hook?: HookVerdict }): Promise<PermissionDecision>
  /** Starts slow work early; never awaited, must not throw. */
  prepare?(call: CallView): void
}

/** The nested permission check a tool gets: may this other call run? */
export type CanUseTool = (tool: Tool, input: JsonObject) => Promise<PermissionDecision>

/** Does a permission rule such as `Bash(git *)` match this call? Throws nothing; a rule it cannot read matches nothing. */
// oxlint-disable-next-line max-params -- one plain function that hooks and permissions pass around; all four are required
export type MatchRule = (rule: string, toolName: string, input: JsonObject, cwd: string) => boolean
