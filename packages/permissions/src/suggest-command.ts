import type { SimpleCommand } from '@x/shell-analysis'
import type { Suggestable } from './checker.ts'
import { commandForms } from './command-forms.ts'
import type { ShellCall } from './shell-call.ts'

/** Programs whose first argument says what they do. */
const withVerb =
  /^(git|npm|pnpm|yarn|bun|cargo|go|docker|kubectl|gh|pip|pip3|uv|poetry|make|dotnet|terraform|aws|gcloud|brew|apt|systemctl|deno|bundle|rails|mvn|gradle)$/

/** The smallest rule that covers the command and its like. None where it would allow what cannot be shown. */
export function suggestCommandRule(
  command: SimpleCommand,
  { analysis }: ShellCall,
): { readonly suggestion?: Suggestable } {
  const [text = ''] = commandForms(command).allowing
  if (!analysis.isUnderstood || !command.isNameStatic || text === '') return {}
  const words = beginningOf(command.argv.map((word) => word.value))
  if (words === undefined || command.assignments.length > 0) return exactly(text)
  const prefix = words.join(' ')
  if (command.argv.length === words.length) return { suggestion: rule(prefix, 'nothing but this command') }
  return { suggestion: rule(`${prefix} *`, `every command that begins with "${prefix}"`) }
}

/** The words that say what a command does; undefined where the same beginning could do anything. */
function beginningOf([program, verb, sub]: readonly (string | undefined)[]): string[] | undefined {
  if (program === undefined || isRunner.test(program) || !/^[\w./@+-]+$/.test(program)) return undefined
  if (!withVerb.test(program) || !isWord(verb)) return [program]
  return /^(run|exec|test)$/.test(verb) && isWord(sub) ? [program, verb, sub] : [program, verb]
}

/** A prefix of these would allow anything at all. */
const isRunner =
  /^(sh|bash|dash|zsh|fish|eval|exec|env|sudo|doas|su|xargs|find|watch|setsid|ionice|flock|ssh|npx|bunx|python\d?(\.\d+)?|node|ruby|perl|php|awk|rm|source|\.)$/

function exactly(text: string): { readonly suggestion?: Suggestable } {
  // Parentheses belong to the shape of a rule.
  const escaped = text.replaceAll(/[()\\]/g, '\\$&')
  return /[*\n]/.test(text) ? {} : { suggestion: rule(escaped, 'nothing but this command') }
}

function rule(specifier: string, alsoAllows: string): Suggestable {
  return { kind: 'rule', text: `Bash(${specifier})`, alsoAllows }
}

function isWord(text: string | undefined): text is string {
  return text !== undefined && /^[A-Za-z][\w:.-]*$/.test(text)
}
