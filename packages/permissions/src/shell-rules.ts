import type { SimpleCommand } from '@x/shell-analysis'
import type { Question, RuleHit } from './checker.ts'
import { commandForms } from './command-forms.ts'
import type { CompiledRule } from './compiled-rule.ts'
import { findFileRule } from './file-checker.ts'
import type { ShellCall } from './shell-call.ts'

type Forbidding = 'deny' | 'ask'

/** Finds a rule that forbids, or asks about, some command of the script or some file it opens. */
export function findShellRule(
  question: Question,
  call: ShellCall,
  behavior: Forbidding,
): RuleHit | undefined {
  return (
    findGeneralRule(question, behavior) ??
    findCommandRule(question, call, behavior) ??
    findAccessRule(question, call, behavior)
  )
}

/** Rules about every command, and about fields of the input. */
function findGeneralRule(question: Question, behavior: Forbidding): RuleHit | undefined {
  for (const name of toolsOf(question)) {
    const bare = question.rules.bare(behavior, name)
    if (bare && (behavior === 'deny' || !question.isSandboxed)) return { rule: bare.rule }
    const found = question.rules
      .ofFields(behavior, name)
      .find(({ matcher }) => matcher.kind === 'field' && matcher.matches(question.input))
    if (found) return { rule: found.rule }
  }
  return undefined
}

/** What Monitor runs is a Bash command too. */
export function toolsOf({ toolName }: Question): readonly string[] {
  return toolName === 'Monitor' ? ['Bash', 'Monitor'] : [toolName]
}

function findCommandRule(question: Question, call: ShellCall, behavior: Forbidding): RuleHit | undefined {
  const whole = matchCommand(question, call.source.trim(), behavior)
  if (whole) return { rule: whole.rule, part: call.source.trim() }
  for (const command of call.analysis.commands) {
    for (const form of commandForms(command).forbidding) {
      const found = matchCommand(question, form, behavior)
      if (found) return { rule: found.rule, part: command.text }
    }
  }
  return undefined
}

function matchCommand(question: Question, command: string, behavior: Forbidding): CompiledRule | undefined {
  if (command === '') return undefined
  for (const name of toolsOf(question)) {
    const found = question.rules
      .ofCommand(behavior, name, command)
      .find(({ matcher }) => matcher.kind === 'command' && matcher.pattern.matches(command))
    if (found) return found
  }
  return undefined
}

/** Programs whose reading is not covered by rules about reading, as documented; they are never allowed by themselves there. */
export const uncoveredReaders: ReadonlySet<string> = new Set(['egrep', 'fgrep'])

function findAccessRule(question: Question, call: ShellCall, behavior: Forbidding): RuleHit | undefined {
  const { commands } = call.analysis
  const writeFamilies = behavior === 'deny' ? ['Edit', 'Read'] : ['Edit']
  const reads = call.reads.filter(({ access }) => !uncoveredReaders.has(programAt(commands, access.command)))
  return (
    findAccess(question, call, { behavior, accesses: reads, families: ['Read'] }) ??
    findAccess(question, call, { behavior, accesses: call.writes, families: writeFamilies })
  )
}

interface AccessQuestion {
  readonly behavior: Forbidding
  readonly accesses: ShellCall['reads']
  readonly families: readonly string[]
}

function findAccess(
  question: Question,
  { analysis }: ShellCall,
  { behavior, accesses, families }: AccessQuestion,
): RuleHit | undefined {
  for (const { access, paths } of accesses) {
    for (const path of paths) {
      const hit = path.doubt === undefined ? findFileRule(question, families, { behavior, path }) : undefined
      const part = access.command === undefined ? path.text : analysis.commands[access.command]?.text
      if (hit) return part === undefined ? hit : { ...hit, part }
    }
  }
  return undefined
}

/** The program of a command, empty where there is none. */
export function programAt(commands: readonly SimpleCommand[], index: number | undefined): string {
  return index === undefined ? '' : (commands[index]?.program ?? '')
}
