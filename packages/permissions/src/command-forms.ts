import type { ShellWord, SimpleCommand } from '@x/shell-analysis'

/** The texts under which a rule may know a command. */
export interface CommandForms {
  /** For rules that allow: as written but for blanks and needless quotes, and without the options in front of a git subcommand. */
  readonly allowing: readonly string[]
  /** For rules that forbid: those and every other way to say it. */
  readonly forbidding: readonly string[]
  /** What is known in front of the first word that is not; undefined when all words are known. */
  readonly known: string | undefined
}

/** Variables that change nothing but language, colour and width of the output. */
const harmlessVariables: ReadonlySet<string> = new Set(
  'NODE_ENV LANG TZ NO_COLOR LC_ALL LC_CTYPE FORCE_COLOR CI TERM COLUMNS'.split(' '),
)

/** Does every variable that is set in front of the command do no harm? */
export function hasHarmlessAssignments({ assignments }: SimpleCommand): boolean {
  return assignments.every(({ name }) => harmlessVariables.has(name))
}

const known = new WeakMap<SimpleCommand, CommandForms>()

/** Lists the texts of one simple command; once, though several checks ask. */
export function commandForms(command: SimpleCommand): CommandForms {
  const forms = known.get(command) ?? findForms(command)
  known.set(command, forms)
  return forms
}

function findForms(command: SimpleCommand): CommandForms {
  const { argv } = command
  const words = argv.map(plainText)
  const written = words.join(' ')
  const short = withoutGitOptions(command, words)
  const assigned = command.assignments.map(({ text }) => text)
  const named = command.program === undefined ? words : [command.program, ...words.slice(1)]
  const values = [command.program ?? words[0] ?? '', ...argv.slice(1).map((word) => word.value ?? word.text)]
  const shortValues = withoutGitOptions(command, values)
  const first = argv.findIndex((word) => word.value === undefined && !isPlainExpansion(word))
  return {
    allowing: hasHarmlessAssignments(command)
      ? unique([written, short, [...assigned, ...words].join(' ')])
      : [[...assigned, ...words].join(' ')],
    forbidding: unique([
      command.text.trim(),
      written,
      short,
      [...assigned, ...words].join(' '),
      named.join(' '),
      withoutGitOptions(command, named),
      values.join(' '),
      shortValues,
    ]),
    known: first < 1 ? undefined : knownBeginning(named, argv, first),
  }
}

/** A word whose quotes change nothing is the same without them. */
function plainText({ value, text }: ShellWord): string {
  return value !== undefined && /^[\w@%+=:,./^{}~-]+$/.test(value) ? value : text
}

function isPlainExpansion({ pieces }: ShellWord): boolean {
  return pieces.every(({ kind }) => kind === 'text' || kind === 'tilde')
}

function knownBeginning(words: readonly string[], argv: readonly ShellWord[], first: number): string {
  return `${words.slice(0, first).join(' ')} ${argv[first]?.prefix ?? ''}`
}

/** Options of git that stand in front of the subcommand; the second kind takes a word of its own. */
const gitFlags =
  /^(-p|-P|--paginate|--no-pager|--no-replace-objects|--no-optional-locks|--no-advice|--bare|--literal-pathspecs|--glob-pathspecs|--noglob-pathspecs|--icase-pathspecs|--(git-dir|work-tree|namespace|exec-path|config-env|attr-source|super-prefix)=.*|-[Cc].+)$/s
const gitValues = /^(-C|-c|--git-dir|--work-tree|--namespace|--config-env|--attr-source|--super-prefix)$/

/** `git -C /p push` is a `git push`. */
function withoutGitOptions({ program }: SimpleCommand, words: readonly string[]): string {
  if (program !== 'git') return words.join(' ')
  let next = 1
  while (next < words.length) {
    const word = words[next] ?? ''
    if (gitValues.test(word)) next += 2
    else if (gitFlags.test(word)) next += 1
    else break
  }
  return [words[0], ...words.slice(next)].join(' ')
}

/** Do the options in front of a git subcommand leave it what it is? `-c` and the like choose programs that git runs. */
export function hasHarmlessGitOptions({ program, argv }: SimpleCommand): boolean {
  if (program !== 'git') return true
  for (let at = 1; at < argv.length; at += 1) {
    const word = argv[at]?.value ?? ''
    if (word === '-C') at += 1
    else if (!gitFlags.test(word) && !gitValues.test(word)) return true
    else if (!/^(-[pP]|-C.+|--(paginate|no-.*|.*-pathspecs))$/.test(word)) return false
  }
  return true
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}
