import type { JsonObject } from '@x/contract'
import {
  type CheckContext,
  createPermissions,
  type PermissionRule,
  type Permissions,
  type PermissionsOptions,
  type RuleLayer,
  splitRuleList,
} from '../src/index.ts'

const behaviors = { '+': 'allow', '-': 'deny', '?': 'ask' } as const

/** Rules in short: `+ Bash(npm test) - Bash(rm *)`; rules hold no ` + `, ` - ` or ` ? `. */
export function rulesOf(text: string, layer: RuleLayer = 'project'): PermissionRule[] {
  return text
    .split(/(?:^|\s)(?=[+?-] )/)
    .filter((part) => part !== '')
    .flatMap((part) => {
      const sign = part[0] === '+' || part[0] === '?' ? part[0] : '-'
      const rest = part.slice(2).trim()
      const texts =
        /["]/.test(rest) || rest === 'Stop Task' ? [rest.replaceAll('"', '')] : splitRuleList(rest)
      return texts.map((rule) => ({ behavior: behaviors[sign], text: rule, layer }))
    })
}

/** Links by path; what is not listed is there and is no link. */
export type Links = Readonly<Record<string, string>>

/** Permissions for `/repo` with home `/home/u`, on a disk without links but the given ones. */
export function permissionsFor(
  rules: string | readonly PermissionRule[],
  options: PermissionsOptions & { readonly links?: Links } = {},
): Permissions {
  const { links = {}, ...rest } = options
  return createPermissions({
    rules: typeof rules === 'string' ? rulesOf(rules) : rules,
    cwd: '/repo',
    home: '/home/u',
    readLink: (path) => links[path] ?? true,
    ...rest,
  })
}

/** A call in short: a command, or a tool with a path or input. */
export type ShortCall = string | readonly [tool: string, target?: string | JsonObject]

const fields: Readonly<Record<string, string>> = {
  Grep: 'path',
  Glob: 'path',
  NotebookEdit: 'notebook_path',
  WebFetch: 'url',
  Monitor: 'command',
  PowerShell: 'command',
  Bash: 'command',
  Skill: 'skill',
  Agent: 'subagent_type',
}

/** The tool and input of a short call. */
export function toCall(call: ShortCall): { tool: string; input: JsonObject } {
  if (typeof call === 'string') return { tool: 'Bash', input: { command: call } }
  const [tool, target = {}] = call
  return typeof target === 'string'
    ? { tool, input: { [fields[tool] ?? 'file_path']: target } }
    : { tool, input: target }
}

/** The verdict in the words of the examples. */
export function outcome(permissions: Permissions, call: ShortCall, context?: CheckContext): string {
  const { tool, input } = toCall(call)
  if (permissions.isRemoved(tool)) return 'REMOVED'
  const { behavior, isForClassifier } = permissions.check(tool, input, context)
  return isForClassifier === true ? 'CLASSIFY' : behavior.toUpperCase()
}
