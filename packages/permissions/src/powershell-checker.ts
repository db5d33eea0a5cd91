import type { Checker, Finding, Judgement, OpenPart, Question, RuleHit } from './checker.ts'
import { findOwnRule, isInside } from './file-checker.ts'
import { createGenericChecker } from './other-checkers.ts'
import { findPath, isBelow } from './places.ts'
import { normalizeCmdlet } from './powershell-names.ts'
import { type PowerShellParts, splitPowerShell } from './powershell-split.ts'
import { isProtectedPath } from './protected-paths.ts'
import type { RuleBehavior } from './rule.ts'

/** Checks calls of the PowerShell tool: cmdlets and aliases by name; what is not understood asks. */
export function createPowerShellChecker(question: Question): Checker {
  const { command } = question.input
  if (typeof command !== 'string') return createGenericChecker(question)
  const parts = splitPowerShell(command)
  return {
    findForbidding: (behavior) => findForbidding(question, parts, behavior),
    findDoubt: () => findDoubt(question, parts),
    findCritical: () => findWideRemoval(question, parts),
    changesSomething: () => true,
    judge: () => judge(question, parts),
  }
}

function findForbidding(
  question: Question,
  parts: PowerShellParts,
  behavior: 'deny' | 'ask',
): RuleHit | undefined {
  const own = question.isSandboxed && behavior === 'ask' ? undefined : findOwnRule(question, behavior)
  if (own) return own
  for (const part of parts.commands) {
    const hit = matchCommand(question, part, behavior)
    if (hit) return hit
  }
  if (parts.isUnderstood) return undefined
  for (const command of parts.commands) {
    const hit = findHidden(question, command, behavior)
    if (hit) return hit
  }
  return undefined
}

/** In what is not understood, names may stand behind any sign. Only ends with a rule about their first word are made: all are too much. */
function findHidden(question: Question, command: string, behavior: RuleBehavior): RuleHit | undefined {
  const words = command.split(/[\s{}()&<>"'`]+(?=\S)/)
  for (const [index, word] of words.entries()) {
    if (question.rules.ofCommand(behavior, 'PowerShell', normalizeCmdlet(word)).length === 0) continue
    const hit = matchCommand(question, words.slice(index).join(' '), behavior)
    if (hit) return hit
  }
  return undefined
}

function matchCommand({ rules }: Question, part: string, behavior: RuleBehavior): RuleHit | undefined {
  const command = normalizeCmdlet(part)
  if (command === '') return undefined
  const found = rules
    .ofCommand(behavior, 'PowerShell', command)
    .find(({ matcher }) => matcher.kind === 'command' && matcher.pattern.matches(command))
  return found && { rule: found.rule, part }
}

function findDoubt({ rules }: Question, { isUnderstood }: PowerShellParts): string | undefined {
  const forbidding = [...rules.of('deny', 'PowerShell'), ...rules.of('ask', 'PowerShell')]
  return isUnderstood || forbidding.length === 0 ? undefined : 'not all that it runs can be told'
}

/** Finds a removal that is denied in every mode: the system, or a pattern. */
export function findDeniedRemoval({ places, input }: Question): Finding | undefined {
  const { command } = input
  if (typeof command !== 'string') return undefined
  for (const part of splitPowerShell(command).commands) {
    const target = targetsOf(part).find((word) => isDeniedTarget(word, places.home))
    if (target) return { detail: `Remove-Item ${target} would remove too much`, part }
  }
  return undefined
}

function isDeniedTarget(word: string, home: string): boolean {
  const path = word.replaceAll('\\', '/')
  if (path === '*' || path.endsWith('/*')) return true
  if (/^[A-Za-z]:(\/+[^/]*\/?)?$/.test(path) || /^\/+[^/]*\/?$/.test(path)) return true
  return /^(~|\$home|\$env:(userprofile|home))\/?$/i.test(path) || path.replace(/\/$/, '') === home
}

/** The working directory or a folder above it, with everything below. */
function findWideRemoval({ places, disk }: Question, { commands }: PowerShellParts): Finding | undefined {
  for (const part of commands) {
    if (!/\s-r/i.test(part)) continue
    const target = targetsOf(part).find((word) => {
      const { plain } = findPath(word.replaceAll('\\', '/'), places, disk)
      return isBelow(places.cwd, plain) || isBelow(places.projectDir, plain)
    })
    if (target) return { detail: `Remove-Item ${target} would remove the project`, part }
  }
  return undefined
}

function targetsOf(part: string): readonly string[] {
  const [name, ...words] = wordsOf(part)
  if (normalizeCmdlet(name ?? '') !== 'remove-item') return []
  return words.filter((word) => !word.startsWith('-')).flatMap((word) => word.split(','))
}

function wordsOf(part: string): readonly string[] {
  return (part.match(/'[^']*'|"[^"]*"|[^\s"']+/g) ?? []).map((word) => word.replaceAll(/^['"]|['"]$/g, ''))
}

function judge(question: Question, parts: PowerShellParts): Judgement {
  if (!parts.isUnderstood)
    return { isAllowed: false, open: [{ detail: 'it is not understood' }], isUnclear: true }
  const bare = question.rules.of('allow', 'PowerShell').find(({ matcher }) => matcher.kind === 'any')
  if (bare)
    return { isAllowed: true, by: 'rule', detail: 'every command is allowed', hit: { rule: bare.rule } }
  if (question.isSandboxed) return { isAllowed: true, by: 'mode', detail: 'it runs in the sandbox' }
  const hits = parts.commands.map((part) => matchCommand(question, part, 'allow'))
  const open = parts.commands.flatMap((part, index): OpenPart[] =>
    hits[index] || isFileCmdletInScope(question, part) ? [] : [toOpen(part)],
  )
  if (open.length > 0 || parts.commands.length === 0) return { isAllowed: false, open }
  const hit = hits.find((one) => one !== undefined)
  return hit
    ? { isAllowed: true, by: 'rule', detail: 'every part is allowed', hit }
    : {
        isAllowed: true,
        by: 'mode',
        detail: `${question.mode} mode allows simple file commands inside the working directories`,
      }
}

function toOpen(part: string): OpenPart {
  const [name = ''] = part.split(/\s/, 1)
  const text = `PowerShell(${name} *)`
  const suggestion = { kind: 'rule' as const, text, alsoAllows: `every command that begins with "${name}"` }
  return { detail: `${part} may change something`, part, ...(/^[\w-]+$/.test(name) ? { suggestion } : {}) }
}

/** Documented for acceptEdits; an argument with a quote asks. */
function isFileCmdletInScope(question: Question, part: string): boolean {
  if (question.mode !== 'acceptEdits' && question.mode !== 'auto') return false
  const [name = '', ...words] = part.split(/\s+/)
  if (!/^(set-content|add-content|clear-content|remove-item)$/.test(normalizeCmdlet(name))) return false
  if (/["'$*?[\]`]/.test(part)) return false
  const files = words.filter((word) => !word.startsWith('-'))
  return files.length > 0 && files.every((word) => isPlainFile(question, word))
}

function isPlainFile(question: Question, word: string): boolean {
  const path = findPath(word.replaceAll('\\', '/'), question.places, question.disk)
  return isInside(path, question) && !isProtectedPath(path)
}
