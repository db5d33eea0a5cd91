import type { Question } from './checker.ts'
import { commandForms } from './command-forms.ts'
import type { CompiledRule } from './compiled-rule.ts'
import { findHiddenFile } from './hidden-file.ts'
import type { ShellCall } from './shell-call.ts'
import { toolsOf } from './shell-rules.ts'
import { findZshPattern } from './zsh-pattern.ts'

/** Says why a rule that forbids may bite although none was found: what is hidden is never allowed. */
export function findShellDoubt(question: Question, call: ShellCall): string | undefined {
  return (
    findHiddenScript(question, call) ?? findHiddenArgument(question, call) ?? findHiddenFile(question, call)
  )
}

function findHiddenScript(question: Question, { analysis }: ShellCall): string | undefined {
  const pattern = findZshPattern(analysis)
  const isClear = analysis.isUnderstood && pattern === undefined
  if (isClear || !hasForbidding(question, [...toolsOf(question), 'Read', 'Edit'])) return undefined
  if (pattern !== undefined) return `not all that it runs can be told (${pattern} may run a command in zsh)`
  const [problem] = analysis.problems
  return `not all that it runs can be told (${problem?.message ?? 'it is not understood'})`
}

const forbidding = ['deny', 'ask'] as const

function findHiddenArgument(question: Question, { analysis }: ShellCall): string | undefined {
  for (const command of analysis.commands) {
    const { known } = commandForms(command)
    if (known === undefined) continue
    const found = toolsOf(question)
      .flatMap((name) => forbidding.flatMap((behavior) => question.rules.ofCommand(behavior, name, known)))
      .find(({ matcher }) => matcher.kind === 'command' && matcher.pattern.mayMatch(known))
    if (found) return `"${command.text}" may be what ${found.rule.text} is about`
  }
  return undefined
}

/** Are there rules that forbid some commands or files? */
function hasForbidding(question: Question, names: readonly string[]): boolean {
  return forbiddingRules(question, names).some(
    ({ matcher }) => matcher.kind === 'command' || matcher.kind === 'path',
  )
}

function forbiddingRules({ rules }: Question, names: readonly string[]): readonly CompiledRule[] {
  return names.flatMap((name) => [...rules.of('deny', name), ...rules.of('ask', name)])
}
