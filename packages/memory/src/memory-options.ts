/** A layer of files that can be left out. */
export type MemorySource = 'user' | 'project' | 'local'

/** An import that leads out of the working folders. */
export interface ImportRequest {
  /** The real path of the file, links followed. */
  readonly path: string
  /** The file that imports it. */
  readonly importedBy: string
}

/** Where instruction files are looked for, and what may be read. */
export interface MemoryOptions {
  /** The folder the session starts in. @default process.cwd() */
  readonly cwd?: string
  /** The user's home folder. @default os.homedir() */
  readonly home?: string
  /**
   * `CLAUDE_CONFIG_DIR` moves `~/.claude`, `X_HOME` moves `~/.x`, `CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD=1` loads the files of
   * additional directories, `CLAUDE_CODE_DISABLE_AUTO_MEMORY=1` turns auto memory off.
   *
   * @default process.env
   */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The folder of the managed `CLAUDE.md`; `false` for none. @default the documented one of this system */
  readonly managedFolder?: string | false
  /** Managed instructions that came by another way (`claudeMd` of managed settings). @default none */
  readonly managedText?: string
  /** Which files are read; managed ones always are. @default all three */
  readonly sources?: readonly MemorySource[]
  /** Patterns for absolute paths of files to skip (`claudeMdExcludes`); managed files are never skipped. @default none */
  readonly excludes?: readonly string[]
  /** More working folders: imports may lead there. Their own files load only if `env` says so. @default none */
  readonly additionalDirectories?: readonly string[]
  /**
   * Decides whether a file outside of the working folders may be imported; asked for one file after the other, before it is read. The
   * user's own and managed files are not asked about. What it rejects with ends the loading.
   *
   * @default no file may
   */
  readonly isApproved?: (request: ImportRequest) => boolean | Promise<boolean>
  /** The folder whose `MEMORY.md` is loaded last. @default none */
  readonly autoMemory?: { readonly folder: string } | false
  /** Ends the waiting: the call rejects with its reason. */
  readonly signal?: AbortSignal
}
