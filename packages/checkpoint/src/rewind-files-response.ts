import type { RewindOutcome, RewindReport, SkippedFile } from './rewind-outcome.ts'

/** The answer to the control request `rewind_files`. */
export interface RewindFilesResponse {
  /** There is a checkpoint of the message. */
  readonly canRewind: boolean
  /** Absolute paths of the files brought back, or to be brought back. */
  readonly filesChanged?: readonly string[]
  /** Lines added in them. */
  readonly insertions?: number
  /** Lines removed in them. */
  readonly deletions?: number
  /** Absolute paths of symbolic and hard links that were not touched; absent if there are none. */
  readonly skippedLinks?: readonly string[]
  /** Names what was not brought back beside links, and why; absent if there is nothing. */
  readonly error?: string
}

/** Puts the outcome of a rewind in the words of the control protocol. */
export function toRewindFilesResponse(outcome: RewindOutcome): RewindFilesResponse {
  if (outcome.type === 'unknown-message')
    return { canRewind: false, error: `No file checkpoint found for message ${outcome.messageId}` }
  const skippedLinks = outcome.skipped.filter(isLink).map(({ path }) => path)
  const error = describeRest(outcome)
  return {
    canRewind: true,
    filesChanged: outcome.changed.map(({ path }) => path),
    insertions: outcome.insertions,
    deletions: outcome.deletions,
    ...(skippedLinks.length > 0 && { skippedLinks }),
    ...(error !== '' && { error }),
  }
}

const REASONS = {
  'not-a-file': 'no regular file stands there now',
  'write-protected': 'write-protected since',
  'outside-project': 'outside of the project',
  'not-kept': 'no copy could be kept',
} as const

function describeRest({ conflicts, skipped, failed }: RewindReport): string {
  return [
    ...conflicts.map(({ path }) => `${path}: changed by somebody else since, left alone`),
    ...skipped.flatMap(({ path, reason }) =>
      reason === 'symlink' || reason === 'hard-link' ? [] : [`${path}: ${REASONS[reason]}`],
    ),
    ...failed.map(({ path, message }) => `${path}: ${message}`),
  ].join('\n')
}

function isLink({ reason }: SkippedFile): boolean {
  return reason === 'symlink' || reason === 'hard-link'
}
