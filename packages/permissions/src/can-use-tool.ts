import type { ContentBlock, JsonObject } from '@x/contract'
import { isRecord } from './is-record.ts'
import type { PermissionUpdate } from './permission-update.ts'
import type { Verdict } from './verdict.ts'

/** What a permission callback is told besides tool and input. */
export interface CanUseToolContext {
  /** Aborts when the question has become pointless. */
  readonly signal: AbortSignal
  /** The id of the call. */
  readonly toolUseID: string
  /** The id of this question. */
  readonly requestId: string
  /** The subagent that asks; absent in the main session. */
  readonly agentID?: string
  /** Why the question is asked; where hooks ask, a line for each, with where it comes from: `[plugin:NAME] Sure?` */
  readonly decisionReason?: string
  /** The path that the question is about. */
  readonly blockedPath?: string
  /** Changes that would make the question needless; give them back as `updatedPermissions` to remember the answer. */
  readonly suggestions?: readonly PermissionUpdate[]
  /** All that is known of the question: what is not covered, what suggestions would also allow, what may be lost. */
  readonly verdict: Verdict
}

/** The answer of a permission callback. */
export type PermissionAnswer =
  | {
      /** The call may run. */
      readonly behavior: 'allow'
      /** The input to run with. @default the input that was asked about */
      readonly updatedInput?: JsonObject
      /** What to remember. @default nothing */
      readonly updatedPermissions?: readonly PermissionUpdate[]
      /** Told to the model with the result. */
      readonly feedback?: string
      /** Goes to the model with the result. */
      readonly content?: readonly ContentBlock[]
    }
  | {
      /** The call does not run. */
      readonly behavior: 'deny'
      /** For the model. */
      readonly message?: string
      /** A bare No: the query ends, but for a subagent. @default false */
      readonly interrupt?: boolean
      /** What to remember. @default nothing */
      readonly updatedPermissions?: readonly PermissionUpdate[]
    }

/** Asks the host whether a call may run; `null` where it has been answered elsewhere. No time limit; a rejection is a deny. */
export type CanUseToolCallback = (
  toolName: string,
  input: JsonObject,
  context: CanUseToolContext,
) => Promise<PermissionAnswer | null>

/** Tells whether a value from outside is an answer. */
export function isPermissionAnswer(value: unknown): value is PermissionAnswer {
  if (!isRecord(value)) return false
  const { behavior, updatedInput, updatedPermissions } = value
  if (updatedInput !== undefined && !isRecord(updatedInput)) return false
  if (updatedPermissions !== undefined && !Array.isArray(updatedPermissions)) return false
  return behavior === 'allow' || behavior === 'deny'
}
