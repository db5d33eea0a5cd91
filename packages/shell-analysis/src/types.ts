/** A half-open range of the analysed command, in UTF-16 code units. */
export interface Span {
  /** Index of the first code unit. */
  readonly start: number
  /** Index behind the last code unit. */
  readonly end: number
}

/** One piece of a word, as far as it is known before the shell runs. */
export type WordPiece =
  /** Literal text, quotes and escapes removed. */
  | { readonly kind: 'text'; readonly value: string }
  /** A plain `$NAME` or `${NAME}`; unquoted it may become no word or several. */
  | { readonly kind: 'variable'; readonly name: string; readonly quoted: boolean }
  /** An unquoted leading `~` or `~user`. */
  | { readonly kind: 'tilde'; readonly user: string }
  /** A pattern of file names. */
  | { readonly kind: 'glob'; readonly text: string }
  /** Anything else whose value only the shell knows. */
  | { readonly kind: 'unknown'; readonly text: string; readonly quoted: boolean }

/** A word of a command. */
export interface ShellWord {
  /** The word as written. */
  readonly text: string
  /** Where it stands; for a word inside a nested script, the word that holds the script. */
  readonly span: Span
  /** The value after quote removal, or undefined when it is not known from the text. */
  readonly value: string | undefined
  /** The known text in front of the first unknown piece; the whole value of a static word. */
  readonly prefix: string
  /** The pieces in order. */
  readonly pieces: readonly WordPiece[]
  /** Whether an unquoted expansion may turn it into no word or several. */
  readonly splits: boolean
  /** Whether it holds an unquoted pattern of file names. */
  readonly hasGlob: boolean
}

/** A variable set in front of a command, or alone. */
export interface ShellAssignment {
  /** Name of the variable. */
  readonly name: string
  /** The assignment as written. */
  readonly text: string
  /** The static value, or undefined when it is an array or not known. */
  readonly value: string | undefined
  /** Where it stands. */
  readonly span: Span
}

/** A redirection of a simple or compound command. */
export interface ShellRedirection {
  /** The operator. */
  readonly operator: '>' | '>>' | '<' | '<>' | '<&' | '>&' | '>|' | '&>' | '&>>' | '<<' | '<<-' | '<<<'
  /** What it does: opens a file to read, opens one to write, copies a descriptor, or feeds text. */
  readonly effect: 'read' | 'write' | 'descriptor' | 'text'
  /** Number of the descriptor, undefined when not written. */
  readonly descriptor: number | undefined
  /** The target word; undefined for a here-document. */
  readonly target: ShellWord | undefined
  /** Where it stands. */
  readonly span: Span
}

/** One step on the way from the script to a command. */
export interface Via {
  /** The construct that holds or starts the command. */
  readonly kind:
    | 'subshell'
    | 'group'
    | 'function'
    | 'loop'
    | 'conditional'
    | 'case'
    | 'coprocess'
    | 'substitution'
    | 'process-substitution'
    | 'wrapper'
    | 'shell'
    | 'eval'
    | 'xargs'
    | 'find'
    | 'git'
    | 'option'
    | 'variable'
    | 'trap'
    | 'alias'
  /** Name of the function, wrapper, shell, option or variable. */
  readonly name?: string
}

/** A file that a command opens. */
export interface FileAccess {
  /** The word that names it. */
  readonly word: ShellWord
  /** The static path as written, or undefined when it is not known from the text. */
  readonly path: string | undefined
  /** Index of the command in `commands`; undefined for a redirection of a compound command. */
  readonly command: number | undefined
  /** How it is opened. */
  readonly by: 'redirection' | 'argument'
}

/** A command that the script would run: a program or builtin with its arguments. */
export interface SimpleCommand {
  /** Its place in `commands`. */
  readonly index: number
  /** Name and arguments. Empty when there are only assignments or redirections. */
  readonly argv: readonly ShellWord[]
  /** The static name as written (path included), or undefined when there is none or it is not known. */
  readonly name: string | undefined
  /** Last path segment of the name, also known where only the folder is dynamic (`"$DIR"/tool`). */
  readonly program: string | undefined
  /** Whether the program is known from the text; true for a command without a name. */
  readonly isNameStatic: boolean
  /** Variables set in front, or by `env`. */
  readonly assignments: readonly ShellAssignment[]
  /** Its own redirections. */
  readonly redirections: readonly ShellRedirection[]
  /** The command as written; for the inner command of a wrapper its words joined by blanks. */
  readonly text: string
  /** Where it stands; inside a quoted script the span of the word that holds the script. */
  readonly span: Span
  /** How it is reached, outermost step first. */
  readonly via: readonly Via[]
  /** Index of the command that starts this one (wrapper, `xargs`, `sh -c`, ...). */
  readonly startedBy: number | undefined
  /** Index of the one command that this wrapper runs in its place (`timeout 5 X`), if it is a wrapper. */
  readonly wraps: number | undefined
  /**
   * Whether program, options and assignments are proven to change nothing. Redirections, nested
   * substitutions and started commands are judged apart.
   */
  readonly isReadOnly: boolean
  /** Whether `analysis.reads` and `analysis.writes` hold all files that its arguments make it open. */
  readonly areFilesKnown: boolean
}

/** Something found in the script, with its place. */
export interface ShellNote {
  /** One sentence. */
  readonly message: string
  /** Where it stands. */
  readonly span: Span
  /** Index of the command it is about, if any. */
  readonly command: number | undefined
}

/** Everything known about a shell command from its text. */
export interface ShellAnalysis {
  /** The analysed text. */
  readonly source: string
  /**
   * Whether all commands that it runs are seen. False means: ask, never allow. `commands` then holds
   * what was found, so that rules that forbid still bite.
   */
  readonly isUnderstood: boolean
  /** Why it is not understood. Empty when it is. */
  readonly problems: readonly ShellNote[]
  /** Whether all of it is proven to change nothing; never true when not understood. See `changesDirectory`. */
  readonly isReadOnly: boolean
  /** Why it is not read-only. Empty when it is. */
  readonly effects: readonly ShellNote[]
  /** The simple commands, each before what is nested in it, otherwise in order of the text. */
  readonly commands: readonly SimpleCommand[]
  /** All redirections, those of compound commands included. */
  readonly redirections: readonly ShellRedirection[]
  /** Files opened to read, as far as known. */
  readonly reads: readonly FileAccess[]
  /** Files opened to write, created, changed or removed, as far as known. `/dev/null` is left out. */
  readonly writes: readonly FileAccess[]
  /** Whether `reads` and `writes` are complete. */
  readonly areFilesKnown: boolean
  /** Whether anything runs behind the shell's back: `&`, a coprocess. */
  readonly hasBackground: boolean
  /**
   * Whether `cd`, `pushd`, `popd` or `chdir` occurs. Such a command may be read-only and yet moves the
   * shell: it must not run beside others, and relative paths behind it mean something else.
   */
  readonly changesDirectory: boolean
  /** Whether the first command is `sleep`. */
  readonly startsWithSleep: boolean
  /** Whether one of the commands is `git`. */
  readonly hasGit: boolean
  /** Index of the command whose exit code the script ends with; undefined when that is not plain. */
  readonly exitCommand: number | undefined
  /** The file, when the whole script does nothing but show text of one file (`cat F`, `sed -n 1,9p F`, ...). */
  readonly readsOneFile: { readonly path: string } | undefined
}
