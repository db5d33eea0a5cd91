import type { SimpleCommand } from '@x/shell-analysis'
import type { Question, RuleHit } from './checker.ts'
import { commandForms, hasHarmlessGitOptions } from './command-forms.ts'
import type { CompiledRule } from './compiled-rule.ts'
import { toolsOf } from './shell-rules.ts'

/** A command that a rule allows. */
export interface AllowedCommand {
  /** Tells it from what is allowed otherwise. */
  readonly by: 'rule'
  /** The rule. */
  readonly hit: RuleHit
  /** Whether the rule means this command only, or every command at all: then it covers what the command starts too. */
  readonly isExact: boolean
}

/** Finds a rule that allows one simple command. */
export function findCommandAllow(question: Question, command: SimpleCommand): AllowedCommand | undefined {
  if (!command.isNameStatic) return undefined
  const bare = toolsOf(question)
    .map((name) => question.rules.bare('allow', name))
    .find((rule) => rule !== undefined)
  if (bare) return { by: 'rule', hit: { rule: bare.rule, part: command.text }, isExact: true }
  return findNamedAllow(question, command)
}

/** A rule that says more than the name of the tool and allows the command. */
export function findNamedAllow(question: Question, command: SimpleCommand): AllowedCommand | undefined {
  if (command.argv.length === 0 || !command.isNameStatic) return undefined
  const needsExact = exactOnly.has(command.program ?? '') || runsByFind(command)
  const forms = commandForms(command).allowing.filter(
    (form, index) => index === 0 || hasHarmlessGitOptions(command) || !form.startsWith('git'),
  )
  for (const form of forms) {
    const found = rulesFor(question, form).find((rule) => allows(rule, form, needsExact))
    if (found?.matcher.kind !== 'command') continue
    const { isExact } = found.matcher.pattern
    return { by: 'rule', hit: { rule: found.rule, part: command.text }, isExact }
  }
  return undefined
}

function rulesFor(question: Question, form: string): readonly CompiledRule[] {
  return toolsOf(question).flatMap((name) => question.rules.ofCommand('allow', name, form))
}

function allows({ matcher }: CompiledRule, form: string, needsExact: boolean): boolean {
  if (matcher.kind !== 'command' || (needsExact && !matcher.pattern.isExact)) return false
  return matcher.pattern.matches(form)
}

/** Programs that no rule with a `*` allows: what they run changes from call to call. */
const exactOnly: ReadonlySet<string> = new Set(['watch', 'setsid', 'ionice', 'flock'])

function runsByFind({ program, argv }: SimpleCommand): boolean {
  if (program === 'fd' || program === 'fdfind') {
    return argv.some(({ prefix }) => /^(-[a-zA-Z]*[xX]|--exec)/.test(prefix))
  }
  if (program !== 'find') return false
  return argv.some(({ prefix }) => /^-(exec|execdir|ok|okdir|delete|fprint.*|fls)$/.test(prefix))
}
