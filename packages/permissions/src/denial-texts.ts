import type { Question, RuleHit } from './checker.ts'
import { describeSource } from './describe-source.ts'
import { parseRule } from './parse-rule.ts'

/** What the model is told when a rule denies. */
export function denialText({ toolName, input }: Question, { rule, part }: RuleHit): string {
  const parts = parseRule(rule.text)
  const isRead = parts.ok && parts.toolName === 'Read'
  const hint = `A rule of the user (${rule.text}, ${describeSource(rule)}) forbids it; do not try to reach the same end another way.`
  if (isRead && /^(Edit|MultiEdit|Write)$/.test(toolName)) {
    const verb = toolName === 'Write' ? 'written' : 'edited'
    return `File is covered by a Read deny rule in your permission settings and cannot be ${verb}. ${hint}`
  }
  if (isRead && toolName !== 'Bash')
    return `File is in a directory that is denied by your permission settings. ${hint}`
  const { command } = input
  const subject = typeof command === 'string' ? `${toolName} with command ${command}` : toolName
  const where = part === undefined || part === command ? '' : ` The part that is denied: ${part}.`
  return `Permission to use ${subject} has been denied.${where} ${hint}`
}

/** What the model is told in a mode that asks nobody. */
export function dontAskText({ toolName }: Question, why: string): string {
  return `Permission to use ${toolName} has been denied because the session runs in dontAsk mode, which denies what would need a question: ${why}. Go on with what is permitted, or say what you would need.`
}

/** What the model is told when nobody can be asked. */
export function nobodyText(toolName: string, why: string, remedies: readonly string[]): string {
  const remedy = remedies.length === 0 ? '' : ` The user could allow it with ${remedies.join(' or ')}.`
  return `Claude requested permissions to use ${toolName}, but you haven't granted it yet. Nobody can be asked in this session, and ${why}.${remedy} Do not work around this; go on with what is permitted, or say what you would need.`
}
