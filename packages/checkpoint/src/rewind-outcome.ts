import type { SkipReason } from './plan-file.ts'

/** What a rewind came to, or would come to. */
export type RewindOutcome =
  | {
      /** No checkpoint of this message: there never was one, or it was one of the oldest. */
      readonly type: 'unknown-message'
      /** As asked for. */
      readonly messageId: string
    }
  | (RewindReport & {
      /** `planned`: nothing was changed. `incomplete`: some files could not be brought back; trying again does the rest. */
      readonly type: 'planned' | 'rewound' | 'incomplete'
    })

/** Every file that differs from what it was, in exactly one of the lists. */
export interface RewindReport {
  /** As asked for. */
  readonly messageId: string
  /** Brought back, or to be brought back. */
  readonly changed: readonly RewoundFile[]
  /** Changed by somebody else since (the user, Bash, a formatter), and left alone. */
  readonly conflicts: readonly RewoundFile[]
  /** Not brought back, for a reason that stays. Links are named even if they lead to what was there. */
  readonly skipped: readonly SkippedFile[]
  /** Not brought back, because something went wrong. */
  readonly failed: readonly FailedFile[]
  /** Lines added in the files of `changed`, all together. */
  readonly insertions: number
  /** Lines removed in the files of `changed`, all together. */
  readonly deletions: number
}

/** A file and how it changes. */
export interface RewoundFile {
  /** Absolute real path. */
  readonly path: string
  /** `create`: it is missing now. `remove`: there was none. */
  readonly action: 'restore' | 'create' | 'remove'
  /** Somebody else has changed it since. In `changed` only with `overwriteUserChanges`. */
  readonly hasUserChanges: boolean
  /** No text, or too large: lines are not counted. */
  readonly isBinary: boolean
  /** Lines added. */
  readonly insertions: number
  /** Lines removed. */
  readonly deletions: number
  /** Where a copy of what the user had stands, once that was overwritten. Stays as long as its checkpoint. */
  readonly keptAs?: string
}

/** A file that is not brought back. */
export interface SkippedFile {
  /** Absolute real path. */
  readonly path: string
  /** Why not. */
  readonly reason: SkipReason
}

/** A file that could not be brought back. */
export interface FailedFile {
  /** Absolute real path. */
  readonly path: string
  /** What went wrong, in a sentence. */
  readonly message: string
}
