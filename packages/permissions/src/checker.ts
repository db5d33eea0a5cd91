import type { JsonObject } from '@x/contract'
import type { Disk } from './disk.ts'
import type { PermissionMode } from './mode.ts'
import type { Places } from './places.ts'
import type { PermissionRule } from './rule.ts'
import type { RuleSet } from './rule-set.ts'

/** One call and all that its judgement rests on. */
export interface Question {
  /** Canonical name of the tool. */
  readonly toolName: string
  /** Old names of the tool: rules may still use them. */
  readonly aliases: readonly string[]
  /** What the tool is asked to do, as the model and the hooks left it. */
  readonly input: JsonObject
  /** The rules. */
  readonly rules: RuleSet
  /** The mode. */
  readonly mode: PermissionMode
  /** The folders. */
  readonly places: Places
  /** Looks at links; remembers what it saw for the length of the judgement. */
  readonly disk: Disk
  /** Whether this shell command would run in a sandbox that makes asking needless. */
  readonly isSandboxed: boolean
  /** The file that plan mode may write. */
  readonly planFile?: string
  /** Whether the tool says of itself that it only reads here. */
  readonly saysReadOnly: boolean
}

/** A rule that matches, and which part of the call it matches. */
export interface RuleHit {
  /** The rule. */
  readonly rule: PermissionRule
  /** The part: a command of a script, a path, a host. */
  readonly part?: string
}

/** What a kind of tool answers about one call. Each method is asked only if those before it decided nothing. */
export interface Checker {
  /** A rule of the kind that matches some part of the call, or a part of which it cannot be told. */
  findForbidding(behavior: 'deny' | 'ask'): RuleHit | undefined
  /** Why it cannot be told whether a rule that forbids matches; undefined when it can. */
  findDoubt?(): string | undefined
  /** A removal that nothing but a person may allow. */
  findCritical?(): Finding | undefined
  /** A write to a file that guards the project. */
  findProtected?(): OpenPart | undefined
  /** Whether the call is an edit or a command that changes something, which plan mode asks about. */
  changesSomething(): boolean
  /** Why the call may run without asking, or which parts may not. */
  judge(): Judgement
}

/** Something that was found, told to people. */
export interface Finding {
  /** A sentence without a full stop. */
  readonly detail: string
  /** The part of the call. */
  readonly part?: string
  /** The path, if it is one. */
  readonly path?: string
}

/** The call may run and why, or what is not covered. */
export type Judgement =
  | {
      readonly isAllowed: true
      readonly by: 'rule' | 'mode' | 'tool'
      readonly detail: string
      readonly hit?: RuleHit
    }
  | {
      readonly isAllowed: false
      readonly open: readonly OpenPart[]
      /** Nobody can tell what it does, so that no allow of a hook covers it. */
      readonly isUnclear?: boolean
    }

/** A part of a call that nothing allows. */
export interface OpenPart extends Finding {
  /** The rule that would allow this part and no more than it must. */
  readonly suggestion?: Suggestable
}

/** What a rule that a person may add would say. */
export interface Suggestable {
  /** The rule, or folder to add, or mode. */
  readonly kind: 'rule' | 'session-rule' | 'directory' | 'mode'
  /** Text of the rule, or path of the folder, or name of the mode. */
  readonly text: string
  /** What else it would allow, for people. */
  readonly alsoAllows: string
}
