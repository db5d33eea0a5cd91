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
  // What only reads is asked about for the file it reads: a prefix would open all files.
  if (words === undefined || command.assignments.length > 0 || command.isReadOnly) return exactly(text)
  const prefix = words.join(' ')
  if (text === prefix) return { suggestion: rule(prefix, 'nothing but this command') }
  return { suggestion: rule(`${prefix} *`, `every command that begins with "${prefix}"`) }
}

/** The words that say what a command does; undefined where the same beginning could do anything. */
function beginningOf(written: readonly (string | undefined)[]): string[] | undefined {
  const [program, ...rest] = withoutFolder(written)
  if (program === undefined || isRunner.test(program) || !/^[\w./@+-]+$/.test(program)) return undefined
  return withVerb.test(program) && rest.length > 0 ? verbOf(program, rest) : [program]
}

function verbOf(program: string, [verb, sub]: readonly (string | undefined)[]): string[] | undefined {
  // Behind `git -c x=y` and the like `git *` would be all of git.
  if (!isWord(verb) || runsAnything.test(`${program} ${verb}`)) return undefined
  if (!/^(run|exec|test)$/.test(verb)) return [program, verb]
  if (isWord(sub) && !isRunner.test(sub)) return [program, verb, sub]
  // `cargo test --all` says what it does, `npm run -s x` and `go run ./x` do not.
  return verb === 'test' ? [program, verb] : undefined
}

/** Rules on a git subcommand hold in other folders too. */
function withoutFolder(words: readonly (string | undefined)[]): readonly (string | undefined)[] {
  return words[0] === 'git' && words[1] === '-C' ? ['git', ...words.slice(3)] : words
}

/** A prefix of these would allow anything at all. */
const isRunner =
  /^(sh|bash|dash|zsh|ksh|fish|busybox|eval|exec|env|sudo|doas|pkexec|su|runuser|chroot|nsenter|unshare|xargs|parallel|find|watch|entr|setsid|ionice|flock|strace|script|tmux|screen|ssh|rsync|nc|socat|crontab|npx|bunx|pipx|python\d?(\.\d+)?|node|tsx|ts-node|lua|ruby|perl|php|awk|gawk|mawk|sed|dd|rm|source|\.|alias|export|declare|typeset|readonly|local|set|shopt|trap|enable|hash)$/

/** The same, with a verb. */
const runsAnything =
  /^(git (config|bisect|submodule|filter-branch|for-each-repo)|(npm|pnpm|yarn|bun) (x|dlx)|(docker|kubectl) (run|exec)|gh alias)$/

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
