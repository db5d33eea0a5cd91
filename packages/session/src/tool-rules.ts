import type { JsonObject } from '@x/contract'
import { analyzeShell, type SimpleCommand } from '@x/shell-analysis'

/** One rule of `allowedTools` or `disallowedTools`: a tool, or a tool with a pattern for what it is asked to do. */
export interface ToolRule {
  readonly toolName: string
  /** `npm test`, `git log *`, `src/**`; absent: every call of the tool. */
  readonly pattern?: string
}

const ruleText = /[^\s,()]+(?:\([^)]*\))?/g

/**
 * Reads rules; several may stand in one text, apart by commas or blanks outside parentheses.
 *
 * @throws TypeError if a text holds something that is no rule.
 */
export function parseToolRules(texts: readonly string[]): readonly ToolRule[] {
  return texts.flatMap((text) => {
    if (!/^[\s,]*$/.test(text.replaceAll(ruleText, ''))) throw notARule(text)
    return (text.match(ruleText) ?? []).map(parseToolRule)
  })
}

function parseToolRule(text: string): ToolRule {
  const match = /^([A-Za-z_][\w-]*)(?:\((.*)\))?$/s.exec(text)
  if (match === null) throw notARule(text)
  const [, toolName = '', pattern] = match
  return pattern === undefined || pattern === '*' ? { toolName } : { toolName, pattern }
}

function notARule(text: string): TypeError {
  return new TypeError(`"${text}" is not a tool rule; write Tool or Tool(pattern), e.g. Bash(npm test *)`)
}

/**
 * Does every part of the call fall under one of the rules? Parts of a shell command that only read need no rule; a command
 * that was not understood, or that writes a file by redirection, falls under none with a pattern.
 */
export function isAllowedBy(rules: readonly ToolRule[], toolName: string, input: JsonObject): boolean {
  const own = rules.filter((rule) => rule.toolName === toolName)
  if (own.some(({ pattern }) => pattern === undefined)) return true
  if (toolName !== 'Bash') return pathsOf(input).some((path) => own.some((rule) => matches(rule, path)))
  const analysis = analyzeShell(commandOf(input))
  if (!analysis.isUnderstood || analysis.writes.some(({ by }) => by === 'redirection')) return false
  return analysis.commands.every(
    ({ isReadOnly, text }) => isReadOnly || own.some((rule) => matches(rule, text)),
  )
}

/** Does some part of the call fall under one of the rules? Where that cannot be told, it does. */
export function isForbiddenBy(rules: readonly ToolRule[], toolName: string, input: JsonObject): boolean {
  const own = rules.filter((rule) => rule.toolName === toolName)
  if (own.length === 0) return false
  if (own.some(({ pattern }) => pattern === undefined)) return true
  if (toolName !== 'Bash') return pathsOf(input).some((path) => own.some((rule) => matches(rule, path)))
  const { isUnderstood, commands } = analyzeShell(commandOf(input))
  return (
    !isUnderstood ||
    commands.some((command) =>
      own.some((rule) => matches(rule, command.text) || matches(rule, withoutPrefix(command))),
    )
  )
}

/** A rule about `rm *` also means `A=1 /bin/rm x`. */
function withoutPrefix({ argv, program }: SimpleCommand): string {
  return [program ?? '', ...argv.slice(1).map(({ value, text }) => value ?? text)].join(' ')
}

function commandOf({ command }: JsonObject): string {
  return typeof command === 'string' ? command : ''
}

function pathsOf({ file_path: filePath, path }: JsonObject): readonly string[] {
  return [filePath, path].filter((value) => typeof value === 'string')
}

/** `*` stands for any text; a trailing ` *` or `:*` also for none. */
function matches({ pattern = '*' }: ToolRule, text: string): boolean {
  const open = pattern.replace(/(?::\*| \*)$/, '')
  if (open !== pattern && text === open) return true
  const source = pattern
    .replace(/:\*$/, ' *')
    .split('*')
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${source.join('.*')}$`, 's').test(text)
}
