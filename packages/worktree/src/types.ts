import type { Git } from './git.ts'

/** A folder of its own for a piece of work, beside the main checkout. Plain data: it may be stored and read back. */
export interface Worktree {
  /** Its name; for one made by git also the last part of `path`. */
  readonly name: string
  /** Absolute real path of its folder. */
  readonly path: string
  /** The main checkout that it must not touch. Absolute real path; for a hook without git, the folder it was asked from. */
  readonly root: string
  /** The branch it was made with; absent for a folder that a hook made without git. */
  readonly branch?: string
  /** The commit it was made from, in full; absent for a folder that a hook made without git. */
  readonly base?: string
  /** A WorktreeCreate hook made it, so that only a hook removes it. */
  readonly isHookMade: boolean
}

/** What every function here takes beside its own options. */
export interface WorktreeOptions {
  /** Ends the work; the promise then rejects with its reason, and what had begun is undone or left for a sweep. */
  readonly signal?: AbortSignal
  /** Runs git. @default the git of the path, see `createGit` */
  readonly git?: Git
  /** Hears the name of each step before it is taken; for logs. It may throw, which ends the work there. */
  readonly onStep?: (step: string) => void
}

/** The two hooks of a host that keeps worktrees in its own way. They may be slow; each is awaited. */
export interface WorktreeHooks {
  /** Makes the folder for this name, in place of git. May throw: that is a failure. The signal aborts when nobody waits for it. */
  readonly create?: (name: string, signal: AbortSignal | undefined) => Promise<HookCreation>
  /** Cleans the folder up. Its failure counts only while the folder is still there. May throw. */
  readonly remove?: (path: string) => Promise<void>
}

/** The answer of a WorktreeCreate hook. */
export type HookCreation =
  | {
      /** It made a folder. */
      readonly type: 'created'
      /** Absolute path of the folder. */
      readonly path: string
    }
  | {
      /** It did not. */
      readonly type: 'failed'
      /** Why, for people. */
      readonly message: string
    }

/** Why there is no worktree. */
export type CreationProblem =
  | 'git-missing'
  | 'not-a-repository'
  | 'bare-repository'
  | 'no-commit'
  | 'invalid-name'
  | 'invalid-path'
  | 'unsafe-path'
  | 'names-taken'
  | 'folder-unusable'
  | 'path-too-long'
  | 'leads-to-main'
  | 'hook-failed'
  | 'git-failed'
  | 'timed-out'

/** No worktree was made. Nothing may run in the main checkout instead. */
export interface CreationFailure {
  /** Says so. */
  readonly type: 'failed'
  /** The kind of problem. */
  readonly code: CreationProblem
  /** What went wrong and what to do, in one or two sentences. */
  readonly message: string
}

/** A worktree, or why there is none. */
export type Creation =
  | {
      /** It is there. */
      readonly type: 'created'
      /** The worktree, locked for this process; see `releaseWorktree`. */
      readonly worktree: Worktree
      /** What the caller should know: a stale base, a file that was not copied. */
      readonly notes: readonly string[]
    }
  | CreationFailure
