/** Something that could not be kept or tidied. What it belongs to went on all the same. */
export interface CheckpointProblem {
  /** What happened, in a sentence. */
  readonly message: string
  /** The file it is about. */
  readonly path?: string
  /** The error below. */
  readonly cause: unknown
}
