import type { DecisionReason } from '@x/contract'
import type { OpenPart } from './checker.ts'
import type { PermissionUpdate } from './permission-update.ts'

/** A rule, mode or folder that would make the question needless. */
export interface Suggestion {
  /** What to do, in the shape that callbacks know. */
  readonly update: PermissionUpdate
  /** The same for people: the rule, the mode or the folder. */
  readonly text: string
  /** What else it would allow, for people. */
  readonly alsoAllows: string
}

/** What permissions say about a call, before anybody is asked. */
export interface Verdict {
  /** The call may run, may not, or a person must say. */
  readonly behavior: 'allow' | 'ask' | 'deny'
  /** What it rests on: rule, mode, or what was found, and which part of the call. */
  readonly reason: DecisionReason
  /** For the model, where the call may not run. */
  readonly message?: string
  /** In `auto` mode: a classifier may answer in place of the person. */
  readonly isForClassifier?: boolean
  /** The call is itself a question to the user: only a person may answer. */
  readonly needsPerson?: boolean
  /** The path that the question is about. */
  readonly blockedPath?: string
  /** What is not covered by any rule, mode or built-in approval. */
  readonly open?: readonly OpenPart[]
  /** Smallest first. Empty where an answer cannot be remembered. */
  readonly suggestions?: readonly Suggestion[]
  /** What the command may destroy, for the person who is asked. */
  readonly warning?: string
}
