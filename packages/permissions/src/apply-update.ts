import { formatRule } from './parse-rule.ts'
import type { PermissionRuleValue, PermissionUpdate } from './permission-update.ts'
import type { PermissionRule, RuleLayer } from './rule.ts'

type RuleUpdate = Extract<PermissionUpdate, { rules: readonly PermissionRuleValue[] }>

/** The rules after an update of one layer. */
export function applyRuleUpdate(
  rules: readonly PermissionRule[],
  { type, behavior, rules: values }: RuleUpdate,
  layer: RuleLayer,
): readonly PermissionRule[] {
  const texts = values.map(({ toolName, ruleContent }) =>
    formatRule(ruleContent === undefined ? { toolName } : { toolName, specifier: ruleContent }),
  )
  const isOwn = (rule: PermissionRule): boolean =>
    rule.behavior === behavior && (rule.layer ?? 'session') === layer
  const kept = rules.filter((rule) => !isOwn(rule) || (type !== 'replaceRules' && !texts.includes(rule.text)))
  return type === 'removeRules' ? kept : [...kept, ...texts.map((text) => ({ behavior, text, layer }))]
}
