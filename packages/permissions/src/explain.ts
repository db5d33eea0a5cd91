import type { PermissionDecision } from '@x/contract'
import { describeSource } from './describe-source.ts'
import { ruleLayers } from './rule.ts'
import type { Verdict } from './verdict.ts'

/** A decision as data for programs and as text for people. Plain JSON. */
export interface Explanation {
  /** What was decided. */
  readonly behavior: 'allow' | 'ask' | 'deny'
  /** Why, in one sentence. */
  readonly reason: string
  /** The rule that decided, as written. */
  readonly rule: string | null
  /** The layer of the rule. */
  readonly source: string | null
  /** The file that the rule stands in. */
  readonly file: string | null
  /** The part of the call that decided. */
  readonly part: string | null
  /** Rules that would allow what is not covered, smallest first, with what else they would allow. */
  readonly suggestions: readonly {
    /** The rule, mode or folder. */
    readonly rule: string
    /** What else it would allow. */
    readonly alsoAllows: string
  }[]
  /** All of it for people, in a few lines. */
  readonly text: string
}

/** Explains a verdict or a settled decision. */
export function explain(decision: Verdict | PermissionDecision): Explanation {
  const { behavior, reason } = decision
  const suggestions = 'suggestions' in decision ? (decision.suggestions ?? []) : []
  const plain = {
    behavior,
    reason: reason.detail,
    rule: reason.rule ?? null,
    source: reason.source ?? null,
    file: reason.file ?? null,
    part: reason.part ?? null,
    suggestions: suggestions.map(({ text, alsoAllows }) => ({ rule: text, alsoAllows })),
  }
  return { ...plain, text: toText(plain) }
}

function toText({
  behavior,
  reason,
  rule,
  source,
  file,
  part,
  suggestions,
}: Omit<Explanation, 'text'>): string {
  const layer = ruleLayers.find((name) => name === source)
  const from =
    layer === undefined
      ? ''
      : ` (${describeSource({ behavior: 'ask', text: '', layer, ...(file === null ? {} : { file }) })})`
  return [
    `${behavior}: ${reason}`,
    ...(part === null ? [] : [`  part: ${part}`]),
    ...(rule === null ? [] : [`  rule: ${rule}${from}`]),
    ...suggestions.map((one) => `  would be allowed by: ${one.rule} (also allows: ${one.alsoAllows})`),
  ].join('\n')
}
