/** Whose instructions a file holds: the organisation's, the user's, the project's, the user's for this project; `Auto` is what the agent noted itself. */
export type MemoryType = 'Managed' | 'User' | 'Project' | 'Local' | 'Auto'

/** Why a file was loaded. */
export type LoadReason = 'session_start' | 'nested_traversal' | 'path_glob_match' | 'include' | 'compact'

/** A file with instructions that entered the context. */
export interface MemoryFile {
  /** The file, absolute, as it was named; for managed text without a file a name in words. */
  readonly path: string
  /** What it says, without front matter and block comments; line ends are `\n`. Never empty. */
  readonly text: string
  /** Whose instructions they are. An imported file has the type of the file that imports it. */
  readonly memoryType: MemoryType
  /** Why it was loaded. */
  readonly loadReason: LoadReason
  /** The patterns of a rule that is for some files only. */
  readonly globs?: readonly string[]
  /** The file whose import brought it. */
  readonly parentFilePath?: string
  /** The file whose reading brought it. */
  readonly triggerFilePath?: string
}

/**
 * What is wrong with a file, or was left out on purpose.
 *
 * - `unreadable`, `not-regular`, `too-large`, `binary`: the file was skipped.
 * - `too-many`: more files or imports than the limits allow; the rest was skipped.
 * - `import-missing`: a path that looks like a file's, but there is none; it stays as text.
 * - `import-too-deep`: it would be the fifth hop.
 * - `import-not-approved`: it leads out of the working folders and nobody approved it.
 * - `front-matter`: not valid YAML, read line by line.
 * - `bad-pattern`: a pattern of a rule or an exclusion that matches nothing.
 */
export type MemoryProblemCode =
  | 'unreadable'
  | 'not-regular'
  | 'too-large'
  | 'binary'
  | 'too-many'
  | 'import-missing'
  | 'import-too-deep'
  | 'import-not-approved'
  | 'front-matter'
  | 'bad-pattern'

/** Something that was left out, in words. */
export interface MemoryProblem {
  /** What it is. */
  readonly code: MemoryProblemCode
  /** The file it stands in, absolute. */
  readonly path: string
  /** The line it stands in, from 1, where there is one. */
  readonly line?: number
  /** The real path of the file that was to be imported, where it exists. */
  readonly importPath?: string
  /** All of it in one sentence, with file and line. */
  readonly message: string
}

/** A rule that loads when a file is read that one of its patterns matches. */
export interface WaitingRule {
  /** The file, absolute. */
  readonly path: string
  /** Its patterns as they stand in the file, good and bad ones. */
  readonly globs: readonly string[]
}

/** What one step of loading brought. */
export interface LoadedMemory {
  /** The files in the order in which they are to be shown. */
  readonly files: readonly MemoryFile[]
  /** What was left out. */
  readonly problems: readonly MemoryProblem[]
}
