import type { Tool } from '@x/contract'
import type { QueryOptions } from './session-options.ts'
import { parseToolRules, type ToolRule } from './tool-rules.ts'

/** The tools of a session, and the rules about what they may do. */
export interface SelectedTools {
  readonly tools: readonly Tool[]
  readonly allowed: readonly ToolRule[]
  readonly forbidden: readonly ToolRule[]
}

/**
 * Picks the tools of a session from the built-in ones by its options.
 *
 * A tool that a rule without a pattern forbids is taken away, under its old names too.
 *
 * @throws TypeError for an unknown built-in tool or an unreadable rule.
 */
export function selectTools(builtIn: readonly Tool[], options: QueryOptions): SelectedTools {
  const allowed = parseToolRules(options.allowedTools ?? [])
  const forbidden = parseToolRules(options.disallowedTools ?? []).map((rule) => byCurrentName(rule, builtIn))
  const extra = options.extraTools ?? []
  const replaced = new Set(extra.map(({ name }) => name))
  const chosen = pickBuiltIn(builtIn, options.tools ?? 'default').filter(({ name }) => !replaced.has(name))
  const tools = [...chosen, ...extra].filter(({ name }) => !forbidden.some((rule) => isWhole(rule, name)))
  return { tools, allowed: allowed.map((rule) => byCurrentName(rule, builtIn)), forbidden }
}

function pickBuiltIn(builtIn: readonly Tool[], wanted: readonly string[] | 'default'): readonly Tool[] {
  if (wanted === 'default') return builtIn
  const names = wanted
    .flatMap((text) => text.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.includes('default')) return builtIn
  const unknown = names.filter((name) => findByName(builtIn, name) === undefined)
  if (unknown.length > 0) {
    const known = builtIn.map(({ name }) => name).join(', ')
    throw new TypeError(`tools names ${unknown.join(', ')}, which does not exist; there are: ${known}`)
  }
  return builtIn.filter((tool) => names.some((name) => findByName(builtIn, name) === tool))
}

function findByName(tools: readonly Tool[], name: string): Tool | undefined {
  return tools.find((tool) => tool.name === name) ?? tools.find(({ aliases = [] }) => aliases.includes(name))
}

function byCurrentName(rule: ToolRule, tools: readonly Tool[]): ToolRule {
  return { ...rule, toolName: findByName(tools, rule.toolName)?.name ?? rule.toolName }
}

function isWhole(rule: ToolRule, toolName: string): boolean {
  return rule.toolName === toolName && rule.pattern === undefined
}
