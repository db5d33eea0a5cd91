import { homedir } from 'node:os'
import type { JsonObject, MatchRule } from '@x/contract'
import { analyzeShell } from '@x/shell-analysis'
import type { Question } from './checker.ts'
import { createChecker } from './create-checker.ts'
import { createDisk } from './disk.ts'
import type { ReadLink } from './follow-links.ts'
import { parseRule } from './parse-rule.ts'
import { readLinkOf } from './resolve-path.ts'
import { createRuleSet, type RuleSet } from './rule-set.ts'
import { bashTools, canonicalName } from './tool-names.ts'

/** What paths in rules refer to. */
export interface MatchRuleOptions {
  /** The folder that `/path` refers to. @default the `cwd` of the question */
  readonly projectDir?: string
  /** The home folder. @default the user's */
  readonly home?: string
  /** Looks at one path on the disk, for links. @default the file system */
  readonly readLink?: ReadLink
}

/**
 * Makes the function that hooks ask whether an `if` rule matches a call.
 *
 * A shell command matches if some part of it does, wherever it stands; so does one that is not understood, or that holds
 * an expansion where the rule says more than the name of a command: a guard must not miss what is hidden. Never throws.
 *
 * @example
 * createMatchRule()('Bash(git *)', 'Bash', { command: 'ls && git push' }, '/repo') // true
 */
export function createMatchRule(options: MatchRuleOptions = {}): MatchRule {
  const compiled = new Map<string, RuleSet>()
  // oxlint-disable-next-line max-params -- the shape of the port
  return (rule, toolName, input, cwd) => {
    let rules = compiled.get(rule)
    if (!rules) {
      rules = createRuleSet([{ behavior: 'ask', text: rule, layer: 'project' }], true)
      compiled.set(rule, rules)
    }
    try {
      const question = ask({ options, rules, toolName, input, cwd })
      return createChecker(question).findForbidding('ask') !== undefined || isHidden(rule, question)
    } catch {
      return false
    }
  }
}

interface Call {
  readonly options: MatchRuleOptions
  readonly rules: RuleSet
  readonly toolName: string
  readonly input: JsonObject
  readonly cwd: string
}

function ask({ options, rules, toolName, input, cwd }: Call): Question {
  const { projectDir = cwd, home = homedir(), readLink = readLinkOf } = options
  return {
    toolName: canonicalName(toolName),
    aliases: [],
    input,
    rules,
    mode: 'default',
    places: { home, projectDir, startDir: projectDir, cwd, extraDirs: [] },
    disk: createDisk(readLink),
    isSandboxed: false,
    saysReadOnly: false,
  }
}

function isHidden(rule: string, { toolName, input }: Question): boolean {
  const parts = parseRule(rule)
  if (!parts.ok || !bashTools.has(canonicalName(parts.toolName)) || !bashTools.has(toolName)) return false
  if (parts.specifier === undefined || typeof input['command'] !== 'string') return false
  const { isUnderstood, commands } = analyzeShell(input['command'])
  if (!isUnderstood) return true
  const saysMore = /^\S+\s+[^\s*]/.test(parts.specifier.trim())
  return saysMore && commands.some(({ argv }) => argv.some(({ value }) => value === undefined))
}
