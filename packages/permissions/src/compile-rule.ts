import { compileCommandPattern } from './command-pattern.ts'
import type { CompiledRule, Matcher } from './compiled-rule.ts'
import { compileFieldMatcher, readFieldRule } from './field-rule.ts'
import { compileHostMatcher } from './host-matcher.ts'
import { parseRule, type RuleParts } from './parse-rule.ts'
import { compilePathMatcher } from './path-matcher.ts'
import { compileShellPattern } from './powershell-names.ts'
import type { PermissionRule } from './rule.ts'
import { bashTools, canonicalName, isKnownTool } from './tool-names.ts'

/** A rule that counts, perhaps with a warning, or the reason why it does not. */
export type Compilation =
  | { readonly compiled: CompiledRule; readonly warning?: string }
  | { readonly compiled?: undefined; readonly warning: string }

/**
 * Reads one rule once and for all. Never throws: what cannot be read is left out with a warning.
 * Narrow: `src/**` means that folder only, in rules that forbid too.
 */
export function compileRule(rule: PermissionRule, isNarrow = false): Compilation {
  const parts = parseRule(rule.text)
  if (!parts.ok) return { warning: parts.message }
  const toolName = canonicalName(parts.toolName)
  if (toolName.includes('*') && rule.behavior === 'allow' && !/^mcp__[^*]+__/.test(toolName)) {
    return {
      warning: `"${rule.text}" allows nothing: a * in the name of an allow rule must stand behind mcp__<server>__`,
    }
  }
  const matcher = compileSpecifier(parts, rule, isNarrow)
  const mistake = findMistake(toolName, rule)
  if (typeof matcher === 'string') return { warning: mistake ?? `"${rule.text}" has no effect: ${matcher}` }
  const compiled = { rule, toolName, matcher }
  // A rule that allows a tool that is not there yet does no harm.
  return mistake === undefined || rule.behavior === 'allow' ? { compiled } : { compiled, warning: mistake }
}

/** Tools of others have a `_` in their names. */
function findMistake(toolName: string, { text }: PermissionRule): string | undefined {
  if (/[_*]/.test(toolName) || isKnownTool(toolName)) return undefined
  return `"${text}" names no tool that is known; upper and lower case count`
}

type Compile = (specifier: string, rule: PermissionRule, isNarrow: boolean) => Matcher | string

const byTool: ReadonlyMap<string, Compile> = new Map<string, Compile>([
  ...[...bashTools].map((name): [string, Compile] => [
    name,
    (text) => ({ kind: 'command', pattern: compileCommandPattern(text) }),
  ]),
  ['PowerShell', (text) => ({ kind: 'command', pattern: compileShellPattern(text) })],
  ['Read', compilePathMatcher],
  ['Edit', compilePathMatcher],
  ['Cd', compilePathMatcher],
  ['WebFetch', compileHostMatcher],
  ['Agent', (text) => exactly(text)],
  ['Skill', compileSkill],
])

function compileSpecifier(
  { toolName: name, specifier }: RuleParts,
  rule: PermissionRule,
  isNarrow: boolean,
): Matcher | string {
  if (specifier === undefined) return { kind: 'any' }
  const toolName = canonicalName(name)
  const field = rule.behavior === 'allow' ? undefined : readFieldRule(toolName, specifier)
  if (typeof field === 'string') return field
  if (field) return compileFieldMatcher(field)
  const compile = byTool.get(toolName)
  return compile ? compile(specifier, rule, isNarrow) : whyNoSpecifier(toolName)
}

function whyNoSpecifier(toolName: string): string {
  if (/^(Write|NotebookEdit|MultiEdit)$/.test(toolName)) return `write Edit(path), it covers ${toolName} too`
  if (/^(Glob|Grep|LS|LSP)$/.test(toolName)) return `write Read(path), it covers ${toolName} too`
  return `${toolName} takes nothing in parentheses here`
}

function exactly(text: string): Matcher {
  const name = text.trim()
  return { kind: 'text', matches: (other) => other === name }
}

/** `name` is one skill without or with arguments as they stand, `name *` any arguments. */
function compileSkill(text: string): Matcher {
  const pattern = compileCommandPattern(text.replace(/^\//, ''))
  return { kind: 'text', matches: (skill) => pattern.matches(skill) }
}
