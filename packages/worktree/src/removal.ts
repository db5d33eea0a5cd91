import type { Finding } from './finding.ts'

/** What became of a worktree that was to be removed. */
export type Removal =
  | {
      /** Its folder and what git kept for it are gone. */
      readonly type: 'removed'
      /** What became of its branch: gone too, kept because it holds more than its first commit, or there was none. */
      readonly branch: 'removed' | 'kept' | 'none'
    }
  | {
      /** It is still there, for these reasons. */
      readonly type: 'kept'
      /** At least one. */
      readonly reasons: readonly Finding[]
      /** Where it is: its path as a rule. */
      readonly path: string
    }
  | {
      /** Nobody can tell what is in it, so it is still there. */
      readonly type: 'unknown'
      /** What was in the way. */
      readonly why: string
      /** Where it is. */
      readonly path: string
    }
