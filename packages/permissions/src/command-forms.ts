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
  const { argv, assignments } = command
  const words = argv.map(plainText)
  const written = words.join(' ')
  const short = withoutGitOptions(command, words, written)
  const assigned =
    assignments.length === 0 ? written : [...assignments.map(({ text }) => text), written].join(' ')
  const first = argv.findIndex((word) => word.value === undefined && !isPlainExpansion(word))
  return {
    allowing: hasHarmlessAssignments(command) ? unique([written, short, assigned]) : [assigned],
    forbidding: unique([command.text.trim(), written, short, assigned, ...otherForms(command, words)]),
    known: first < 1 ? undefined : knownBeginning(command, words, first),
  }
}

/** The same with the program for its path, and with every quote taken away. */
function otherForms(command: SimpleCommand, words: readonly string[]): readonly string[] {
  const { argv, name, program = '' } = command
  const isPlain = name === program && argv.every(({ value }, index) => words[index] === value)
  if (isPlain || argv.length === 0) return []
  const rest = words.slice(1)
  const values = argv.slice(1).map((word) => word.value ?? word.text)
  return [rest, values].flatMap((others) => {
    const all = [program || (words[0] ?? ''), ...others]
    const text = all.join(' ')
    return [text, withoutGitOptions(command, all, text)]
  })
}

/** A word whose quotes change nothing is the same without them. */
function plainText({ value, text }: ShellWord): string {
  return value !== undefined && /^[\w@%+=:,./^{}~-]+$/.test(value) ? value : text
}

function isPlainExpansion({ pieces }: ShellWord): boolean {
  return pieces.every(({ kind }) => kind === 'text' || kind === 'tilde')
}

function knownBeginning({ argv, program }: SimpleCommand, words: readonly string[], first: number): string {
  return `${[program ?? words[0], ...words.slice(1, first)].join(' ')} ${argv[first]?.prefix ?? ''}`
}

/** Options in front of a git subcommand that take a word of their own. */
const gitValues = /^(-C|-c|--git-dir|--work-tree|--namespace|--config-env|--attr-source|--super-prefix)$/

/** `git -C /p push` is a `git push`. */
function withoutGitOptions({ program }: SimpleCommand, words: readonly string[], text: string): string {
  if (program !== 'git') return text
  let next = 1
  while (next < words.length) {
    const word = words[next] ?? ''
    if (gitValues.test(word)) next += 2
    else if (word.startsWith('-')) next += 1
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
    else if (!word.startsWith('-')) return true
    else if (!/^(-[pP]|-C.+|--(paginate|no-.*|.*-pathspecs))$/.test(word)) return false
  }
  return true
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}
