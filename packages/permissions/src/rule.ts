/** What rules can do, strictest first. */
export const ruleBehaviors = ['deny', 'ask', 'allow'] as const

/** What a rule does with the calls it matches. */
export type RuleBehavior = (typeof ruleBehaviors)[number]

/** The places rules come from, highest first. Rules of all layers are pooled: one layer's deny beats another's allow. */
export const ruleLayers = ['managed', 'command-line', 'local', 'project', 'user', 'session'] as const

/**
 * Where a rule comes from. `command-line` is `--settings`, `--allowedTools` and the like, `session` what was answered in
 * this session.
 */
export type RuleLayer = (typeof ruleLayers)[number]

/** One rule as the user wrote it. */
export interface PermissionRule {
  /** What it does. */
  readonly behavior: RuleBehavior
  /** `Tool` or `Tool(specifier)`. */
  readonly text: string
  /** Where it comes from. It anchors paths that begin with `/`. @default 'session' */
  readonly layer?: RuleLayer
  /** The file it stands in, for explanations; for the layers `command-line` and `user` its folder anchors paths too. */
  readonly file?: string
}

/** Something about a rule that the user should be told at the start. The other rules count. */
export interface RuleProblem {
  /** The rule. */
  readonly rule: PermissionRule
  /** One sentence: what is wrong, and what would be right. */
  readonly message: string
}
